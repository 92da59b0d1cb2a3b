// The same model gives the same run here and in Chromium, to the bit: every sample in the engine's own worker, as the app
// ships it, against Node.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { expect, test } from 'playwright/test'
import { modelOfFile, parseFile } from '../../../model-schema/file.ts'
import type { Model } from '../../../model-schema/model.ts'
import { loadChain } from '../../../sim-engine/chain.ts'
import { check } from '../../../sim-engine/check.ts'
import { compile } from '../../../sim-engine/compile.ts'
import { start } from '../../../sim-engine/run.ts'
import { english } from '../../../model-schema/words.ts'

const samples = new URL('../../../model-schema/samples/', import.meta.url)
const assets = new URL('../../../dist/assets/', import.meta.url)
const options = { ticks: 200, seed: 42 }

const names = readdirSync(samples)
  .filter(name => name.endsWith('.holo'))
  .map(name => name.slice(0, -'.holo'.length))

function sampleModel(name: string): Model {
  const parsed = parseFile(readFileSync(new URL(`${name}.holo`, samples), 'utf8'))
  if (!('file' in parsed)) throw new Error(`${name}: ${english(parsed.problems[0]?.words)}`)
  return modelOfFile(parsed.file)
}

/** The built engine: the largest of the scripts called `simulation` (a name, a hash of eight characters). */
function engineAsset(): string {
  const scripts = readdirSync(assets).filter(name => /^simulation-[\w-]{8}\.js$/.test(name))
  const [largest] = scripts.sort((a, b) => statSync(new URL(b, assets)).size - statSync(new URL(a, assets)).size)
  if (largest === undefined) throw new Error('no engine in dist/assets: run `npm run build`')
  return `/assets/${largest}`
}

function hereOf(model: Model): string {
  const { checked, problems } = check(model, model.scenarios[0] ?? '')
  if (!checked) throw new Error(JSON.stringify(problems))
  const run = start(compile(checked), options)
  while (run.advance()) continue
  const { hash, time, result } = run.summary()
  return `${result.end} ${time} ${hash}`
}

test('every sample has the same trace in Chromium and in Node', async ({ page }) => {
  expect(names.length).toBeGreaterThanOrEqual(21)
  await loadChain()
  await page.goto('/login')
  const url = engineAsset()
  for (const name of names) {
    const model = sampleModel(name)
    const there = await page.evaluate(
      ({ url, written }) =>
        new Promise<string>((resolve, reject) => {
          const { model, elements, options } = JSON.parse(written)
          const worker = new Worker(url, { type: 'module' })
          worker.addEventListener('error', event => reject(new Error(event.message)))
          worker.addEventListener('message', ({ data }) => {
            if (data.is === 'loaded') worker.postMessage({ do: 'play', speed: null }, [])
            else if (data.is === 'frame') worker.postMessage({ do: 'drawn' }, [])
            else if (data.is === 'problems' || data.is === 'broken') reject(new Error(JSON.stringify(data)))
            else if (data.is === 'ended') {
              worker.terminate()
              resolve(`${data.result.end} ${data.summary.time} ${data.summary.hash}`)
            }
          })
          worker.postMessage(
            { do: 'load', load: 1, model: { ...model, elements: new Map(elements) }, scenario: model.scenarios[0], options },
            [],
          )
        }),
      { url, written: JSON.stringify({ model, elements: [...model.elements], options }) },
    )
    expect(`${name}: ${there}`).toBe(`${name}: ${hereOf(model)}`)
  }
})

test('engine worker: reaches neither the server nor anything else on the network', async ({ page }) => {
  await page.goto('/login')
  const [worker] = await Promise.all([
    page.waitForEvent('worker'),
    page.evaluate(script => void Reflect.set(globalThis, 'tried', new Worker(script, { type: 'module' })), engineAsset()),
  ])
  const tries = await worker.evaluate(async () => {
    const said = async (what: () => Promise<unknown>): Promise<string> =>
      what().then(
        () => 'reached',
        () => 'refused',
      )
    const socket = (): Promise<unknown> =>
      new Promise((done, fail) => {
        const opened = new WebSocket(`ws://${location.host}/yjs/whatever`)
        opened.addEventListener('error', fail)
        opened.addEventListener('open', done)
      })
    const foreign: string = 'data:text/javascript,1'
    return [
      await said(() => fetch('/api/accounts/session')),
      await said(() => fetch('/version.json')),
      await said(() => import(foreign)),
      await said(socket),
    ]
  })
  expect(tries).toEqual(['refused', 'refused', 'refused', 'refused'])
  // The page itself, by its own policy, still does.
  expect(await page.evaluate(async () => (await fetch('/api/accounts/session')).status)).toBe(200)
})
