// The guide's repairs on the shipped samples, each with one fault put in: the problem is gone, no other came.
import { loadChain } from '../../sim-engine/chain.ts'
import { readFileSync } from 'node:fs'
import { env } from 'node:process'
import { describe, expect, it } from 'vitest'
import * as Y from 'yjs'
import { mendAll } from '../../sim-engine/copilot/repairs.ts'
import { Branch, newAmong } from '../../sim-engine/copilot/branch.ts'
import { loadFile } from '../../model-schema/document.ts'
import { parseFile, type HoloFile } from '../../model-schema/file.ts'
import { samples } from '../../model-schema/samples.ts'
import { faults, putFault } from '../help/faults.ts'
import { chance } from '../help/random.ts'
import { english } from '../../model-schema/words.ts'

await loadChain()

const files = samples.flatMap(({ id }): [string, HoloFile][] => {
  const parsed = parseFile(readFileSync(new URL(`../../model-schema/samples/${id}.holo`, import.meta.url), 'utf8'))
  return 'file' in parsed ? [[id, parsed.file]] : []
})

function docOf(file: HoloFile): Y.Doc {
  const doc = new Y.Doc()
  loadFile(doc, file)
  return doc
}

const rounds = Number(env['REPAIR_ROUNDS'] ?? 1)

describe('the guide mends', () => {
  it('at least four of five single faults in the samples without asking, and never makes another problem', { timeout: 600_000 }, () => {
    const score = new Map<string, { mended: number; asked: number; left: number }>()
    const codes = new Map<number, { mended: number; left: number }>()
    const misses: string[] = []
    for (const [id, file] of files) {
      // The problems of the file as it is shipped are the same for all faults.
      const clean = new Branch(docOf(file)).problems()
      for (const [at, name] of Object.keys(faults).entries())
        for (let round = 0; round < rounds; round++) {
          const random = chance(1 + round * 1000 + at)
          const doc = docOf(file)
          const where = putFault(doc, name, random)
          const branch = new Branch(doc)
          const before = branch.problems()
          const found = newAmong(clean, before)
          if (where === null || found.length === 0) continue
          const { asks } = mendAll(branch)
          const after = branch.problems()
          const left = newAmong(clean, after)
          expect(newAmong(before, after), `${id}: ${name} at ${where}`).toEqual([])
          const row = score.get(name) ?? { mended: 0, asked: 0, left: 0 }
          score.set(name, row)
          if (left.length === 0) row.mended++
          else if (asks.length > 0) row.asked++
          else row.left++
          for (const { code } of found) {
            const of = codes.get(code) ?? { mended: 0, left: 0 }
            codes.set(code, of)
            if (left.some(one => one.code === code)) of.left++
            else of.mended++
          }
          if (left.length > 0)
            misses.push(
              `${id}: ${name} at ${where}: ${left.map(one => `${one.code} ${one.at.id}.${one.at.field ?? ''} ${english(one.message)}`).join('; ')}${asks.length > 0 ? ' (asked)' : ''}`,
            )
        }
    }
    const rows = [...score.values()]
    const all = rows.reduce((sum, { mended, asked, left }) => sum + mended + asked + left, 0)
    const mended = rows.reduce((sum, row) => sum + row.mended, 0)
    const told = `${mended} of ${all}\n${JSON.stringify([...score])}\n${JSON.stringify([...codes])}\n${misses.join('\n')}`
    if (env['REPAIR_ROUNDS']) console.log(told)
    expect(all).toBeGreaterThan(100)
    expect(mended / all, told).toBeGreaterThanOrEqual(0.8)
  })
})
