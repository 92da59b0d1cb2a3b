// A chain in the browser: the market sample is run, paused and looked at; its blocks go back with the run.
import { expect, test } from 'playwright/test'
import { continueOnDevice, editor, openSample, watchErrors } from './app.ts'

test('the market sample runs, and the chain panel shows its transactions, accounts and storage', async ({ page }) => {
  const errors = watchErrors(page)
  await continueOnDevice(page)
  await openSample(page, 'Arbitrage at a pool')
  const app = editor(page)
  const panel = await app.show('Chain')
  await expect(panel.getByText('No transaction has been sent yet.')).toBeVisible()

  await app.run.getByRole('button', { name: 'Play' }).click()
  await expect(app.tick()).toHaveText(/tick\s*[1-9]\d/)
  await app.run.getByRole('button', { name: 'Pause' }).click()
  const table = panel.getByRole('table')
  await expect(table.getByRole('row', { name: /Arbitrageur 1.*pool.*swap.*Succeeded/ }).first()).toBeVisible()
  const before = await table.getByRole('row').nth(1).innerText()

  await panel.getByText('Blocks', { exact: true }).click()
  await expect(table.getByRole('columnheader', { name: 'Base fee (wei)' })).toBeVisible()
  await panel.getByText('Accounts', { exact: true }).click()
  await panel.getByRole('button', { name: 'Storage of pool' }).click()
  await expect(panel.getByText('2 slots')).toBeVisible()

  // Back to the start of the run: what came later is not there.
  await panel.getByText('Transactions', { exact: true }).click()
  await app.run.getByRole('button', { name: 'Reset' }).click()
  await expect(panel.getByText('No transaction has been sent yet.')).toBeVisible()
  expect(before).toContain('swap')
  expect(errors).toEqual([])
})
