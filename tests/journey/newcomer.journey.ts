// What a new user does first, with the number of interactions it takes them: a click, a drag, a key or a text typed in one go is one.
import { expect, test, type Locator, type Page } from 'playwright/test'
import { continueOnDevice, editor, newModel, watchErrors } from './app.ts'

/** Does things as a person, and counts them. */
function hand(page: Page) {
  let count = 0
  let typed = 0
  const once = async (act: Promise<unknown>): Promise<void> => {
    count++
    await act
  }
  return {
    get count() {
      return count
    },
    /** Texts that were typed: names and formulas. */
    get typed() {
      return typed
    },
    click: (what: Locator, at?: { x: number; y: number }) => once(what.click(at ? { position: at } : {})),
    press: (key: string) => once(page.keyboard.press(key)),
    type(text: string) {
      typed++
      return once(page.keyboard.type(text))
    },
    drag: (what: Locator, onto: Locator, at?: { x: number; y: number }) => once(what.dragTo(onto, at ? { targetPosition: at } : {})),
  }
}

test('clinic: two servers, a chart of the queue and a slider for the arrival rate run after six interactions, without a formula', async ({
  page,
}) => {
  const errors = watchErrors(page)
  await continueOnDevice(page)
  await newModel(page)
  const app = editor(page)
  const person = hand(page)
  // An empty model is no mistake.
  await expect(page.getByRole('region', { name: 'Start a model' })).toBeVisible()
  await expect(app.panel.getByRole('tab', { name: /Problems/ })).toHaveText(/^Problems\s*0?$/)

  await person.click(page.getByRole('region', { name: 'Start a model' }).getByRole('button', { name: /^Queue/ }))
  await expect(page.getByRole('region', { name: 'Start a model' })).toHaveCount(0)
  const servers = page.getByRole('slider', { name: 'Number of servers' })
  await expect(servers).toHaveAttribute('aria-valuenow', '1')
  await person.click(servers)
  await person.press('ArrowRight')
  await expect(servers).toHaveAttribute('aria-valuenow', '2')
  const rate = page.getByRole('slider', { name: 'Arrival rate' })
  await expect(rate).toHaveAttribute('aria-valuenow', '0.8')
  await person.click(rate)
  await person.press('End')
  await expect(rate).toHaveAttribute('aria-valuenow', '3')
  const chart = page.getByRole('region', { name: 'Waiting', exact: true })
  await expect(chart).toBeVisible()
  await person.click(app.run.getByRole('button', { name: 'Play' }))
  await expect(app.tick()).toHaveText(/tick\s*\d{2}/)
  // Three arrive while two are served: the queue grows.
  await expect(chart.getByRole('button', { name: /^waiting/ }).getByRole('status')).toHaveText(/^\d{2}|^\d,/)
  await expect(page.getByRole('region', { name: 'On average' })).toContainText(/mean queue\s*[1-9]/)
  expect(person.count).toBeLessThanOrEqual(6)
  expect(person.typed).toBe(0)

  // The button that pauses is where the one that plays was.
  const play = await app.run.getByRole('button', { name: 'Pause' }).boundingBox()
  await app.run.getByRole('button', { name: 'Pause' }).click()
  await expect(app.run.getByRole('button', { name: 'Play' })).toBeVisible()
  expect(await app.run.getByRole('button', { name: 'Play' }).boundingBox()).toEqual(play)
  expect(errors).toEqual([])
})

test('process: start, gateway, two activities, join and end take eight interactions', async ({ page }) => {
  await continueOnDevice(page)
  await newModel(page)
  const app = editor(page)
  const person = hand(page)
  await person.drag(app.left.getByRole('button', { name: 'Process', exact: true }), app.canvas, { x: 300, y: 80 })
  await person.press('Enter')
  // It has a start and an end already, and nothing is wrong with it.
  await expect(app.panel.getByRole('tab', { name: /Problems/ })).toHaveText(/^Problems\s*0?$/)
  await person.click(app.left.getByRole('button', { name: 'Two branches', exact: true }))
  await person.click(app.canvas, await betweenStartAndEnd(page))
  expect(person.count).toBeLessThanOrEqual(8)
  const outline = await app.outline()
  for (const name of [/Start/, /Choice/, /First/, /Second/, /Join/, /End/])
    await expect(outline.getByRole('treeitem', { name })).toHaveCount(1)
})

