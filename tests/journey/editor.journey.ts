// The canvas by hand: groups, locks, tags; connectors; steps put into flows; pictures in and out; following another person; the keyboard alone.
import { readFileSync } from 'node:fs'
import { expect, test, type Locator, type Page } from 'playwright/test'
import { continueOnDevice, editor, newModel, openContext, openSample, signIn, watchErrors } from './app.ts'

/** A point of the canvas in the window. */
async function at(canvas: Locator, x: number, y: number): Promise<{ x: number; y: number }> {
  const box = await canvas.boundingBox()
  if (!box) throw new Error('the canvas is not there')
  return { x: box.x + x, y: box.y + y }
}

async function drag(page: Page, from: { x: number; y: number }, to: { x: number; y: number }): Promise<void> {
  await page.mouse.move(from.x, from.y)
  await page.mouse.down()
  await page.mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2, { steps: 4 })
  await page.mouse.move(to.x, to.y, { steps: 4 })
  await page.mouse.up()
}

async function menu(page: Page, canvas: Locator, x: number, y: number, item: string): Promise<void> {
  await canvas.click({ position: { x, y }, button: 'right' })
  await page.getByRole('menuitem', { name: item }).first().click()
}

test('groups are one until they are entered; locks hold; tags show; all can be undone', async ({ page }) => {
  const errors = watchErrors(page)
  await continueOnDevice(page)
  await newModel(page)
  const app = editor(page)
  const { canvas, inspector } = app
  await app.place('Variable', 160, 120)
  await app.place('Variable', 400, 120)
  await app.place('Variable', 160, 300)

  await drag(page, await at(canvas, 60, 60), await at(canvas, 540, 190))
  await expect(inspector.getByRole('heading', { name: /2 elements/ })).toBeVisible()
  await page.keyboard.press('ControlOrMeta+g')
  await canvas.click({ position: { x: 640, y: 420 } })
  await canvas.click({ position: { x: 400, y: 120 } })
  await expect(inspector.getByRole('heading', { name: /2 elements/ })).toBeVisible()
  await drag(page, await at(canvas, 400, 120), await at(canvas, 480, 220))
  await canvas.dblclick({ position: { x: 480, y: 220 } })
  await expect(inspector.getByRole('heading', { name: /Variable2/ })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(inspector.getByRole('heading', { name: /2 elements/ })).toBeVisible()
  await menu(page, canvas, 480, 220, 'Ungroup')
  await canvas.click({ position: { x: 240, y: 220 } })
  await expect(inspector.getByRole('heading', { name: /Variable1/ })).toBeVisible()

  await menu(page, canvas, 160, 300, 'Lock')
  await drag(page, await at(canvas, 160, 300), await at(canvas, 500, 420))
  await page.keyboard.press('Escape')
  await canvas.click({ position: { x: 160, y: 300 } })
  await expect(inspector.getByRole('heading', { name: /Variable3/ })).toBeVisible()
  await page.keyboard.press('Delete')
  await expect(page.getByText('This element is locked. Unlock it first.')).toBeVisible()
  await menu(page, canvas, 160, 300, 'Unlock')
  await canvas.click({ position: { x: 160, y: 300 }, button: 'right' })
  await page.getByRole('menuitem', { name: /^Tag/ }).hover()
  await page.getByRole('menuitem', { name: 'Red tag' }).click()
  await canvas.focus()
  await page.keyboard.press('Delete')
  const tree = await app.outline()
  await expect(tree.getByRole('treeitem', { name: /Variable3/ })).toHaveCount(0)
  await page.keyboard.press('ControlOrMeta+z')
  await expect(tree.getByRole('treeitem', { name: /Variable3/ })).toBeVisible()
  expect(errors).toEqual([])
})

/** A container, a process with an input, and an empty process. */
const shop = JSON.stringify({
  format: 'holo-clip',
  version: 1,
  roots: ['store', 'sub', 'main'],
  elements: {
    store: { kind: 'container', name: 'Store', geo: [0, 0, 120, 40] },
    sub: { kind: 'process', name: 'Pack', geo: [160, 0, 120, 72] },
    input: { kind: 'interface', parent: 'sub', name: 'amount', direction: 'in', geo: [0, -80, 120, 40] },
    begin: { kind: 'start', parent: 'sub', geo: [0, 0, 40, 40] },
    end: { kind: 'end', parent: 'sub', geo: [160, 0, 40, 40] },
    flow: { kind: 'flow', parent: 'sub', from: 'begin', to: 'end' },
    main: { kind: 'process', name: 'Main', geo: [320, 0, 120, 72] },
  },
})

test('connectors are drawn from a port to a step, to nothing, to a container and to a state, and by keys', async ({ page }) => {
  const errors = watchErrors(page)
  await continueOnDevice(page)
  await newModel(page)
  const app = editor(page)
  const { canvas, inspector } = app
  await expect(app.left.getByRole('tab', { name: 'Components' })).toBeVisible()
  await page.evaluate(text => {
    const data = new DataTransfer()
    data.setData('text/plain', text)
    document.querySelector('.h-canvas')?.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true }))
  }, shop)
  await (await app.outline()).getByRole('treeitem', { name: /^Main/ }).click()
  await canvas.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('navigation', { name: 'Canvases' }).getByRole('button', { name: /Main/ })).toBeVisible()
  const title = (name: string | RegExp) => inspector.getByRole('heading', { name })

  // To empty canvas: asked what comes next, there.
  await app.place('Start', 80, 120)
  await drag(page, await at(canvas, 114, 120), await at(canvas, 260, 120))
  await page.getByRole('option', { name: 'Compute', exact: true }).click()
  await expect(title(/Compute/)).toBeVisible()

  // To a shape.
  await app.place('End', 560, 120)
  await canvas.hover({ position: { x: 320, y: 120 } })
  await drag(page, await at(canvas, 394, 120), await at(canvas, 560, 120))
  await expect(title('Compute → End')).toBeVisible()

  // To the symbol of a container: the step requests it.
  await app.place('Reference', 320, 280)
  await inspector.getByRole('combobox', { name: 'Stands for' }).click()
  await page.getByText('Store', { exact: true }).last().click()
  await canvas.hover({ position: { x: 320, y: 120 } })
  await drag(page, await at(canvas, 320, 170), await at(canvas, 320, 280))
  await expect(title(/Compute → /)).toBeVisible()
  await canvas.click({ position: { x: 320, y: 120 } })
  await expect(inspector.getByText('Store', { exact: true }).first()).toBeVisible()

  // From a variable to a step that runs a process: its input gets it.
  await app.place('Call', 600, 320)
  await inspector.getByRole('combobox', { name: 'Process' }).first().click()
  await page.getByText('Pack', { exact: true }).last().click()
  await app.place('Variable', 440, 440)
  await canvas.hover({ position: { x: 440, y: 440 } })
  await drag(page, await at(canvas, 514, 440), await at(canvas, 600, 320))
  await expect(title(/Variable1 → /)).toBeVisible()

  // By keys: to a step that is there.
  await canvas.click({ position: { x: 600, y: 320 } })
  await canvas.focus()
  await page.keyboard.press('n')
  await page.getByRole('combobox', { name: 'Search components' }).fill('end')
  await page.getByRole('option', { name: 'Connect to “End”' }).click()
  await expect(title('Call → End')).toBeVisible()
  expect(errors).toEqual([])
})

