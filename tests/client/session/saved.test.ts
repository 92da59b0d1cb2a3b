// Waiting until the server has what was edited.
import { describe, expect, it } from 'vitest'
import { createStore } from 'zustand/vanilla'
import type { Lamps } from '../../../client/session.ts'
import { untilSaved } from '../../../client/session/saved.ts'

const at = (server: Lamps['server']) => createStore<Lamps>(() => ({ device: 'saved', server, others: 0 }))

describe('waiting for the server', () => {
  it.each([
    ['saved', true],
    ['offline', false],
    ['refused', false],
    ['none', false],
  ] as const)('does not wait where it is %s', async (server, saved) => {
    expect(await untilSaved({ lamps: at(server) })).toBe(saved)
  })

  it.each([
    ['saved', true],
    ['offline', false],
  ] as const)('waits while it connects and stores, until it is %s', async (server, saved) => {
    const lamps = at('connecting')
    let ended: boolean | null = null
    const waiting = untilSaved({ lamps }).then(how => (ended = how))
    lamps.setState({ server: 'saving' })
    await Promise.resolve()
    expect(ended).toBe(null)
    lamps.setState({ server })
    await waiting
    expect(ended).toBe(saved)
  })
})
