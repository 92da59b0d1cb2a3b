// What the others see of a person: a state that only says what is known, whatever a peer sends.
import { describe, expect, it } from 'vitest'
import type { Awareness } from 'y-protocols/awareness'
import { createStore } from 'zustand/vanilla'
import { Presence, type Peer } from '../../../client/session/presence.ts'

const me = { id: 'ann', name: 'Ann' }

function open() {
  const peers = createStore<{ peers: Peer[] }>(() => ({ peers: [] }))
  const sent: (Record<string, unknown> | null)[] = []
  const presence = new Presence(peers, me, state => void sent.push(state))
  return { peers, sent, presence }
}

describe('the work of the copilot', () => {
  it('is sent with the next state, and read from peers as one of the known words', () => {
    const { peers, sent, presence } = open()
    presence.show({ copilot: 'preparing' })
    presence.announce()
    expect(sent.at(-1)).toMatchObject({ copilot: 'preparing' })
    const states = new Map([
      [1, { u: 'bob', n: 'Bob', copilot: 'preparing' }],
      [2, { u: 'cid', n: 'Cid', copilot: '<b>anything</b>' }],
      [3, { u: 'dee', n: 'Dee' }],
    ])
    presence.read({ clientID: 9, getStates: () => states } as unknown as Awareness)
    expect(peers.getState().peers.map(({ name, copilot }) => [name, copilot])).toEqual([
      ['Bob', 'preparing'],
      ['Cid', null],
      ['Dee', null],
    ])
    presence.close()
  })
})