test('a step dropped on a flow goes into it; what is copied goes to another file with its groups', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await continueOnDevice(page)
  await newModel(page)
  const app = editor(page)
  const { canvas } = app
  await app.place('Process', 300, 200)
  await page.keyboard.press('Enter')
  await app.place('Start', 80, 200)
  await app.place('End', 640, 200)
  // From the dot next to the start to the end.
  await canvas.hover({ position: { x: 80, y: 200 } })
  await drag(page, await at(canvas, 114, 200), await at(canvas, 640, 200))
  await app.place('Delay', 360, 206)
  const problems = await app.show('Problems')
  await expect(problems.getByText(/no way|leads nowhere|never reached|9002|9001/)).toHaveCount(0)
  const tree = await app.outline()
  await expect(tree.getByRole('treeitem', { name: /Delay/ })).toBeVisible()
  await canvas.focus()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.press('ControlOrMeta+g')
  await page.keyboard.press('ControlOrMeta+c')
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  const clip: unknown = JSON.parse(copied)
  const elements = Object.values((clip as { elements: Record<string, { kind: string; groups?: string[] }> }).elements)
  // Start, delay, end and the two flows that the one became.
  expect(elements.map(element => element.kind).sort()).toEqual(['delay', 'end', 'flow', 'flow', 'start'])
  expect(new Set(elements.filter(element => element.kind !== 'flow').map(element => element.groups?.join())).size).toBe(1)

  await page.getByRole('link', { name: 'Back to the workspace' }).click()
  await newModel(page)
  await app.place('Process', 300, 200)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('navigation', { name: 'Canvases' }).getByRole('button', { name: /Process/ })).toBeVisible()
  await canvas.focus()
  await page.keyboard.press('ControlOrMeta+v')
  await expect((await app.outline()).getByRole('treeitem', { name: /Delay/ })).toBeVisible()
})

