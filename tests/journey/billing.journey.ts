// Coins and subscriptions, by one person who is new: the gift, the shop, what is too dear, a plan paid by the embedded provider, its invoice. On a server
// of its own, where people have the free plan.
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'playwright/test'
import { newModel, openContext, register, watchErrors } from './app.ts'

const PORT = Number(process.env['BILLING_PORT'] ?? 4392)
const url = `http://127.0.0.1:${PORT}`
let server: ChildProcess

test.beforeAll(async () => {
  const main = fileURLToPath(new URL('../../sync-server/main.ts', import.meta.url))
  const settings = { PORT: String(PORT), PLAN: 'free', RATE_LIMITS: '0', HOLARCHY_DATA: join(tmpdir(), `holarchy-billing-${process.pid}`) }
  server = spawn(process.execPath, [main], { env: { ...process.env, ...settings }, stdio: ['ignore', 'pipe', 'inherit'] })
  await new Promise<void>((done, fail) => {
    server.stdout?.on('data', (text: Buffer) => text.includes('is running at') && done())
    server.on('exit', code => fail(new Error(`the server ended with ${code}`)))
  })
})
test.afterAll(async () => {
  const gone = new Promise(done => server.on('exit', done))
  server.kill('SIGTERM')
  await gone
})
test.use({ baseURL: url })

test('from the register gift over the shop to a subscription and its invoice', async ({ page }) => {
  const errors = watchErrors(page)
  await register(page, 'Mara')

  // The free plan has room for three scenarios in a file: another is not added, and the plans are one click away.
  await newModel(page)
  const scenarios = page.getByRole('button', { name: 'Scenarios', exact: true })
  const add = async (): Promise<void> => {
    await scenarios.click()
    await page.getByRole('menuitem', { name: 'Add a scenario' }).click()
  }
  const scenario = (name: string) => page.getByRole('navigation', { name: 'Canvases' }).getByRole('button', { name, exact: true })
  for (const name of ['Scenario 2', 'Scenario 3']) {
    await add()
    await expect(scenario(name)).toBeVisible()
  }
  await add()
  await expect(
    page.getByText('Scenarios in a file: the limit of the subscription (3) is reached. Upgrade to Basic for more.'),
  ).toBeVisible()
  await scenarios.click()
  await expect(page.getByRole('menuitem', { name: /^Scenario \d$/ })).toHaveCount(3)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Compare plans' }).click()
  await expect(page.getByTestId('current-plan')).toContainText('Free')

  // Coins and items are a page of the account, no entry of the menu.
  await page.getByTestId('profile').click()
  await expect(page.getByRole('menuitem', { name: 'Invite people' })).toBeVisible()
  await expect(page.getByRole('menuitem', { name: 'Coins and items' })).toHaveCount(0)
  await page.keyboard.press('Escape')
  await page.getByRole('navigation', { name: 'My account' }).getByRole('link', { name: 'Item shop' }).click()
  const purse = page.getByRole('list', { name: 'What you have' })
  const has = (asset: string) => purse.locator(`[data-asset="${asset}"] strong`)
  await expect(has('coins')).toHaveText('500')

  const good = (name: string) => page.getByRole('main').getByRole('listitem', { name, exact: true })
  await good('Energy').getByRole('spinbutton').fill('20')
  await good('Energy').getByRole('button', { name: 'Buy for 100 coins' }).click()
  await expect(has('coins')).toHaveText('400')
  await expect(has('energy')).toHaveText('30')
  await good('Gold key').getByRole('button', { name: 'Buy for 900 coins' }).click()
  await expect(page.getByText('Not enough coins: 900 are needed, you have 400.')).toBeVisible()
  await good('Key').getByRole('button', { name: 'More with Key' }).click()
  await page.getByRole('menuitem', { name: 'Sell one for 45 coins' }).click()
  await page.getByRole('button', { name: 'Sell it' }).click()
  await expect(has('coins')).toHaveText('445')

  const places = page.getByRole('navigation', { name: 'My account' })
  await places.getByRole('link', { name: 'Coins and points' }).click()
  const history = page.getByRole('list', { name: 'History' }).getByRole('listitem')
  await expect(history.first()).toContainText('Item sold')
  await expect(history.filter({ hasText: 'Gift for registering' })).toHaveCount(3)
  await page.getByText('Given', { exact: true }).click()
  await expect(history).toHaveCount(2)
  const file = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Export (CSV)' }).click()
  expect((await file).suggestedFilename()).toBe('holarchy-coins.csv')

  await places.getByRole('link', { name: 'Subscription' }).click()
  const current = page.getByTestId('current-plan')
  await expect(current).toContainText('Free')
  const plan = (level: string) => page.locator(`[data-level="${level}"]`)
  await plan('basic').getByRole('button', { name: 'Subscribe' }).click()
  await expect(page.getByRole('dialog')).toContainText('$9')
  await page.getByRole('button', { name: 'Go to the payment' }).click()
  await page.getByRole('button', { name: 'Decline' }).click()
  await expect(page.getByText('The payment was declined.')).toBeVisible()
  await page.getByRole('button', { name: 'Pay $9' }).click()
  await expect(page.getByRole('heading', { name: 'Thank you' })).toBeVisible()
  await expect(page.getByText('Your plan is Basic now.')).toBeVisible()
  await expect(page.getByRole('timer')).toContainText('Back to the subscription in')
  // The countdown goes back by itself.
  await page.waitForURL(/\/account\/subscription$/)
  await expect(current).toContainText('Basic')

  await plan('plus').getByRole('button', { name: 'Upgrade' }).click()
  await expect(page.getByRole('dialog')).toContainText('The difference for the rest of this period.')
  await page.getByRole('button', { name: 'Go to the payment' }).click()
  await page.getByRole('button', { name: /^Pay \$/ }).click()
  await expect(page.getByRole('heading', { name: 'Thank you' })).toBeVisible()
  await page.getByRole('button', { name: 'Back to the subscription' }).click()
  await expect(current).toContainText('Plus')
  await plan('basic').getByRole('button', { name: 'Downgrade' }).click()
  await page.getByRole('button', { name: 'Confirm' }).click()
  await expect(current).toContainText('Basic, $9 a month')
  await current.getByRole('button', { name: 'Take the change back' }).click()
  await expect(current).not.toContainText('Basic')
  await current.getByRole('button', { name: 'Cancel the subscription' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel the subscription' }).click()
  await expect(current).toContainText('Until then nothing changes.')
  await expect(plan('pro')).toContainText('keep it first')
  await current.getByRole('button', { name: 'Keep the subscription' }).click()
  await expect(current).toContainText('renewed on')

  await places.getByRole('link', { name: 'Invoices' }).click()
  const invoices = page.getByRole('list', { name: 'Invoices' }).getByRole('listitem')
  await expect(invoices).toHaveCount(2)
  await invoices.filter({ hasText: 'Basic, a month' }).getByRole('button').click()
  await expect(page.getByRole('dialog')).toContainText('Mara')
  await expect(page.getByRole('dialog')).toContainText('$9')
  expect(errors).toEqual([])
})

test('an invitation link fills the code in, and pays for whoever passed it on', async ({ page, browser }) => {
  await register(page, 'Noa')
  await page.goto('/account/promotion')
  const link = await page.getByRole('textbox', { name: 'Your link' }).inputValue()
  const other = await openContext(browser)
  await other.goto(link)
  const code = new URL(link).searchParams.get('invitation') ?? ''
  expect(code).toHaveLength(10)
  await expect(other.getByRole('textbox', { name: 'Invitation code' })).toHaveValue(code)
  await other.context().close()
})
