// The editing canvas in a real browser, at the sizes the product promises: frames while the view moves and things are dragged, an edit until it
// is drawn, and a large document opened from this device. Drawn in software unless GPU=1, which is the worse case and the same on every machine.
//
// A frame is measured from its first callback until the browser has painted it (a message posted in the callback comes after that). Other work on
// the machine lengthens that; `cpu` is what the page's main thread itself spent a frame or an edit, on average, and hardly depends on it.
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Page } from 'playwright'
import type { Figure } from './figure.ts'

const port = Number(process.env['BENCH_PORT'] ?? 4396)
const base = process.env['BENCH_URL'] ?? `http://127.0.0.1:${port}`

type Frame = { script: number; whole: number; gap: number }
type Frames = { readonly list: readonly Frame[]; readonly cpu: number }

declare global {
  interface Window {
    frameTimes: Frame[]
  }
}

/** Figures of the canvas. Starts a server (unless BENCH_URL names one) and a browser, and ends both. */
export async function* canvasFigures(wanted: (name: string) => boolean): AsyncGenerator<Figure> {
  const names = ['canvas/pan', 'canvas/drag', 'canvas/edit', 'canvas/open']
  if (!names.some(wanted)) return
  const stop = process.env['BENCH_URL'] === undefined ? await startServer() : () => Promise.resolve()
  const executablePath = [process.env['CHROMIUM_PATH'], '/usr/bin/chromium', '/usr/bin/google-chrome'].find(
    path => path && existsSync(path),
  )
  const browser = await chromium.launch({
    ...(executablePath === undefined ? {} : { executablePath }),
    args: ['--no-sandbox', ...(process.env['GPU'] === '1' ? [] : ['--disable-gpu'])],
  })
  try {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
    await context.addInitScript(countFrames)
    const page = await context.newPage()
    await page.goto(base)
    await page.getByRole('button', { name: 'Continue on this device' }).click()
    yield* empty(page)
    if (names.slice(0, 3).some(wanted)) yield* handling(page, wanted)
    if (wanted('canvas/open')) yield* opening(page)
  } finally {
    await browser.close()
    await stop()
  }
}

/** Keeps how long each frame took. Runs in the page. */
function countFrames(): void {
  window.frameTimes = []
  const ask = window.requestAnimationFrame.bind(window)
  let now: { at: number; began: number; script: number } | null = null
  let last = 0
  const { port1, port2 } = new MessageChannel()
  port1.addEventListener('message', () => {
    if (!now) return
    window.frameTimes.push({ script: now.script, whole: performance.now() - now.began, gap: now.at - last })
    last = now.at
    now = null
  })
  port1.start()
  window.requestAnimationFrame = callback =>
    ask(at => {
      const began = performance.now()
      if (!now) {
        now = { at, began, script: 0 }
        port2.postMessage(null)
      }
      callback(at)
      now.script += performance.now() - began
    })
}

/** A process of 5,000 steps and 5,000 flows, in rows of 100; it can run. */
function largeProcess(): string {
  const elements: Record<string, object> = {
    big: { kind: 'process', name: 'Big', geo: [40, 40, 120, 72] },
    x: { kind: 'variable', parent: 'big', name: 'x', geo: [-200, 0, 120, 40] },
  }
  for (let i = 0; i < 5000; i++) {
    const [column, row] = [i % 100, Math.floor(i / 100)]
    const kind = i === 0 ? 'start' : i === 4999 ? 'end' : i % 7 === 3 ? 'gateway' : 'compute'
    const more = kind === 'compute' ? { program: `x = ${i}` } : {}
    elements[`n${i}`] = { kind, parent: 'big', name: `Step ${i}`, ...more, geo: sized(i, column * 200, row * 140) }
    if (i > 0) elements[`f${i}`] = { kind: 'flow', parent: 'big', from: `n${column === 0 ? i - 100 : i - 1}`, to: `n${i}` }
  }
  return clip(elements, ['big'])
}

const sized = (i: number, x: number, y: number): [number, number, number, number] =>
  i % 7 === 3 ? [x + 36, y + 12, 48, 48] : [x, y, 120, 72]

/** 5,000 elements on the outermost canvas. */
function largeRoot(): string {
  const elements: Record<string, object> = {}
  for (let i = 0; i < 5000; i++)
    elements[`v${i}`] = {
      kind: i % 3 === 0 ? 'agent' : 'variable',
      name: `item_${i}`,
      geo: [(i % 80) * 180, Math.floor(i / 80) * 110, 140, i % 3 === 0 ? 88 : 40],
    }
  return clip(elements, Object.keys(elements))
}

const clip = (elements: object, roots: string[]): string => JSON.stringify({ format: 'holo-clip', version: 1, roots, elements })

const canvasOf = (page: Page) => page.getByRole('application', { name: /^Model canvas/ })

