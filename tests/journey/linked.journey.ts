// A variable gets another name: files about its model, which know it by name only, follow once a person agrees.
import { expect, test } from 'playwright/test'
import { editor, files, openSample, register, watchErrors } from './app.ts'

test('an experiment, a dashboard and a chart of a model follow a new name of a variable', async ({ page }) => {
  const errors = watchErrors(page)
  await register(page, 'Linus')
  await openSample(page, 'Wolves')
  const model = page.url()
  const app = editor(page)
  await page.getByRole('button', { name: 'Menu', exact: true }).click()
  await page.getByRole('menuitem', { name: 'New experiment' }).click()
  await page.waitForURL(/\/experimenting\//)
  const experiment = page.url()
  const plan = page.getByRole('complementary', { name: 'Plan' })
  await plan.getByRole('button', { name: 'Add a response', exact: true }).click()
  await plan.getByRole('textbox', { name: 'Expression' }).click()
  await page.keyboard.type('grass / 4')
  await expect(plan.getByRole('textbox', { name: 'Expression' })).toHaveText('grass / 4')
  await expect(page.getByRole('status', { name: 'Saved on the server' })).toBeVisible()

  const list = files(page)
  const made = async (kind: string, name: string): Promise<string> => {
    await page.goto('/workspace/recent')
    await list.open()
    await list.begin(kind, name)
    await page.getByRole('main').getByRole('combobox', { name: 'Model' }).click()
    await page.keyboard.press('Enter')
    return page.url()
  }
  await made('Dashboard', 'Meadow')
  await page.getByRole('complementary', { name: 'Add' }).getByRole('button', { name: 'Line' }).click()
  const properties = page.getByRole('complementary', { name: 'Properties' })
  await expect(properties.getByText('grass', { exact: true }).first()).toBeVisible()
  await expect(page.getByRole('status', { name: 'Saved on the server' })).toBeVisible()
  const chart = await made('Chart', 'Flocks')
  const metrics = page.getByRole('region', { name: 'Shelves' }).getByRole('group', { name: 'Metrics', exact: true })
  await expect(metrics.getByRole('button', { name: 'grass on Metrics' })).toBeVisible()
  await expect(page.getByRole('status', { name: 'Saved on the server' })).toBeVisible()

  await page.goto(model)
  // Tall enough for all of the outline.
  await page.setViewportSize({ width: 1440, height: 1400 })
  await (await app.outline()).getByRole('treeitem', { name: 'grass', exact: true }).click()
  const name = app.inspector.getByRole('textbox', { name: 'Name', exact: true })
  await name.fill('pasture')
  await name.press('Enter')
  const offer = page.getByRole('alert').filter({ hasText: 'Linked files still say “grass”' })
  for (const file of ['Experiment with', 'Meadow', 'Flocks']) await expect(offer).toContainText(file)
  await offer.getByRole('button', { name: 'Say “pasture” there' }).click()
  await expect(page.getByText('Updated 3 linked files.')).toBeVisible()

  await page.goto(experiment)
  await expect(plan.getByRole('textbox', { name: 'Expression' })).toHaveText('pasture / 4')
  await page.goto(chart)
  await expect(metrics.getByRole('button', { name: 'pasture on Metrics' })).toBeVisible()
  expect(errors).toEqual([])
})
