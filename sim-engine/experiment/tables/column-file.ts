// Columns of numbers in a file, for more values than memory should hold: blocks that are read and written as they are needed. On this machine only:
// the bytes are in its own order.
import { closeSync, ftruncateSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isPlanned, plannedRuns, type Prepared } from '../../experiment.ts'
import type { ColumnStore } from './columns.ts'

/** Values in one block. */
const blockSize = 8192
const blockBytes = blockSize * 8
/** Most bytes of blocks in memory. */
const mostHeld = 128_000_000

type Transfer = (file: number, bytes: Uint8Array, offset: number, length: number, position: number) => number
type Block = { readonly values: Float64Array<ArrayBuffer>; isChanged: boolean }

export class FileColumns implements ColumnStore {
  readonly #measures: number
  readonly #mostBlocks: number
  readonly #folder: string
  readonly #file: number
  /** By its place in the file, the one used longest ago first. */
  readonly #blocks = new Map<number, Block>()
  #rows = 0
  /** The block that was used last by its place. */
  #place = -1
  #last: Block | null = null

  /** The file is in a folder of its own below `parent`, and is removed by `close`. Throws when it can't be made. */
  constructor(measures: number, parent = tmpdir(), held = mostHeld) {
    this.#measures = measures
    // One block a measure at least: a row is written to all of them.
    this.#mostBlocks = Math.max(measures + 1, Math.floor(held / blockBytes))
    this.#folder = mkdtempSync(join(parent, 'holarchy-columns-'))
    this.#file = openSync(join(this.#folder, 'columns'), 'w+')
  }

  close(): void {
    closeSync(this.#file)
    rmSync(this.#folder, { recursive: true })
  }

  /** The file has holes where nothing was written: they read as 0. */
  reach(rows: number): void {
    this.#rows = Math.max(this.#rows, rows)
    ftruncateSync(this.#file, Math.ceil(this.#rows / blockSize) * this.#measures * blockBytes)
  }

  get(measure: number, run: number): number {
    return this.#blockAt(measure, run).values[run % blockSize]!
  }

  set(run: number, values: readonly number[]): void {
    for (let k = 0; k < this.#measures; k++) {
      const block = this.#blockAt(k, run)
      block.values[run % blockSize] = values[k] ?? NaN
      block.isChanged = true
    }
  }

  view = (): null => null

  column(measure: number): Float64Array {
    return Float64Array.from({ length: this.#rows }, (_, run) => this.get(measure, run))
  }

  #blockAt(measure: number, run: number): Block {
    const place = Math.floor(run / blockSize) * this.#measures + measure
    if (place === this.#place) return this.#last!
    let block = this.#blocks.get(place)
    if (block) this.#blocks.delete(place)
    else {
      if (this.#blocks.size >= this.#mostBlocks) this.#leave()
      block = { values: new Float64Array(blockSize), isChanged: false }
      this.#transfer(block, place, readSync)
    }
    this.#blocks.set(place, block)
    this.#place = place
    this.#last = block
    return block
  }

  /** Writes the block back that was used longest ago, and forgets it. */
  #leave(): void {
    const [first] = this.#blocks
    if (!first) return
    const [place, block] = first
    if (block.isChanged) this.#transfer(block, place, writeSync)
    this.#blocks.delete(place)
  }

  #transfer({ values }: Block, place: number, act: Transfer): void {
    const bytes = new Uint8Array(values.buffer)
    for (let at = 0; at < blockBytes;) {
      const moved = act(this.#file, bytes, at, blockBytes - at, place * blockBytes + at)
      if (moved === 0) throw new Error('a file of values ended too early: is the disk full?')
      at += moved
    }
  }
}

/** Most bytes of measured values held in memory. */
const mostInMemory = 200_000_000

/** Columns for an experiment with values that would take too much memory; null where they do not. They have to be closed. */
export function largeColumns(prepared: Prepared): FileColumns | null {
  const runs = isPlanned(prepared) ? (plannedRuns(prepared) ?? 0) : prepared.experiment.maxRuns
  const measures = prepared.measures.length
  return runs * measures * 8 > mostInMemory ? new FileColumns(measures) : null
}