test('pictures come in by dropping and go out with what charts and worlds show', async ({ page }) => {
  await continueOnDevice(page)
  await openSample(page, 'Segregation')
  const app = editor(page)
  await app.run.getByRole('button', { name: 'Play' }).click()
  await expect(app.tick()).toHaveText(/tick\s*\d+/)
  await expect(app.run.getByText(/Finished/)).toBeVisible({ timeout: 120_000 })
  const save = async (item: string): Promise<string> => {
    await page.getByRole('button', { name: 'Menu', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Save a picture' }).click()
    const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('menuitem', { name: item }).click()])
    return file.path()
  }
  const svg = readFileSync(await save('Save as SVG'), 'utf8')
  // The world and both charts are pictures in it, their captions are text.
  expect(svg.match(/<image /g)?.length).toBeGreaterThanOrEqual(3)
  expect(svg).toContain('>Unhappy households<')
  expect(svg).toContain('>unhappy<')
  const png = readFileSync(await save('Save as PNG'))
  expect(png.subarray(1, 4).toString()).toBe('PNG')
  expect(png.length).toBeGreaterThan(100_000)

  await page.evaluate(async () => {
    const sheet = new OffscreenCanvas(40, 40)
    sheet.getContext('2d')?.fillRect(0, 0, 40, 40)
    const transfer = new DataTransfer()
    transfer.items.add(new File([await sheet.convertToBlob()], 'square.png', { type: 'image/png' }))
    const canvas = document.querySelector('.h-canvas')
    const box = canvas?.getBoundingClientRect()
    const init = { dataTransfer: transfer, bubbles: true, cancelable: true, clientX: (box?.left ?? 0) + 60, clientY: (box?.top ?? 0) + 60 }
    canvas?.dispatchEvent(new DragEvent('dragover', init))
    canvas?.dispatchEvent(new DragEvent('drop', init))
  })
  await expect((await app.outline()).getByRole('treeitem', { name: /square/ })).toBeVisible()
})

