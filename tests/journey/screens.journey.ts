// Every screen can be used without a mouse or eyes: no serious finding of axe, in light and dark, wide and narrow.
import { AxeBuilder } from '@axe-core/playwright'
import { expect, test, type Page } from 'playwright/test'
import { bundleFigures } from '../bench/bundle.ts'
import { continueOnDevice, editor, openSample } from './app.ts'

/** Serious and critical findings on a page, or in what a selector finds there, as rule and place. */
async function findings(page: Page, within?: string): Promise<string[]> {
  const axe = new AxeBuilder({ page })
  const { violations } = await (within === undefined ? axe : axe.include(within)).analyze()
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(node => `${id} ${node.target.join(' ')}`))
}

for (const colorScheme of ['light', 'dark'] as const) {
  test(`axe finds nothing serious, ${colorScheme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme })
    await page.goto('/login')
    await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
    expect(await findings(page)).toEqual([])
    await continueOnDevice(page)
    expect(await findings(page)).toEqual([])
    await openSample(page, 'Clinic')
    await expect(editor(page).run.getByRole('button', { name: 'Play' })).toBeEnabled()
    expect(await findings(page)).toEqual([])
  })
}

test('axe finds nothing serious in any panel or dialog of the editor', async ({ page }) => {
  await continueOnDevice(page)
  await openSample(page, 'Clinic')
  const app = editor(page)
  await expect(app.run.getByRole('button', { name: 'Play' })).toBeEnabled()
  const found: string[] = []
  // The page around a part is looked at once: what axe does with a whole editor takes ten seconds.
  const look = async (where: string, within?: string): Promise<void> => {
    for (const finding of await findings(page, within)) found.push(`${where}: ${finding}`)
  }
  await look('editor')
  for (const tab of [
    'Problems',
    'Output',
    'Variables',
    'Individuals',
    'Inputs',
    'Breakpoints',
    'Locals',
    'Call stack',
    'Profiler',
    'Compare',
    'References',
  ]) {
    await app.show(tab)
    await expect(app.panel.getByRole('tab', { name: new RegExp(`^${tab}`) })).toHaveAttribute('aria-selected', 'true')
    await look(tab, 'section[aria-label="Simulation panel"]')
  }
  const tree = await app.outline()
  await look('outline', 'aside[aria-label="Components and outline"]')
  await tree.getByRole('treeitem', { name: /Visit/ }).click()
  await look('properties', 'aside[aria-label="Properties"]')
  await app.canvas.click({ position: { x: 300, y: 200 }, button: 'right' })
  await expect(page.getByRole('menu').first()).toBeVisible()
  await look('menu', '[role="menu"]')
  await page.keyboard.press('Escape')
  const dialog = async (name: string, open: () => Promise<void>): Promise<void> => {
    await open()
    await expect(page.getByRole('dialog', { name })).toBeVisible()
    await look(name, '[role="dialog"]')
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog', { name })).toBeHidden()
  }
  await app.canvas.focus()
  await dialog('Keyboard and pointer', () => page.keyboard.press('?'))
  const scenarios = async (entry: string): Promise<void> => {
    await page.getByRole('button', { name: 'Scenarios' }).click()
    await page.getByRole('menuitem', { name: entry }).click()
  }
  await scenarios('Duplicate')
  await dialog('Compare scenarios', () => scenarios('Compare scenarios'))
  await page.getByRole('button', { name: 'Comments', exact: true }).click()
  await expect(page.getByRole('region', { name: 'Comments' })).toBeVisible()
  await look('comments', 'aside[aria-label="Properties"]')
  await page.getByRole('button', { name: 'Version history' }).click()
  await expect(page.getByRole('heading', { name: /ersion/ }).first()).toBeVisible()
  await look('history')
  expect(found).toEqual([])
})

test('on a phone the workspace and a run fit the width', async ({ browser }) => {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, locale: 'en-US' })
  const page = await context.newPage()
  await continueOnDevice(page)
  const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  expect(await overflow()).toBeLessThanOrEqual(0)
  await openSample(page, 'Epidemic')
  // World, inputs and charts in one column; how the model is made is one step further.
  const view = page.getByRole('main', { name: 'Run view' })
  await expect(view.getByRole('application').first()).toBeVisible()
  await expect(view.getByRole('slider').first()).toBeVisible()
  await page.getByRole('button', { name: 'Play' }).first().click()
  await expect(page.getByRole('toolbar', { name: 'Run controls' })).toBeVisible()
  await expect(editor(page).tick()).toHaveText(/tick\s*\d{2}/)
  // What is drawn is said as well.
  await expect(view.getByRole('img', { name: /^People by state at tick [\d,]+: susceptible [\d,]+, / })).toBeVisible()
  await expect(view.getByRole('application').first()).toHaveAccessibleDescription(/^At tick [\d,]+: Person 2,000/)
  expect(await overflow()).toBeLessThanOrEqual(0)
  await expect(editor(page).canvas).toHaveCount(0)
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await expect(editor(page).canvas).toBeVisible()
  expect(await overflow()).toBeLessThanOrEqual(0)
  await context.close()
})

test('what a shared link loads before it is known what it opens stays below its bound', () => {
  const [figure] = bundleFigures(name => name === 'bundle/share-link')
  expect(figure?.value).toBeLessThan(figure?.baseline ?? 0)
})
