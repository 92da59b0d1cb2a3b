// An experiment from a sample: started, looked at, the page loaded again in the middle, continued, exported; one of its runs opened in the model.
import { execFile } from 'node:child_process'
import { mkdtemp, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test, type Page } from 'playwright/test'
import { continueOnDevice, files, openContext, signIn, watchErrors } from '../app.ts'

const progress = (page: Page) => page.getByTestId('progress')
const done = async (page: Page): Promise<number> => Number(await progress(page).getAttribute('data-done'))
const ended = (page: Page, status: string) => expect(progress(page)).toHaveAttribute('data-status', status, { timeout: 120_000 })

async function csvOf(page: Page): Promise<string> {
  await page.getByTestId('export').click()
  const [saved] = await Promise.all([page.waitForEvent('download'), page.getByText('All runs as CSV').click()])
  return (await readFile(await saved.path(), 'utf8')).replace(/^\uFEFF/, '')
}

/** The same experiment on the command line. */
async function csvOnCommandLine(): Promise<string> {
  const root = new URL('../../../', import.meta.url)
  const file = join(await mkdtemp(join(tmpdir(), 'holarchy-journey-')), 'runs.csv')
  const study = 'model-schema/samples/experiments/inventory-policy.holo'
  await promisify(execFile)(process.execPath, ['sim-engine/cli.ts', 'experiment', study, '--csv', file], { cwd: root })
  return readFile(file, 'utf8')
}