test('the canvas becomes the cover of a file on the server', async ({ page }) => {
  await signIn(page)
  await newModel(page)
  const app = editor(page)
  await app.place('Agent', 200, 150)
  await expect(page.getByRole('status', { name: 'Saved on the server' })).toBeVisible()
  await page.getByRole('button', { name: 'Menu', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Use as thumbnail' }).click()
  await expect(page.getByText('The cover of this file is now this canvas.')).toBeVisible()
  const id = new URL(page.url()).pathname.split('/').at(-1)
  const cover = await page.request.get(`/api/files/${id}/cover`)
  expect(cover.status()).toBe(200)
  expect(cover.headers()['content-type']).toContain('image/jpeg')
  expect((await cover.body()).length).toBeGreaterThan(2000)
})

test('by the keyboard alone: walk, move, go in and out, zoom, and find every key in the sheet', async ({ page }) => {
  // Going in and out is shown as it is to most people.
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await continueOnDevice(page)
  await openSample(page, 'Clinic')
  const app = editor(page)
  const zoom = page.getByRole('group', { name: 'Zoom' })
  await app.canvas.focus()
  await page.keyboard.press('0')
  await expect(zoom.getByText('100%')).toBeVisible()
  await page.keyboard.press('+')
  await expect(zoom.getByText('125%')).toBeVisible()
  await page.keyboard.press('1')
  const tree = await app.outline()
  await tree.getByRole('treeitem', { name: /Visit/ }).click()
  await app.canvas.focus()
  await page.keyboard.press('Enter')
  const path = page.getByRole('navigation', { name: 'Canvases' })
  await expect(path.getByRole('button', { name: /Visit/ })).toHaveAttribute('aria-current', 'page')
  await page.keyboard.press('Tab')
  await expect(app.inspector.getByRole('heading', { name: /Arrive/ })).toBeVisible()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Alt+ArrowUp')
  await expect(path.getByRole('button', { name: /Visit/ })).toHaveCount(0)
  await page.keyboard.press('?')
  const sheet = page.getByRole('dialog', { name: 'Keyboard and pointer' })
  for (const words of ['Group', 'Ungroup', 'Lock', 'Unlock', 'Full screen', 'Put into a flow', 'Add a picture'])
    await expect(sheet.getByText(words, { exact: true })).toBeVisible()
})

test('whoever is followed leads: their canvas and all that they see', async ({ browser, baseURL }) => {
  const [a, b] = [await openContext(browser), await openContext(browser)]
  await a.goto(baseURL ?? '')
  await signIn(a)
  await newModel(a)
  await editor(a).place('Process', 300, 200)
  await expect(a.getByRole('status', { name: 'Saved on the server' })).toBeVisible()
  await b.goto(baseURL ?? '')
  await signIn(b)
  await b.goto(a.url())
  await expect(editor(b).canvas).toBeVisible()
  await b.getByRole('button', { name: /^Follow/ }).click()
  await editor(a).canvas.focus()
  await a.keyboard.press('Enter')
  await expect(b.getByRole('navigation', { name: 'Canvases' }).getByRole('button', { name: /Process/ })).toBeVisible()
  for (let i = 0; i < 3; i++) await a.keyboard.press('+')
  const shown = await a.getByRole('group', { name: 'Zoom' }).getByText(/%/).textContent()
  await expect(b.getByRole('group', { name: 'Zoom' }).getByText(shown ?? '')).toBeVisible()
  // A look of one's own ends it.
  await editor(b).canvas.focus()
  await b.keyboard.press('-')
  await expect(b.getByRole('button', { name: /^Follow/ })).toBeVisible()
  await a.context().close()
  await b.context().close()
})

test('a panel that cannot be loaded says so in its place, leaves the rest alone, and comes when it is asked for again', async ({
  browser,
}) => {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en-US', serviceWorkers: 'block' })
  const page = await context.newPage()
  const outline = '**/assets/Outline-*.js*'
  await page.route(outline, route => route.abort())
  await continueOnDevice(page)
  await newModel(page)
  const app = editor(page)
  await app.place('Agent', 200, 150)
  await expect(app.inspector.getByRole('textbox', { name: 'Name', exact: true })).toHaveValue('Agent1')
  const tree = await app.outline()
  const panel = page.getByRole('complementary', { name: 'Components and outline' })
  await expect(panel.getByRole('alert')).toContainText('The network is slow or gone')
  await expect(app.canvas).toBeVisible()
  await page.unroute(outline)
  await panel.getByRole('button', { name: 'Try again' }).click()
  await expect(panel.getByRole('alert')).toHaveCount(0)
  await expect(panel.getByRole('textbox', { name: 'Search the outline' })).toBeVisible()
  await expect(tree.getByRole('treeitem', { name: /Agent1/ })).toBeVisible()
  await context.close()
})
