// What is looked at is never covered, cut or out of the window, however small that is; and the first things that people try do what they expect.
import { readFile } from 'node:fs/promises'
import { expect, test, type Browser, type Locator, type Page } from 'playwright/test'
import { continueOnDevice, editor, newModel, openSample, watchErrors } from './app.ts'

const laptop = { width: 1366, height: 768 }
const phone = { width: 390, height: 844 }

type Box = { x: number; y: number; width: number; height: number }

const boxOf = async (what: Locator): Promise<Box> => (await what.boundingBox())!
const meet = (a: Box, b: Box): boolean =>
  a.x < b.x + b.width - 1 && b.x < a.x + a.width - 1 && a.y < b.y + b.height - 1 && b.y < a.y + a.height - 1

async function opened(browser: Browser, viewport: { width: number; height: number }, locale = 'en-US'): Promise<Page> {
  const context = await browser.newContext({ viewport, locale, reducedMotion: 'reduce' })
  return context.newPage()
}

test('a low window: the zoom stands beside the canvas, of the notes as much is seen as there is room for, all groups of the palette are there', async ({
  browser,
}) => {
  const page = await opened(browser, laptop)
  await continueOnDevice(page)
  await openSample(page, 'Wolves')
  const app = editor(page)
  await expect(app.run.getByRole('button', { name: 'Play' })).toBeEnabled()
  const canvas = await boxOf(app.canvas)
  expect(meet(await boxOf(page.getByRole('group', { name: 'Zoom' })), canvas)).toBe(false)
  // The cards begin at the top, so that what is below them begins higher.
  const world = await boxOf(page.getByRole('region', { name: 'Meadow view' }))
  expect(world.y - canvas.y).toBeLessThan(48)
  // The zoom does what it did.
  await page.getByRole('button', { name: 'Zoom to 100% (0)' }).or(page.getByTitle('Zoom to 100% (0)')).first().click()
  await expect(page.getByRole('group', { name: 'Zoom' })).toContainText('100%')
  const folded = await boxOf(page.getByRole('group', { name: 'Zoom' }))
  await app.show('Problems')
  const fold = await boxOf(page.getByRole('button', { name: 'Fold the simulation panel' }))
  const zoom = await boxOf(page.getByRole('group', { name: 'Zoom' }))
  expect(zoom.x).toBe(folded.x)
  expect(meet(zoom, fold)).toBe(false)
  await page.context().close()
})

for (const [locale, begin] of [
  ['en-US', 'Continue on this device'],
  ['zh-CN', '在本设备上继续'],
] as const)
  test(`a low window: the palette shows all its groups at once and cuts no word, ${locale}`, async ({ browser }) => {
    const page = await opened(browser, laptop, locale)
    await page.goto('/')
    await page.getByRole('button', { name: begin }).click()
    await page.locator('[data-sample="clinic"]').click()
    await expect(page.locator('.h-palette section').last()).toBeVisible()
    const { outside, cut } = await page.evaluate(() => {
      const shown = document.querySelector('.h-palette')!.closest('.ant-tabs-content')!
      const words = [...document.querySelectorAll('.h-palette-item > span')]
      return {
        outside: shown.scrollHeight - shown.clientHeight,
        cut: words
          .filter(word => word.scrollHeight > word.clientHeight + 1 || word.scrollWidth > word.clientWidth + 1)
          .map(word => word.textContent),
      }
    })
    expect(outside).toBeLessThanOrEqual(0)
    expect(cut).toEqual([])
    await page.context().close()
  })

