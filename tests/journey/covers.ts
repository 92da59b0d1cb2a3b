// Takes the pictures of the sample gallery: each sample is run in a browser until something is to be seen, and one card (or the
// canvas of a process, with its tokens) is cut out, in light and in dark. By hand, with a running server:
// `node tests/journey/covers.ts http://127.0.0.1:4380 [ids, with commas]`; then look at model-schema/samples/covers.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { chromium, expect, type Locator, type Page } from 'playwright/test'
import { continueOnDevice, editor, openSample } from './app.ts'
import { samples } from '../../model-schema/samples.ts'
import { english } from '../../model-schema/words.ts'

/** What of a sample is shown, and how many ticks after the start. */
const scenes: Readonly<Record<string, { ticks: number } & ({ card: string } | { process: string })>> = {
  segregation: { card: 'Town', ticks: 3 },
  'wolf-sheep': { card: 'Meadow view', ticks: 80 },
  epidemic: { card: 'Town', ticks: 30 },
  clinic: { card: 'Patients waiting', ticks: 313 },
  'bass-diffusion': { card: 'Crowd', ticks: 6 },
  flocking: { card: 'Sky', ticks: 300 },
  'forest-fire': { card: 'Wood', ticks: 110 },
  'langtons-ant': { card: 'Plane', ticks: 10_700 },
  life: { card: 'Plane', ticks: 150 },
  'prisoners-dilemma': { card: 'Lattice view', ticks: 12 },
  sugarscape: { card: 'Land', ticks: 40 },
  traffic: { card: 'Flow', ticks: 300 },
  networks: { card: 'Random network', ticks: 40 },
  'car-wash': { card: 'Cars on the yard', ticks: 150 },
  'trunk-lines': { card: 'Lines in use', ticks: 150 },
  'emergency-room': { card: 'Waiting', ticks: 150 },
  inventory: { card: 'Stock', ticks: 60 },
  'money-exchange': { card: 'Purses', ticks: 1500 },
  newsvendor: { card: 'Mean profit so far', ticks: 80 },
  'token-pool': { card: 'Price of Gold in Cash', ticks: 200 },
  arbitrage: { card: 'Price of the base token', ticks: 600 },
  vesting: { card: 'Tokens', ticks: 30 },
  liquidation: { card: 'Price of the base token', ticks: 30 },
  'block-auction': { card: 'Price of the first place', ticks: 120 },
  'conviction-voting': { card: 'Conviction', ticks: 120 },
  'cart-pole': { card: 'Angle of the pole', ticks: 120 },
  admission: { card: 'In the queue', ticks: 150 },
  'cliff-walk': { process: 'Walk', ticks: 6 },
  'lost-sales': { card: 'Stock', ticks: 60 },
}

/** Pixels of a picture: twice what a card of the gallery shows. */
const size = { width: 560, height: 240 }
const folder = fileURLToPath(new URL('../../model-schema/samples/covers/', import.meta.url))

async function runTo(page: Page, ticks: number): Promise<void> {
  const { run, tick } = editor(page)
  if (ticks > 500) {
    await run.getByRole('button', { name: /ticks\/s/ }).click()
    await page.getByRole('button', { name: 'max', exact: true }).click()
    await page.keyboard.press('Escape')
  }
  await run.getByRole('button', { name: 'Play' }).click()
  const finished = run.getByText(/^Finished/)
  const reached = async (): Promise<boolean> => {
    if (await finished.isVisible()) return true
    return Number((await tick().innerText()).split('time')[0]?.replaceAll(/\D/g, '')) >= ticks
  }
  while (!(await reached())) await page.evaluate(() => new Promise(requestAnimationFrame))
  const pause = run.getByRole('button', { name: 'Pause' })
  // A run may come to its end before it is paused.
  await pause.click({ timeout: 10_000 }).catch(async (error: unknown) => {
    if (!(await finished.isVisible())) throw error
  })
}

type Part = {
  shown: Locator
  /** How much of its width is cut out. */ width: number
  /** A plot is squeezed, the rest is cropped. */ whole: boolean
}

/** The plot of a chart without its axes, the middle of a world or of a canvas. */
async function partOf(page: Page, scene: (typeof scenes)[string]): Promise<Part> {
  const { canvas, outline } = editor(page)
  if ('process' in scene) {
    const tree = await outline()
    await tree
      .getByRole('treeitem', { name: new RegExp(`\\b${scene.process}\\b`) })
      .first()
      .click()
    await canvas.focus()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('navigation', { name: 'Canvases' })).toContainText(scene.process)
    await page.keyboard.press('1')
    return { shown: canvas, width: 0.97, whole: false }
  }
  const card = page.getByRole('region', { name: scene.card, exact: true }).first()
  const plot = card.locator('.u-over')
  return (await plot.count()) > 0
    ? { shown: plot, width: 1, whole: true }
    : { shown: card.locator('.h-card-body'), width: 0.72, whole: false }
}

const [base = 'http://127.0.0.1:4380', ids] = process.argv.slice(2)
const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
})
mkdirSync(folder, { recursive: true })
for (const theme of ['light', 'dark'] as const) {
  const context = await browser.newContext({
    baseURL: base,
    viewport: { width: 1440, height: 900 },
    locale: 'en-US',
    colorScheme: theme,
    deviceScaleFactor: 2,
  })
  const page = await context.newPage()
  // A picture is for every language.
  await page.addInitScript(() => (CanvasRenderingContext2D.prototype.fillText = () => undefined))
  await continueOnDevice(page)
  for (const { id, title } of samples) {
    const scene = scenes[id]
    if (!scene || (ids && !ids.split(',').includes(id))) continue
    await page.goto('/')
    await openSample(page, english(title).replaceAll(/[()]/g, '\\$&'))
    await editor(page).run.getByRole('button', { name: 'Play' }).waitFor()
    await runTo(page, scene.ticks)
    const { shown, width: share, whole } = await partOf(page, scene)
    // What is drawn over the canvas is not of the model.
    await page.addStyleTag({ content: '.h-minimap, .h-zoom, .ant-tooltip, .h-card-actions { visibility: hidden }' })
    const box = await shown.boundingBox()
    if (!box) throw new Error(`${id}: nothing to be seen`)
    const width = box.width * share
    const height = whole ? box.height : (width * size.height) / size.width
    const shot = await page.screenshot({
      clip: { x: box.x + (box.width - width) / 2, y: box.y + (box.height - height) / 2, width, height },
    })
    const picture = await page.evaluate(
      async ([png, w, h]) => {
        const image = new Image()
        image.src = `data:image/png;base64,${png}`
        await image.decode()
        const canvas = document.createElement('canvas')
        canvas.width = w
        canvas.height = h
        const context = canvas.getContext('2d')
        if (context) context.imageSmoothingQuality = 'high'
        context?.drawImage(image, 0, 0, w, h)
        return canvas.toDataURL('image/jpeg', 0.8)
      },
      [shot.toString('base64'), size.width, size.height] as const,
    )
    const bytes = Buffer.from(picture.slice(picture.indexOf(',') + 1), 'base64')
    const light = `${folder}${id}-light.jpg`
    // Most worlds look the same in the dark.
    if (theme === 'dark' && readFileSync(light).equals(bytes)) continue
    writeFileSync(theme === 'dark' ? `${folder}${id}-dark.jpg` : light, bytes)
    console.log(`${id} ${theme}: ${bytes.length} bytes`)
  }
  await context.close()
}
await browser.close()
