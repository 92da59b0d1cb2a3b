// Many people at a server, as bytes on sockets: what they send says when it was sent, so receivers know how long it took.
import { WebSocket } from 'ws'
import * as Y from 'yjs'
import * as decoding from 'lib0/decoding'
import { MESSAGE, SYNC } from '../../sync-server/protocol.ts'
import { ackFrame, awarenessFrame, step1Frame, step2Frame, updateFrame } from '../../sync-server/relay/frames.ts'
import type { Person } from '../help/server.ts'

/** The value at a share of the sorted values. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN
}

const stamp = (): string => `@${performance.now().toFixed(2)}@`
const AT = '@'.charCodeAt(0)

/** When a frame says it was sent. */
function sentAt(frame: Buffer): number | null {
  const from = frame.indexOf(AT)
  const to = from < 0 ? -1 : frame.indexOf(AT, from + 1)
  return to < 0 ? null : Number(frame.subarray(from + 1, to).toString())
}

/** What was measured. */
export type Times = { sync: number[]; ack: number[] }

/** One person in one document. */
export class Visitor {
  readonly doc = new Y.Doc()
  readonly #name: string
  readonly #times: Times
  #ws: WebSocket | null = null
  #clock = 0
  #mark = 0
  readonly #marks = new Map<number, number>()
  closedAt: number | null = null
  closeCode: number | null = null
  /** Whether it has been brought up to date since it last connected. */
  isSynced = false
  onSynced: () => void = () => {}
  onClosed: () => void = () => {}
  onKicked: () => void = () => {}
  readonly #waiting: (() => void)[] = []

  constructor(name: string, times: Times) {
    this.#name = name
    this.#times = times
    this.doc.on('update', (update: Uint8Array, origin: unknown) => {
      if (origin !== this) this.#send(updateFrame(update))
    })
  }

  async connect(person: Person, docId: string, url = person.url): Promise<void> {
    const { ticket } = await person.must('POST', '/api/rt/ticket', { docId })
    await this.connectWith(ticket, docId, url)
  }

  async connectWith(ticket: string, docId: string, url: string): Promise<void> {
    this.#watch(url, docId, ticket)
    await new Promise<void>((done, fail) => {
      this.onSynced = done
      this.onClosed = () => fail(new Error(`closed with ${this.closeCode}`))
    })
    this.onSynced = this.onClosed = () => {}
  }

  #watch(url: string, docId: string, ticket: string): void {
    this.isSynced = false
    this.closeCode = this.closedAt = null
    const ws = new WebSocket(`${url.replace('http', 'ws')}/yjs/${docId}?p=1&ticket=${ticket}`, { perMessageDeflate: false })
    this.#ws = ws
    ws.on('open', () => ws.send(step1Frame(Y.encodeStateVector(this.doc))))
    ws.on('message', (frame: Buffer) => this.#hear(frame))
    ws.on('error', () => {})
    ws.on('close', code => {
      if (this.#ws !== ws) return
      this.closedAt = performance.now()
      this.closeCode = code
      this.#ws = null
      this.onClosed()
      this.onKicked()
      for (const wake of this.#waiting.splice(0)) wake()
    })
  }

  /** Everything sent is acked, or the connection is gone. */
  async settled(): Promise<void> {
    while (this.#marks.size > 0 && this.#ws !== null) await new Promise<void>(wake => this.#waiting.push(wake))
  }

  edit(): void {
    const key = `${this.#name}_${this.#clock % 20}`
    this.doc.getMap('data').set(`${key}/name`, stamp())
    this.#marks.set(++this.#mark, performance.now())
    this.#send(ackFrame(this.#mark))
  }

  point(): void {
    const state = JSON.stringify({ cur: [Math.random() * 1000, this.#clock] })
    this.#send(awarenessFrame([{ client: this.doc.clientID, clock: ++this.#clock, state }]))
  }

  send(frame: Uint8Array): void {
    this.#send(frame)
  }

  close(): void {
    const ws = this.#ws
    this.#ws = null
    ws?.terminate()
  }

  #send(frame: Uint8Array): void {
    if (this.#ws?.readyState === WebSocket.OPEN) this.#ws.send(frame)
  }

  #hear(frame: Buffer): void {
    const now = performance.now()
    const decoder = decoding.createDecoder(frame)
    const type = decoding.readVarUint(decoder)
    if (type === MESSAGE.mark) {
      const n = decoding.readVarUint(decoder)
      for (const [mark, at] of this.#marks) {
        if (mark > n) continue
        this.#times.ack.push(now - at)
        this.#marks.delete(mark)
      }
      for (const wake of this.#waiting.splice(0)) wake()
    }
    if (type !== MESSAGE.sync) return
    const step = decoding.readVarUint(decoder)
    const body = decoding.readVarUint8Array(decoder)
    if (step === SYNC.step1) return this.#send(step2Frame(Y.encodeStateAsUpdate(this.doc, body)))
    if (step === SYNC.update) {
      const at = sentAt(frame)
      if (at !== null) this.#times.sync.push(now - at)
    }
    Y.applyUpdate(this.doc, body, this)
    if (step === SYNC.step2 && !this.isSynced) {
      this.isSynced = true
      this.onSynced()
    }
  }
}

/** Lets everybody edit and point at these rates a second, spread evenly, for so long. */
export async function busy(visitors: readonly Visitor[], edits: number, cursors: number, ms: number): Promise<void> {
  const end = performance.now() + ms
  const deeds = visitors.flatMap((visitor, i) =>
    [
      { run: () => visitor.edit(), every: 1000 / edits },
      { run: () => visitor.point(), every: 1000 / cursors },
    ].map(({ run, every }) => ({ run, every, next: performance.now() + (every * (i % 97)) / 97 })),
  )
  while (performance.now() < end) {
    const now = performance.now()
    for (const deed of deeds) {
      if (deed.next > now) continue
      deed.run()
      deed.next += deed.every
    }
    await new Promise(done => setTimeout(done, 1))
  }
}