async function newModelWith(page: Page, content: string): Promise<void> {
  await page.goto(`${base}/workspace/recent`)
  await page.getByRole('button', { name: 'New model' }).first().click()
  await page.waitForURL(/\/modeling\//)
  await canvasOf(page).waitFor()
  await page.evaluate(text => {
    const data = new DataTransfer()
    data.setData('text/plain', text)
    document.querySelector('.h-canvas')?.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true }))
  }, content)
}

/** What this machine takes for a canvas with next to nothing on it: the others are to be read against it. */
async function* empty(page: Page): AsyncGenerator<Figure> {
  await newModelWith(page, clip({ one: { kind: 'variable', name: 'one', geo: [0, 0, 120, 40] } }, ['one']))
  await painted(page)
  await overCanvas(page)
  await pan(page, 20)
  yield* told('canvas/pan empty', await pan(page, 90), 10, 'one element: the machine itself')
}

const pan = (page: Page, frames: number): Promise<Frames> =>
  measured(page, async () => {
    for (let i = 0; i < frames; i++) await page.mouse.wheel(i % 40 < 20 ? 30 : -30, i % 30 < 15 ? 20 : -20)
  })

async function overCanvas(page: Page): Promise<{ x: number; y: number; width: number; height: number }> {
  const box = await canvasOf(page).boundingBox()
  if (!box) throw new Error('the canvas is not there')
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
  return box
}

async function* handling(page: Page, wanted: (name: string) => boolean): AsyncGenerator<Figure> {
  await newModelWith(page, largeProcess())
  await page.keyboard.press('Enter')
  await page.getByRole('navigation', { name: 'Canvases' }).getByRole('button', { name: /Big/ }).waitFor()
  const box = await overCanvas(page)
  if (wanted('canvas/pan')) {
    await page.keyboard.press('1')
    await pan(page, 20)
    yield* told('canvas/pan zoomed out', await pan(page, 120), 10, '10,000 elements, all in view')
  }
  await page.keyboard.press('0')
  if (wanted('canvas/pan')) {
    await pan(page, 40)
    yield* told('canvas/pan zoomed in', await pan(page, 120), 27, '10,000 elements, 100 %')
    for (let i = 0; i < 3; i++) await page.keyboard.press('-')
    await pan(page, 40)
    yield* told('canvas/pan at 50 %', await pan(page, 120), 27, '10,000 elements')
    await page.keyboard.press('0')
  }
  if (wanted('canvas/drag')) {
    await page.keyboard.press('Tab')
    await page.keyboard.press('0')
    const at = await middleOfSelected(page)
    const drag = async (): Promise<Frames> => {
      await page.mouse.move(at.x, at.y)
      await page.mouse.down()
      const frames = await measured(page, async () => {
        for (let i = 0; i < 90; i++) await page.mouse.move(at.x + 60 * Math.sin(i / 8) + i / 3, at.y + 60 * Math.cos(i / 8))
      })
      await page.mouse.up()
      await page.keyboard.press('ControlOrMeta+z')
      return frames
    }
    yield* told('canvas/drag one', await drag(), 27, '10,000 elements, 100 %')
    // About a hundred, at the zoom that shows them.
    await page.keyboard.press('Escape')
    for (let i = 0; i < 4; i++) await page.keyboard.press('-')
    await page.mouse.move(box.x + 20, box.y + 20)
    await page.mouse.down()
    await page.mouse.move(box.x + box.width - 20, box.y + box.height - 240, { steps: 4 })
    await page.mouse.up()
    const chosen = await page
      .getByText(/^\d+ elements/)
      .first()
      .textContent()
    yield* told('canvas/drag selection', await drag(), 27, `10,000 elements, ${chosen?.match(/\d+/)?.[0]} of them carried`)
  }
  if (wanted('canvas/edit')) {
    await page.keyboard.press('Escape')
    await page.keyboard.press('0')
    await page.keyboard.press('Tab')
    await canvasOf(page).focus()
    const spent = await cpuOf(page)
    const latencies = await page.evaluate(async () => {
      const canvas = document.querySelector('.h-canvas')
      const found: number[] = []
      for (let i = 0; i < 220; i++) {
        // From rest, as a person presses a key.
        await new Promise(done => setTimeout(done, 40 + (i % 7)))
        const began = performance.now()
        canvas?.dispatchEvent(
          new KeyboardEvent('keydown', { key: i % 2 === 0 ? 'ArrowRight' : 'ArrowLeft', bubbles: true, cancelable: true }),
        )
        // React draws what must follow at once before anything else happens in the page.
        await Promise.resolve()
        const done = performance.now()
        const drawn = await new Promise<number>(ready => requestAnimationFrame(() => ready(performance.now())))
        const painted = await new Promise<number>(ready => {
          const { port1, port2 } = new MessageChannel()
          port1.addEventListener('message', () => ready(performance.now()))
          port1.start()
          port2.postMessage(null)
        })
        // Waiting for the screen's next frame is not ours.
        const [frame] = window.frameTimes.slice(-1)
        found.push(done - began + (frame ? frame.whole : painted - drawn))
      }
      return found
    })
    // The first edits of a page run code that V8 has not optimised yet.
    const [first, later] = [latencies.slice(0, 20), latencies.slice(20)]
    yield {
      name: 'canvas/edit to pixels p95',
      value: quantile(later, 0.95),
      unit: 'ms',
      baseline: 16,
      ratio: quantile(later, 0.95) / 16,
      note: `a nudge among 10,000 elements: the edit and the frame that shows it; median ${quantile(later, 0.5).toFixed(1)} ms; p95 of the page's first twenty ${quantile(first, 0.95).toFixed(1)} ms`,
    }
    yield {
      name: 'canvas/edit, cpu',
      value: (await spent()) / latencies.length,
      unit: 'ms',
      note: 'mean an edit, all that follows from it included',
    }
  }
}