for (const size of [laptop, phone])
  test(`a dialog is whole in a window of ${size.width} x ${size.height}, and what is too long moves inside it`, async ({ browser }) => {
    const page = await opened(browser, size)
    await continueOnDevice(page)
    await newModel(page)
    await editor(page).canvas.focus()
    await page.keyboard.press('?')
    const dialog = page.getByRole('dialog', { name: 'Keyboard and pointer' })
    await expect(dialog).toBeVisible()
    const body = dialog.locator('.ant-modal-container')
    const { y, height, x, width } = await boxOf(body)
    expect(y).toBeGreaterThanOrEqual(0)
    expect(y + height).toBeLessThanOrEqual(size.height)
    expect(x).toBeGreaterThanOrEqual(0)
    expect(x + width).toBeLessThanOrEqual(size.width)
    await dialog.getByText('Add a picture').scrollIntoViewIfNeeded()
    await expect(dialog.getByText('Add a picture')).toBeInViewport()
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    await page.context().close()
  })

test('a phone: how a run ended has a line of its own in the bar, over nothing; an empty model shows all its beginnings', async ({
  browser,
}) => {
  const page = await opened(browser, phone)
  const errors = watchErrors(page)
  await continueOnDevice(page)
  await openSample(page, 'Segregation')
  const { run } = editor(page)
  const play = await boxOf(run.getByRole('button', { name: 'Play', exact: true }))
  await run.getByRole('button', { name: 'Play', exact: true }).click()
  const status = run.getByRole('status').filter({ hasText: 'Finished' })
  await expect(status).toBeVisible()
  const said = await boxOf(status)
  expect(meet(said, await boxOf(page.getByRole('main', { name: 'Run view' })))).toBe(false)
  expect(said.x + said.width).toBeLessThanOrEqual(phone.width)
  // The button is where it was.
  expect(await boxOf(run.getByRole('button', { name: 'Play again', exact: true }))).toEqual(play)

  await page.goto('/')
  await newModel(page)
  const starts = page.getByRole('region', { name: 'Start a model' })
  await expect(starts.getByRole('button', { name: /^Network/ })).toBeInViewport({ ratio: 1 })
  await expect(starts.getByRole('link', { name: 'Read how it works' })).toBeInViewport({ ratio: 1 })
  expect(errors).toEqual([])
  await page.context().close()
})

test('a copy of a sample in Chinese has Chinese names, notes, charts and controls', async ({ browser }) => {
  test.slow()
  const page = await opened(browser, { width: 1440, height: 900 }, 'zh-CN')
  const errors = watchErrors(page)
  await page.goto('/')
  await page.getByRole('button', { name: '在本设备上继续' }).click()
  for (const id of ['clinic', 'wolf-sheep', 'token-pool']) {
    const texts: Record<string, string> = JSON.parse(
      await readFile(new URL(`../../model-schema/samples/zh/${id}.json`, import.meta.url), 'utf8'),
    )
    await page.goto('/')
    await page.locator(`[data-sample="${id}"]`).click()
    await page.waitForURL(/\/modeling\//)
    await page.getByRole('tab', { name: '大纲' }).click()
    const tree = page.getByRole('tree')
    await expect(tree.getByRole('treeitem').nth(3)).toBeVisible()
    const names = await tree.getByRole('treeitem').allInnerTexts()
    const english = new Set(Object.entries(texts).flatMap(([text, chinese]) => (text === chinese ? [] : [text])))
    expect(names.filter(name => english.has(name.trim()))).toEqual([])
    expect(names.some(name => Object.values(texts).includes(name.trim()))).toBe(true)
    // Cards say what they show and set in Chinese.
    await expect(
      page
        .getByRole('slider')
        .or(page.getByRole('region', { name: texts['Price of Gold in Cash'] ?? '-' }))
        .first(),
    ).toBeVisible()
    const cards = await page
      .getByRole('main')
      .getByRole('region')
      .evaluateAll(all => all.map(card => card.getAttribute('aria-label') ?? ''))
    expect(cards.length).toBeGreaterThan(0)
    expect(cards.filter(name => english.has(name))).toEqual([])
    const sliders = await page.getByRole('slider').evaluateAll(all => all.map(one => one.getAttribute('aria-label') ?? ''))
    expect(sliders.filter(name => english.has(name))).toEqual([])
  }
  expect(errors).toEqual([])
  await page.context().close()
})

test('what is pasted lands under the pointer and is seen; a group says so', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const errors = watchErrors(page)
  await continueOnDevice(page)
  await openSample(page, 'Clinic')
  const app = editor(page)
  const tree = await app.outline()
  await tree.getByRole('treeitem', { name: 'Nurses', exact: true }).click()
  await app.canvas.focus()
  await page.keyboard.press('Control+c')
  const box = await boxOf(app.canvas)
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
  // Far from what was copied.
  for (let i = 0; i < 8; i++) await page.mouse.wheel(0, 400)
  await page.keyboard.press('Control+v')
  await expect(tree.getByRole('treeitem', { name: 'Nurses2' })).toBeVisible()
  await page.keyboard.press('Control+d')
  await page.keyboard.press('Control+a')
  await expect(app.inspector.getByRole('heading', { name: /elements/ })).toBeVisible()
  await page.keyboard.press('Control+g')
  await expect(app.inspector.getByRole('heading', { name: /^Group of \d+ elements/ })).toBeVisible()
  expect(errors).toEqual([])
})

