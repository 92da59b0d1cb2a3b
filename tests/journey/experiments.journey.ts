// An experiment from a sample: started, looked at, the page loaded again in the middle, continued, exported; one of its runs opened in the model.
import { readFile } from 'node:fs/promises'
import { expect, test, type Page } from 'playwright/test'
import { continueOnDevice, watchErrors } from './app.ts'

const progress = (page: Page) => page.getByTestId('progress')

test('a sample experiment: start, reload in the middle, continue, results, export, one run opened', async ({ page, context }) => {
  const errors = watchErrors(page)
  await continueOnDevice(page)
  await page.getByRole('button', { name: /When and how much to order/ }).click()
  await expect(page).toHaveURL(/\/experimenting\/device\//)
  await page.getByTestId('start').click()
  await expect.poll(async () => Number(await progress(page).getAttribute('data-done'))).toBeGreaterThan(40)

  await page.reload()
  await expect(page.getByTestId('start')).toHaveText('Continue')
  // What had been run is there again.
  await expect(progress(page)).toHaveAttribute('data-status', 'stopped')
  const before = Number(await progress(page).getAttribute('data-done'))
  expect(before).toBeGreaterThan(0)
  await page.getByTestId('start').click()
  await expect(progress(page)).toHaveAttribute('data-status', 'finished', { timeout: 90_000 })
  expect(Number(await progress(page).getAttribute('data-done'))).toBeGreaterThan(before)

  await expect(page.getByRole('table', { name: 'Best point' })).toBeVisible()
  await page.getByRole('tab', { name: 'Table' }).click()
  await expect(page.getByRole('table', { name: 'All runs' }).getByRole('row').nth(1)).toBeVisible()
  await page.getByTestId('export').click()
  const [saved] = await Promise.all([page.waitForEvent('download'), page.getByText('All runs as CSV').click()])
  const lines = (await readFile(await saved.path(), 'utf8')).trim().split('\n')
  expect(lines[0]).toContain('Reorder_below')
  expect(lines.length - 1).toBe(Number(await progress(page).getAttribute('data-done')))

  await page.getByRole('tab', { name: /History/ }).click()
  await expect(page.getByRole('row', { name: /finished/ })).toHaveCount(1)
  await page.getByRole('tab', { name: 'Best' }).click()
  const [model] = await Promise.all([context.waitForEvent('page'), page.getByRole('button', { name: 'Open this run' }).first().click()])
  await expect(
    model
      .getByRole('spinbutton', { name: /Seed/i })
      .or(model.getByRole('textbox', { name: /Seed/i }))
      .first(),
  ).not.toHaveValue('')
  expect(errors).toEqual([])
})

test('a new experiment is linked to a model for good, and the model can not be deleted then', async ({ page }) => {
  const errors = watchErrors(page)
  await continueOnDevice(page)
  await page.locator('[data-sample="clinic"]').click()
  await expect(page).toHaveURL(/\/modeling\/device\//)
  await page.getByRole('button', { name: 'Menu', exact: true }).click()
  await page.getByText('New experiment').click()
  await expect(page).toHaveURL(/\/experimenting\/device\//)
  const plan = page.getByRole('complementary', { name: 'Plan' })
  await expect(plan.getByRole('link', { name: 'Clinic' })).toBeVisible()
  await expect(plan.getByText('The linked model cannot be changed.')).toBeVisible()
  await expect(page.getByTestId('start')).toBeDisabled()
  await plan.getByRole('button', { name: 'Add a response', exact: true }).click()
  await plan.getByRole('textbox', { name: 'Expression' }).click()
  await page.keyboard.type('mean_wait')
  await plan.getByRole('heading', { name: 'Model' }).click()
  await expect(plan.getByText('Ready to start.')).toBeVisible()
  await page.getByTestId('start').click()
  await expect(progress(page)).toHaveAttribute('data-status', 'finished')

  await page.goto('/workspace/recent')
  const clinic = page
    .getByRole('main')
    .locator('li, tr')
    .filter({ has: page.locator('[data-file]').filter({ hasText: /^Clinic$/ }) })
  await clinic.click({ button: 'right' })
  await page.getByRole('menuitem', { name: /trash/i }).click()
  await expect(page.getByText(/experiment/i).last()).toBeVisible()
  await expect(clinic).toBeVisible()
  expect(errors).toEqual([])
})
