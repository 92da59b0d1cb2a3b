// What the copilot costs in addition to a language model's time: describing a large model to it, making, offering and accepting a proposal.
import { Doc } from 'yjs'
import { loadFile, modelOf } from '../../model-schema/document.ts'
import { setField, together } from '../../model-schema/edit.ts'
import {
  accept,
  contentOf,
  contentSince,
  documentFrom,
  follow,
  offer,
  proposalsOf,
  reached,
  standingsOf,
  type Proposal,
} from '../../model-schema/proposals.ts'
import { ToolSession } from '../../sim-engine/copilot/doors/copilot.ts'
import { largeModel } from '../help/large.ts'
import { median, worked, type Figure } from './figure.ts'

const ROUNDS = 5

function documentOf(districts: number): Doc {
  const doc = new Doc()
  loadFile(doc, largeModel(districts).file)
  return doc
}

/** Batches of a proposal of 200 elements: processes of ten steps with the flows between them, each with a variable. */
function batches(scenario: string): { calls: unknown[] }[] {
  return Array.from({ length: 10 }, (_, k) => ({
    calls: [
      { do: 'place', kind: 'process', parent: scenario, values: { name: `Course${k}` } },
      { do: 'place', kind: 'start', parent: '$1', at: [0, 60], values: { trigger: 'timer', every: '1' } },
      ...Array.from({ length: 8 }, (_, i) => ({
        do: 'place',
        kind: 'delay',
        parent: '$1',
        at: [160 * (i + 1), 60],
        values: { name: `Wait ${i}`, duration: '1' },
      })),
      { do: 'place', kind: 'end', parent: '$1', at: [1440, 60] },
      ...Array.from({ length: 9 }, (_, i) => ({ do: 'connect', from: `$${i + 2}`, to: `$${i + 3}` })),
    ],
  }))
}

type Suggested = {
  /** Milliseconds of each part of making a proposal. */
  readonly parts: Readonly<Record<string, number>>
  /** Milliseconds until the same tools know the document again after ten more edits of it. */
  readonly again: number
}

/** Makes a proposal of 200 elements as the page's worker does, from the content of an open document on. */
function suggested(doc: Doc, offer: (proposal: Proposal) => void): Suggested {
  const before = reached(doc)
  const author = { kind: 'copilot', name: 'Bench' } as const
  const opened = (): { copy: Doc; session: ToolSession } => {
    const copy = documentFrom(contentOf(doc))
    const session = new ToolSession({ doc: copy, author, now: Date.now, writes: true, offer: made => (offer(made), null) })
    return { copy, session }
  }
  let made: ReturnType<typeof opened> | null = null
  const use = (name: string, given: object): void => {
    const answer = made?.session.use(name, given)
    if (!answer?.ok) throw new Error(answer?.why)
  }
  const parts = {
    opening: worked(() => (made = opened())),
    check: worked(() => use('check', {})),
    edits: worked(() => {
      for (const batch of batches(modelOf(doc).scenarios[0] ?? '')) use('edit', batch)
    }),
    offer: worked(() => use('offer', { title: 'Ten courses', why: '' })),
  }
  renameTen(doc)
  const since = contentSince(doc, before)
  const again = worked(() => {
    if (made) follow(made.copy, since)
    made?.session.restart()
    use('check', {})
  })
  return { parts, again }
}

function renameTen(doc: Doc): void {
  const named = [...modelOf(doc).elements.values()].filter(({ fields }) => typeof fields['name'] === 'string').slice(0, 10)
  together(doc, () => named.forEach(({ id }, i) => setField(doc, id, 'name', `Renamed${i}`)))
}

export function* copilotFigures(wanted: (name: string) => boolean): Generator<Figure> {
  if (['context-5000', 'set-together', 'offer-200', 'again-5000', 'standings-200', 'accept-200'].every(name => !wanted(`copilot/${name}`)))
    return
  const told: number[] = []
  const set: number[] = []
  const offered: number[] = []
  const parts = new Map<string, number[]>()
  const again: number[] = []
  const opened: number[] = []
  const accepted: number[] = []
  let tokens = 0
  let elements = 0
  for (let round = 0; round < ROUNDS; round++) {
    const large = new ToolSession({
      doc: documentOf(48),
      author: { kind: 'guide', name: '' },
      now: () => 0,
      writes: true,
      offer: () => null,
    })
    const [scenario] = large.model.scenarios
    const [selected] = large.model.elements.keys()
    const where = { canvas: scenario ?? null, selection: selected === undefined ? [] : [selected], words: 'Why does Person17 wait?' }
    large.use('check', {})
    told.push(worked(() => (tokens = large.context(where).tokens)))

    const edited = documentOf(48)
    modelOf(edited)
    set.push(worked(() => renameTen(edited)))

    const doc = documentOf(48)
    modelOf(doc)
    let proposal: Proposal | null = null
    const done = suggested(doc, made => void (proposal = made))
    for (const [part, milliseconds] of Object.entries(done.parts)) parts.set(part, [...(parts.get(part) ?? []), milliseconds])
    offered.push(Object.values(done.parts).reduce((sum, one) => sum + one, 0))
    again.push(done.again)
    if (proposal === null) throw new Error('nothing was offered')
    offer(doc, proposal)
    const [standing] = proposalsOf(doc)
    if (!standing) throw new Error('the proposal does not stand')
    elements = standing.deltas.length
    opened.push(worked(() => standingsOf(doc, standing)))
    const ids = standing.deltas.map(({ id }) => id)
    accepted.push(worked(() => accept(doc, standing, ids)))
  }
  const figure = (name: string, values: readonly number[], note: string): Figure => ({
    name: `copilot/${name}`,
    value: median(values),
    unit: 'ms',
    note,
  })
  yield figure('context-5000', told, `${tokens} tokens`)
  yield figure('set-together', set, 'ten fields in one transaction, 5,000 elements')
  yield figure(
    'offer-200',
    offered,
    `${elements} elements on 5,000, warm: ${[...parts].map(([part, all]) => `${part} ${median(all).toFixed(0)}`).join(', ')}`,
  )
  yield figure('again-5000', again, 'until the tools know the document again after ten edits of it')
  yield figure('standings-200', opened, 'where each element of it stands')
  yield figure('accept-200', accepted, `${elements} elements in one step`)
}