test('words: the palette finds by the words of other tools, and says where things stand', async ({ page }) => {
  await continueOnDevice(page)
  await newModel(page)
  const app = editor(page)
  const search = app.left.getByRole('textbox', { name: 'Search components' })
  await search.fill('staff')
  await expect(app.left.getByRole('button', { name: /^Resource pool/ })).toBeVisible()
  await search.fill('seize')
  await expect(app.left.getByRole('list', { name: 'On other canvases' })).toContainText('inside a process')
  await search.fill('resource')
  await app.left.getByRole('button', { name: /^Resource pool/ }).dblclick()
  await expect(app.inspector.getByRole('heading', { name: /Resource pool/ })).toBeVisible()
  await expect(app.inspector.getByRole('switch', { name: 'Reusable' })).toBeChecked()
})

test('commands: Ctrl+K adds, finds and runs', async ({ page }) => {
  await continueOnDevice(page)
  await newModel(page)
  const app = editor(page)
  await app.canvas.focus()
  await page.keyboard.press('ControlOrMeta+k')
  await page.getByRole('combobox', { name: /Find a command/ }).fill('random walkers')
  await page.keyboard.press('Enter')
  await expect(app.inspector.getByRole('heading', { name: /Walker/ })).toBeVisible()
  await page.keyboard.press('ControlOrMeta+k')
  await page.getByRole('combobox', { name: /Find a command/ }).fill('random walk')
  await page
    .getByRole('group', { name: 'Go to' })
    .getByRole('option', { name: /Random walk/ })
    .click()
  await expect(page.getByRole('navigation', { name: 'Canvases' }).getByRole('button', { name: /Walker/ })).toBeVisible()
  await app.canvas.focus()
  await page.keyboard.press('ControlOrMeta+k')
  await page.getByRole('combobox', { name: /Find a command/ }).fill('play or pause')
  await page.keyboard.press('Enter')
  await expect(app.tick()).toHaveText(/tick\s*\d{2}/)
})

for (const size of [
  { width: 1440, height: 900 },
  { width: 1366, height: 768 },
  { width: 900, height: 520 },
])
  test(`menus: the menu of an element is whole in a window of ${size.width} x ${size.height}, wherever it is opened`, async ({ page }) => {
    await page.setViewportSize(size)
    await continueOnDevice(page)
    await newModel(page)
    const app = editor(page)
    await page
      .getByRole('region', { name: 'Start a model' })
      .getByRole('button', { name: /^Queue/ })
      .click()
    const canvas = (await app.canvas.boundingBox())!
    for (const [across, down] of [
      [0.3, 0.2],
      [0.5, 0.5],
      [0.95, 0.95],
    ] as const) {
      await page.mouse.click(canvas.x + canvas.width * across, canvas.y + canvas.height * down, { button: 'right' })
      const menu = page.getByRole('menu').first()
      await expect(menu).toBeVisible()
      const inside = async (): Promise<boolean> => {
        const box = (await menu.boundingBox())!
        return box.x >= 0 && box.y >= 0 && box.x + box.width <= size.width && box.y + box.height <= size.height
      }
      await expect.poll(inside).toBe(true)
      await page.keyboard.press('Escape')
      await expect(menu).toBeHidden()
    }
  })

/** A point on the flow of a process that is as it was born. */
async function betweenStartAndEnd(page: Page): Promise<{ x: number; y: number }> {
  const canvas = (await editor(page).canvas.boundingBox())!
  return { x: canvas.width / 2, y: canvas.height / 2 }
}