test('a slider shows the value of any variable it sets, in a range that suits it; a full bar is busy, and amber once somebody waits', async ({
  page,
}) => {
  const errors = watchErrors(page)
  await continueOnDevice(page)
  await newModel(page)
  const app = editor(page)
  await app.place('Variable', 120, 560)
  await app.formula('Initial value', '1.5')
  await app.place('Slider', 120, 440)
  await app.inspector.getByRole('combobox', { name: 'Variable' }).click()
  await page.keyboard.press('Enter')
  const slider = page.getByRole('slider').first()
  await expect(slider).toHaveAttribute('aria-valuenow', '1.5')
  await expect(slider).toHaveAttribute('aria-valuemax', '3')
  // A place that was chosen in the palette shows that it was.
  await app.left.getByRole('button', { name: 'Agent', exact: true }).click()
  await expect(page.getByText('Click the canvas to place it, Esc to stop')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByText('Click the canvas to place it, Esc to stop')).toBeHidden()
  expect(errors).toEqual([])
})

test('properties stay where they are while one goes through them by Tab, from field to field; the end of a run is said in its place alone', async ({
  page,
}) => {
  const errors = watchErrors(page)
  await continueOnDevice(page)
  await openSample(page, 'Clinic')
  const app = editor(page)
  const tree = await app.outline()
  await tree.getByRole('treeitem', { name: /Visit/ }).first().click()
  await app.canvas.focus()
  await page.keyboard.press('Enter')
  await tree
    .getByRole('treeitem', { name: /Arrive/ })
    .first()
    .click()
  const fields = app.inspector.locator('input, [role="textbox"]')
  const last = app.inspector.getByRole('textbox', { name: 'Only at these times' })
  await expect(last).toBeVisible()
  const places = (): Promise<number[]> => fields.evaluateAll(all => all.map(one => Math.round(one.getBoundingClientRect().y)))
  const before = await places()
  const name = app.inspector.getByRole('textbox', { name: 'Name', exact: true })
  await name.click()
  await expect(name).toBeFocused()
  const stops: string[] = []
  while (!stops.includes('Only at these times') && stops.length < 12) {
    await page.keyboard.press('Tab')
    stops.push(await page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? ''))
    expect(await places()).toEqual(before)
  }
  expect(stops).toContain('First at')
  expect(stops).toContain('Only at these times')
  expect(stops.filter(name => /help|what is/i.test(name))).toEqual([])
  // It has no frame that was not asked for.
  await page.goto('/')
  await openSample(page, 'Segregation')
  await expect(app.canvas).toBeFocused()
  expect(await app.canvas.evaluate(element => getComputedStyle(element).outlineStyle)).toBe('none')
  await app.run.getByRole('button', { name: 'Play' }).click()
  await expect(app.run.getByText(/^Finished/)).toBeVisible()
  await expect(page.locator('.ant-notification-notice, .ant-message-notice')).toHaveCount(0)
  expect(errors).toEqual([])
})
