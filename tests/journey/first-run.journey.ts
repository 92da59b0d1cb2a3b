// A newcomer's first minutes, without an account: samples open, run, pause, step, start again, and answer to their sliders.
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'playwright/test'
import { continueOnDevice, editor, openSample, watchErrors } from './app.ts'

test('samples run: world view, charts and values move; pause, step, reset, seed', async ({ page }) => {
  const errors = watchErrors(page)
  await continueOnDevice(page)
  await openSample(page, 'Segregation')
  const { run } = editor(page)
  await run.getByRole('button', { name: 'Play' }).click()
  await expect(run.getByText('Finished: stop condition met')).toBeVisible()
  await expect(editor(page).tick()).toHaveText(/tick\s*[1-9]/)
  const finished = await editor(page).tick().textContent()

  await run.getByRole('button', { name: 'Reset' }).click()
  await expect(editor(page).tick()).toHaveText(/tick\s*0/)
  await run.getByRole('button', { name: 'One tick', exact: true }).click()
  await run.getByRole('button', { name: 'One tick', exact: true }).click()
  await expect(editor(page).tick()).toHaveText(/tick\s*[12]/)

  // The same seed is the same run.
  await run.getByRole('button', { name: 'Reset' }).click()
  await run.getByRole('button', { name: 'Play' }).click()
  await expect(run.getByText('Finished: stop condition met')).toBeVisible()
  await expect(editor(page).tick()).toHaveText(finished ?? '')

  // And it is the same run on the command line, to the last bit.
  const root = fileURLToPath(new URL('../..', import.meta.url))
  const printed = execFileSync(process.execPath, ['sim-engine/cli.ts', 'run', 'model-schema/samples/segregation.holo', '--json'], {
    cwd: root,
    encoding: 'utf8',
  })
  const { hash, ticks } = JSON.parse(printed) as { hash: string; ticks: number }
  expect(finished).toContain(String(ticks))
  await expect(run.getByTitle(/^Fingerprint/)).toHaveAttribute('title', new RegExp(hash))
  expect(errors).toEqual([])
})

test('a slider changes a public variable, and the run answers', async ({ page }) => {
  const errors = watchErrors(page)
  await continueOnDevice(page)
  await openSample(page, 'Clinic')
  const { run } = editor(page)
  await run.getByRole('button', { name: 'Play' }).click()
  await expect(editor(page).tick()).not.toHaveText(/tick\s*0$/)
  await run.getByRole('button', { name: 'Pause' }).click()
  const staff = page.getByRole('slider', { name: /Staff/ })
  await staff.focus()
  await page.keyboard.press('ArrowRight')
  await run.getByRole('button', { name: 'One tick', exact: true }).click()
  const panel = await editor(page).show('Variables')
  await expect(panel.getByRole('row', { name: /Staff/ })).toContainText('4')
  expect(errors).toEqual([])
})

test('an epidemic runs to its end and says so', async ({ page }) => {
  await continueOnDevice(page)
  await openSample(page, 'Epidemic')
  const { run } = editor(page)
  await run.getByRole('button', { name: 'Play' }).click()
  await expect(run.getByText(/^Finished/)).toBeVisible({ timeout: 120_000 })
  const panel = await editor(page).show('Variables')
  await expect(panel.getByRole('row', { name: /infected/ })).toContainText('0')
})
