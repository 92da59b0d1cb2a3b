// The store's parts without a screen: what an address asks for, descriptions, drawn covers, and that the run recorded on a page ends in the
// world the server's run ends in.
import { readFile } from 'node:fs/promises'
import { i18n } from '@lingui/core'
import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { parseFile } from '../../model-schema/file.ts'
import { appTopics } from '../../model-schema/business/market.ts'
import { Engine } from '../../sim-engine/threads/simulation.ts'
import { simulate } from '../../sync-server/jobs/simulate.ts'
import type { Transport } from '../../client/run/engine.ts'
import { drawnFor, readBy, readSearch } from '../../client/store/area.ts'
import { useShipped } from '../../client/store/shipped.ts'
import { linesOf, richOf } from '../../client/store/lines.ts'
import { RecordError, recordRun } from '../../client/store/publish/record.ts'
import type { FromEngine } from '../../sim-engine/messages.ts'

/** The engine without a worker around it. */
function spawn(): Transport {
  let heard: (message: FromEngine) => void = () => undefined
  const engine = new Engine(message => heard(structuredClone(message)))
  return {
    post: message => engine.receive(structuredClone(message)),
    listen: listener => void (heard = listener),
    close: () => engine.receive({ do: 'pause' }),
  }
}

describe('a recorded run', () => {
  it('has on the page the fingerprint that the server comes to', async () => {
    for (const sample of ['car-wash', 'segregation']) {
      const text = await readFile(new URL(`../../model-schema/samples/${sample}.holo`, import.meta.url), 'utf8')
      const read = parseFile(text)
      if ('problems' in read) throw new Error('a sample that cannot be read')
      const scenario = Object.entries(read.file.elements).find(([, element]) => element.kind === 'scenario')?.[0] ?? ''
      const run = { scenario, seed: 7, ticks: 40 }
      const here = await recordRun(read.file, run, new AbortController().signal, spawn)
      const there = await simulate(run, text, 20_000, () => undefined)
      expect(here).toMatch(/^[0-9a-f]{8,64}$/)
      expect(here, sample).toBe(there.hash)
      const other = await recordRun(read.file, { ...run, seed: 8 }, new AbortController().signal, spawn)
      expect(other).not.toBe(here)
    }
  })

  it('of a model with problems, or given up, is none', async () => {
    const file = {
      format: 'holo' as const,
      version: 1,
      elements: { s: { kind: 'scenario', name: 'S' }, v: { kind: 'variable', parent: 's', name: 'x', initial: '1 +' } },
    }
    const run = { scenario: 's', seed: 1, ticks: 5 }
    await expect(recordRun(file, run, new AbortController().signal, spawn)).rejects.toBeInstanceOf(RecordError)
    const stop = new AbortController()
    const given = recordRun({ ...file, elements: { s: file.elements.s } }, { ...run, ticks: 20_000 }, stop.signal, () => ({
      post: () => undefined,
      listen: () => undefined,
      close: () => undefined,
    }))
    stop.abort()
    await expect(given).rejects.toBeInstanceOf(RecordError)
  })
})

describe('an address of the store', () => {
  it('shows what of it makes sense', () => {
    expect(readSearch({ q: 'wolf', kind: 'model', topic: 'nothing', sort: 'likes', verified: 'true', licence: 5, of: 'mine' })).toEqual({
      q: 'wolf',
      kind: 'model',
      sort: 'likes',
      verified: true,
    })
    expect(readSearch({ q: '', tag: 'x'.repeat(99) }).tag).toHaveLength(30)
    expect(readBy({ by: 'me' })).toEqual({})
    expect(readBy({ by: '00000000-0000-4000-8000-000000000000' })).toEqual({ by: '00000000-0000-4000-8000-000000000000' })
  })

  it('draws the same for the same publication, and not one picture for all of a topic', () => {
    for (const topic of appTopics) {
      const drawn = Array.from({ length: 20 }, (_, i) => drawnFor({ id: `app-${i}`, topic }))
      expect(drawnFor({ id: 'app-0', topic })).toEqual(drawn[0])
      expect(new Set(drawn.map(one => `${one.motif} ${one.turn}`)).size).toBeGreaterThan(10)
    }
  })
})

describe('a description', () => {
  it('comes back as it was typed, but for space around it', () => {
    for (const lines of ['', 'One', 'One\nline two', 'One\n\nTwo\nthree\n\nFour “quoted” <b>'])
      expect(linesOf(richOf(`${lines}\n\n`))).toBe(lines)
    expect(linesOf('{')).toBe('')
  })
})

it('a shipped sample is described in the language of the page alone, though it is published in all', () => {
  i18n.activate('en-US')
  const app = { id: 'sample-clinic', name: 'Clinic', summary: 'Clinic', description: richOf('Patients arrive\n病人随机到达') }
  const shown: string[] = []
  const Said = () => {
    shown.push(useShipped(app).description)
    return null
  }
  renderToString(createElement(Said))
  expect(shown[0]).toContain('Patients arrive at random')
  expect(shown[0]).not.toMatch(/\p{Script=Han}/u)
})