test('a sample experiment: start, reload in the middle, continue, results, export, one run opened, one shown on a dashboard', async ({
  page,
  context,
}) => {
  // Hundreds of runs on whatever machine this is.
  test.slow()
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
  await expect(progress(page)).toHaveAttribute('data-status', 'finished', { timeout: 120_000 })
  expect(Number(await progress(page).getAttribute('data-done'))).toBeGreaterThan(before)

  await expect(page.getByRole('table', { name: 'Best point' })).toBeVisible()
  await page.getByRole('tab', { name: 'Table', exact: true }).click()
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
  await model.close()

  // A dashboard of the same model shows one of its runs.
  await page.goto('/workspace/device/project')
  await files(page).begin('Dashboard', 'Stock')
  await page.waitForURL(/\/file\//)
  await page.getByRole('main').getByRole('combobox', { name: 'Model' }).click()
  await page.keyboard.press('Enter')
  const add = page.getByRole('complementary', { name: 'Add' })
  await add.getByRole('button', { name: 'Line' }).click()
  await add.getByRole('list').getByRole('button').nth(1).click()
  await page.getByRole('complementary', { name: 'Properties' }).getByRole('button', { name: 'Show a run of an experiment…' }).click()
  const runs = page.getByRole('dialog').getByRole('table', { name: 'All runs' })
  await runs.getByTitle('Show this run').nth(2).click()
  await page
    .getByRole('toolbar', { name: 'Run controls' })
    .getByRole('button', { name: /^Run 2 of .*, made again$/ })
    .click()
  await expect(page.getByText('It came out exactly as the experiment stored it.')).toBeVisible()
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
  await expect(plan.getByText('Changes to the model are followed.')).toBeVisible()
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

test('on the server: followed by a page that was loaded again, ended, the numbers of the page and of the command line; kept there for others', async ({
  page,
  browser,
}) => {
  // The same runs are made four times over.
  test.slow()
  const errors = watchErrors(page)
  await signIn(page)
  await page.getByRole('button', { name: /When and how much to order/ }).click()
  await expect(page).toHaveURL(/\/experimenting\//)
  await page.getByTestId('start-server').click()
  await expect.poll(() => done(page), { timeout: 120_000 }).toBeGreaterThan(0)
  await page.reload()
  await expect(progress(page)).toHaveAttribute('data-where', 'server')
  await ended(page, 'finished')
  const onServer = await csvOf(page)

  await page.getByTestId('start').click()
  await ended(page, 'running')
  await ended(page, 'finished')
  expect(await csvOf(page)).toBe(onServer)
  expect(await csvOnCommandLine()).toBe(onServer)

  // A hundred times as long, so that it has not ended by itself when it is stopped.
  const most = page.getByRole('spinbutton', { name: 'Most runs' })
  await most.fill('100000')
  await most.press('Tab')
  await page.getByTestId('start-server').click()
  await ended(page, 'running')
  const newest = async (): Promise<string | undefined> => {
    const { jobs }: { jobs: { state: string }[] } = await (await page.request.get('/api/jobs')).json()
    return jobs[0]?.state
  }
  await expect.poll(newest, { timeout: 120_000 }).toBe('running')
  await page.getByTestId('stop').click()
  await ended(page, 'stopped')
  await expect.poll(newest).toBe('cancelled')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(most).toHaveValue('1000')

  await page.getByRole('tab', { name: /History/ }).click()
  await page.getByTestId('upload').nth(1).click()
  await expect(page.getByTestId('remote').getByRole('row', { name: /finished/ })).toHaveCount(1)

  // On another device.
  const other = await openContext(browser)
  await signIn(other)
  await other.goto(page.url())
  // The one that was cancelled is not offered; the other can be fetched as the server conducted it.
  await expect(other.getByTestId('jobs').getByRole('row')).toHaveCount(1)
  await other.getByTestId('follow').click()
  await ended(other, 'finished')
  expect(await csvOf(other)).toBe(onServer)
  await other.getByRole('tab', { name: /History/ }).click()
  await other.getByTestId('download').click()
  await other.locator('button:enabled', { hasText: 'Show' }).click()
  await ended(other, 'finished')
  expect(await csvOf(other)).toBe(onServer)
  await other.context().close()
  expect(errors).toEqual([])
})

test('a tab that is killed in the middle: another goes on, and finds what one alone would; its runs are joined to a table from a file', async ({
  page,
  context,
}) => {
  await continueOnDevice(page)
  await page.getByRole('button', { name: /When and how much to order/ }).click()
  await page.getByTestId('start').click()
  await expect.poll(() => done(page)).toBeGreaterThan(60)
  const url = page.url()
  const crashed = page.waitForEvent('crash')
  void context
    .newCDPSession(page)
    .then(session => session.send('Page.crash'))
    .catch(() => {})
  await crashed

  const next = await context.newPage()
  const errors = watchErrors(next)
  await next.goto(url)
  await expect(next.getByTestId('start')).toHaveText('Continue')
  expect(await done(next)).toBeGreaterThan(0)
  await next.getByTestId('start').click()
  await ended(next, 'finished')
  const csv = await csvOf(next)
  expect(csv).toBe(await csvOnCommandLine())

  await next.getByRole('tab', { name: 'Data tables' }).click()
  await next.getByRole('button', { name: 'New data table' }).click()
  const rows = csv.trim().split('\n').length - 1
  await expect(next.getByText(`${rows.toLocaleString('en-US')} rows`)).toBeVisible()
  await next
    .getByTestId('import-table')
    .setInputFiles({ name: 'costs.csv', mimeType: 'text/csv', buffer: Buffer.from('place,label\n0,first\n1,second\n9999,nowhere\n') })
  await next.getByRole('button', { name: 'Join a table' }).click()
  const pick = async (label: string, option: string): Promise<void> => {
    await next.getByRole('combobox', { name: label, exact: true }).last().click()
    await next.locator('.ant-select-dropdown:visible .ant-select-item-option').filter({ hasText: option }).first().click()
  }
  await pick('Related table', 'costs.csv')
  await pick('Main field', 'point')
  await pick('Related field', 'place')
  await pick('Join type', 'Right')
  // Each run of a place that is named, and one row for each that was never run.
  const runsAt = (point: number): number => csv.split('\n').filter(line => line.split(',')[1] === String(point)).length
  const joined = [0, 1, 9999].reduce((sum, point) => sum + Math.max(1, runsAt(point)), 0)
  await expect(next.getByText(`${joined.toLocaleString('en-US')} rows`)).toBeVisible()
  await expect(next.getByRole('columnheader', { name: 'label' })).toBeVisible()
  await next.getByTestId('export-table').click()
  const [saved] = await Promise.all([next.waitForEvent('download'), next.getByText('As Parquet', { exact: true }).click()])
  expect((await readFile(await saved.path())).subarray(0, 4).toString()).toBe('PAR1')
  expect(errors).toEqual([])
})