test('tutorial: goes on by itself as the document shows that a step is done', async ({ page }) => {
  await continueOnDevice(page)
  await newModel(page)
  const app = editor(page)
  await page.getByRole('button', { name: 'Your first model, step by step' }).click()
  const coach = page.getByRole('complementary', { name: 'A clinic' })
  await expect(coach).toContainText('1/5')
  await page
    .getByRole('region', { name: 'Start a model' })
    .getByRole('button', { name: /^Queue/ })
    .click()
  await expect(coach).toContainText('4/5')
  await app.run.getByRole('button', { name: 'Play' }).click()
  await expect(coach).toContainText('5/5')
  await coach.getByRole('button', { name: 'Continue' }).click()
  await expect(coach).toContainText('Done.')
})

test('help: from the workspace a tutorial opens in a model of its own; the help page begins with questions', async ({ page, context }) => {
  await continueOnDevice(page)
  const help = page.getByRole('button', { name: 'Help' })
  await help.hover()
  await expect(page.getByRole('tooltip')).toHaveText('Help')
  // The name of the button does not lie over what it opened.
  await help.click()
  await expect(page.getByRole('menuitem', { name: 'Get started' })).toBeVisible()
  await expect(page.getByRole('tooltip')).toHaveCount(0)
  await page.getByRole('menuitem', { name: 'Get started' }).hover()
  await page.getByRole('menuitem', { name: 'Tutorial: First agents' }).click()
  await expect(page.getByRole('complementary', { name: 'First agents' })).toContainText('1/')
  await expect(page).toHaveURL(/\/modeling\/device\/[^#]+$/)
  await page.getByRole('button', { name: 'Menu', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Help' }).hover()
  const opened = context.waitForEvent('page')
  await page.getByRole('menuitem', { name: 'How do I …' }).click()
  const docs = await opened
  await expect(docs.getByRole('heading', { name: 'How do I model a queue?' })).toBeAttached()
  await expect(docs.getByRole('heading', { level: 2 }).first()).toHaveText(/Get started/)
})

test('properties: a flow shows what the step before it reads, and a blank field of a timer what blank means', async ({ page }) => {
  const errors = watchErrors(page)
  await continueOnDevice(page)
  await newModel(page)
  const app = editor(page)
  await app.place('Process', 300, 120)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('navigation', { name: 'Canvases' }).getByRole('button', { name: /Process/ })).toBeVisible()
  const between = await betweenStartAndEnd(page)
  const field = (name: string): Locator => app.inspector.getByRole('textbox', { name, exact: true })
  const flow = async (at: { x: number; y: number }): Promise<void> => {
    await app.canvas.click({ position: at })
    await expect(app.inspector).toContainText('Sequence flow')
  }

  // A start leads on without asking.
  await flow(between)
  await expect(field('Condition')).toHaveCount(0)
  await expect(field('Probability')).toHaveCount(0)

  // A gateway decides by conditions, or by chance.
  await app.left.getByRole('button', { name: 'Exclusive gateway', exact: true }).click()
  await app.canvas.click({ position: between })
  const after = { x: between.x + 65, y: between.y }
  await flow(after)
  await expect(field('Condition')).toBeVisible()
  await expect(field('Probability')).toHaveCount(0)
  await app.canvas.click({ position: between })
  await app.inspector.getByRole('combobox', { name: 'Branches by' }).click()
  await page.getByTitle('Probability', { exact: true }).click()
  await flow(after)
  await expect(field('Probability')).toBeVisible()
  await expect(field('Condition')).toHaveCount(0)

  await app.place('Timer start', 120, 60)
  for (const [name, blank] of [
    ['First at', 'after one interval'],
    ['Stop after', 'no limit'],
    ['Only at these times', 'the interval counts'],
  ] as const)
    await expect(field(name)).toHaveText(blank)
  expect(errors).toEqual([])
})
