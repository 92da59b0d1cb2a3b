// Text cursors inside formulas: they hold on to letters whatever others type, and nothing a stranger sends can hurt.
import { toBase64 } from 'lib0/buffer'
import { describe, expect, it } from 'vitest'
import * as Y from 'yjs'
import { createStore } from 'zustand/vanilla'
import { Awareness } from 'y-protocols/awareness'
import { caretAt, spanOf } from '../../../client/session.ts'
import type { Peer } from '../../../client/session.ts'
import { Presence } from '../../../client/session/presence.ts'
import { newDocument, textOf } from '../../../model-schema/document.ts'
import { place } from '../../../model-schema/edit.ts'
import { english } from '../../../model-schema/words.ts'

function formula(text: string): { doc: Y.Doc; id: string; write: Y.Text } {
  const doc = newDocument('Carets')
  const [scenario] = [...doc.getMap('kind').keys()]
  const id = place(doc, { kind: 'variable', parent: scenario ?? '', at: [0, 0] })
  if (typeof id !== 'string') throw new Error(english(id.words))
  const write = textOf(doc, id, 'initial')
  if (write === null) throw new Error('no shared text')
  write.insert(0, text)
  return { doc, id, write }
}

describe('a caret', () => {
  it('stays with its letters while others type before, inside and after it', () => {
    const { doc, id, write } = formula('grass + wolves')
    write.delete(14, write.length - 14)
    const caret = caretAt(doc, id, 'initial', 8, 14)
    expect(caret && spanOf(doc, caret)).toEqual({ anchor: 8, head: 14 })
    write.insert(0, '2 * ')
    expect(caret && spanOf(doc, caret)).toEqual({ anchor: 12, head: 18 })
    write.delete(12, 3)
    expect(caret && spanOf(doc, caret)).toEqual({ anchor: 12, head: 15 })
  })

  it('means the same on another copy of the document', () => {
    const { doc, id } = formula('a + b')
    const copy = new Y.Doc()
    Y.applyUpdate(copy, Y.encodeStateAsUpdate(doc))
    const caret = caretAt(doc, id, 'initial', 4, 4)
    expect(caret && spanOf(copy, caret)).toEqual({ anchor: 4, head: 4 })
  })

  it('is nothing when the field is gone, is another one, or the bytes are no position', () => {
    const { doc, id } = formula('a + b')
    expect(caretAt(doc, 'nobody', 'initial', 0, 0)).toBeNull()
    expect(caretAt(doc, id, 'name', 0, 0)).toBeNull()
    const caret = caretAt(doc, id, 'initial', 1, 1)
    expect(caret && spanOf(new Y.Doc(), caret)).toBeNull()
    for (const bytes of ['', 'no base64 !', toBase64(new Uint8Array([9, 9, 9])), toBase64(new Uint8Array(40).fill(255))])
      expect(caret && spanOf(doc, { ...caret, head: bytes })).toBeNull()
  })

  it('is shown by presence, and read from others only when it looks like one', () => {
    const peers = createStore<{ peers: Peer[] }>(() => ({ peers: [] }))
    let sent: Record<string, unknown> | null = null
    const presence = new Presence(peers, { id: 'me', name: 'Me' }, state => void (sent = state))
    const { doc, id } = formula('x')
    const caret = caretAt(doc, id, 'initial', 1, 1)
    presence.show({ caret })
    presence.announce()
    expect(sent).toMatchObject({ caret })
    const awareness = new Awareness(new Y.Doc())
    const shown = (value: unknown): Peer['caret'] | undefined => {
      awareness.states.set(7, { u: 'ann', n: 'Ann', caret: value })
      presence.read(awareness)
      return peers.getState().peers.find(peer => peer.client === 7)?.caret
    }
    expect(shown(caret)).toEqual(caret)
    for (const bad of [undefined, 7, 'x', {}, { ...caret, head: 5 }, { ...caret, head: 'x'.repeat(1000) }]) expect(shown(bad)).toBeNull()
    presence.close()
    awareness.destroy()
  })
})