async function* opening(page: Page): AsyncGenerator<Figure> {
  await newModelWith(page, largeRoot())
  await painted(page)
  await page.getByRole('status', { name: /Saved/ }).first().waitFor()
  // A document at rest, as it is when one comes back to it: how it looks has been kept.
  await page.waitForTimeout(6000)
  const url = page.url()
  const times: number[] = []
  for (let i = 0; i < 12; i++) {
    // A page of its own, as from a bookmark; the first only fills the caches.
    const fresh = await page.context().newPage()
    await fresh.goto(url)
    const at = await painted(fresh)
    if (i > 1) times.push(at)
    await fresh.close()
  }
  for (const [name, q] of [
    ['p50', 0.5],
    ['p95', 0.95],
  ] as const)
    yield {
      name: `canvas/open 5000 ${name}`,
      value: quantile(times, q),
      unit: 'ms',
      baseline: 600,
      ratio: quantile(times, q) / 600,
      note: 'from navigation to the first full drawing, caches warm',
    }
}

/** When a canvas with something on it was first drawn in full, in milliseconds from navigation. */
async function painted(page: Page): Promise<number> {
  const handle = await page.waitForFunction(() => performance.getEntriesByName('canvas painted')[0]?.startTime, undefined, {
    timeout: 60_000,
  })
  return (await handle.jsonValue()) ?? Number.NaN
}

/** What happened to frames while something was done. */
async function measured(page: Page, act: () => Promise<void>): Promise<Frames> {
  const spent = await cpuOf(page)
  await page.evaluate(() => void (window.frameTimes = []))
  await act()
  await page.evaluate(() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))))
  const list = await page.evaluate(() => window.frameTimes)
  return { list, cpu: (await spent()) / Math.max(1, list.length) }
}

/** Starts a clock of the main thread's own time; it returns the milliseconds since. */
async function cpuOf(page: Page): Promise<() => Promise<number>> {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  const spent = async (): Promise<number> =>
    ((await session.send('Performance.getMetrics')).metrics.find(metric => metric.name === 'TaskDuration')?.value ?? Number.NaN) * 1000
  const before = await spent()
  return async () => {
    const after = await spent()
    await session.detach()
    return after - before
  }
}

function* told(name: string, { list, cpu }: Frames, most: number, note: string): Generator<Figure> {
  const of = (key: keyof Frame) =>
    quantile(
      list.map(frame => frame[key]),
      0.95,
    )
  yield {
    name: `${name}, frame p95`,
    value: of('whole'),
    unit: 'ms',
    baseline: most,
    ratio: of('whole') / most,
    note: `${note}; ${list.length} frames`,
  }
  yield { name: `${name}, script p95`, value: of('script'), unit: 'ms', note }
  yield { name: `${name}, cpu`, value: cpu, unit: 'ms', note: 'mean a frame' }
}

function quantile(values: readonly number[], q: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? Number.NaN
}

async function middleOfSelected(page: Page): Promise<{ x: number; y: number }> {
  const box = await canvasOf(page).boundingBox()
  if (!box) throw new Error('the canvas is not there')
  await page.keyboard.press('2')
  await page.keyboard.press('0')
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
}

async function startServer(): Promise<() => Promise<void>> {
  const data = mkdtempSync(join(tmpdir(), 'holarchy-bench-'))
  const child = spawn(process.execPath, [join(import.meta.dirname, '../../sync-server/start.ts')], {
    env: { ...process.env, PORT: String(port), HOLARCHY_DATA: data },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await new Promise<void>((done, fail) => {
    child.stdout.on('data', (chunk: Buffer) => chunk.toString().includes('running at') && done())
    child.on('exit', code => fail(new Error(`the server ended with ${code}`)))
  })
  return async () => {
    const gone = new Promise(done => child.once('exit', done))
    child.kill('SIGTERM')
    await gone
    rmSync(data, { recursive: true, force: true })
  }
}
