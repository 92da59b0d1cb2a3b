// An account from invitation to sign-in, and the doors that stay shut.
import { expect, test } from 'playwright/test'
import { codeOf } from '../help/network/totp.ts'
import { openContext, register, signIn } from './app.ts'

test('wrong passwords are refused in words; the right one lets in', async ({ page }) => {
  await page.goto('/workspace/recent')
  await expect(page).toHaveURL(/\/login/)
  await page.getByRole('textbox', { name: 'Email' }).fill('demo@holarchy.local')
  await page.getByRole('textbox', { name: 'Password' }).fill('not the password')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page.getByText(/account or password/i).first()).toBeVisible()
  await signIn(page)
})

test('the interface speaks Chinese, and remembers', async ({ browser }) => {
  const page = await openContext(browser)
  await page.goto('/login')
  await page.getByRole('button', { name: 'Language' }).click()
  await page.getByRole('menuitem', { name: '简体中文' }).click()
  await expect(page.getByRole('heading', { name: '登录' })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('heading', { name: '登录' })).toBeVisible()
  await page.context().close()
})

test('a second step is set up with a QR code or a key; then the password alone does not let in, a recovery code does', async ({ page }) => {
  const who = await register(page, 'Vera')
  await page.getByTestId('profile').click()
  await page.getByRole('menuitem', { name: 'My account' }).click()
  await page.getByRole('button', { name: 'Set up' }).click()
  const setup = page.getByRole('dialog', { name: 'Set up two-step verification' })
  await setup.getByRole('textbox', { name: 'Password' }).fill(who.password)
  await setup.getByRole('button', { name: 'Continue' }).click()
  await expect(setup.getByRole('img', { name: 'QR code for the authenticator app' })).toBeVisible()
  const key = ((await setup.locator('bdi').textContent()) ?? '').replaceAll(' ', '')
  const code = setup.getByRole('textbox', { name: 'Six-digit code' })
  await code.fill('12')
  await setup.getByRole('button', { name: 'Switch on' }).click()
  await expect(setup.getByText('Enter the six digits.')).toBeVisible()
  await code.fill(codeOf(key))
  await setup.getByRole('button', { name: 'Switch on' }).click()
  const shown = page.getByRole('dialog', { name: 'Recovery codes' })
  await expect(shown.getByRole('listitem')).toHaveCount(10)
  const recovery = (await shown.getByRole('listitem').first().textContent()) ?? ''
  await shown.getByRole('button', { name: 'I have kept them' }).click()
  await expect(page.getByText('Recovery codes left: 10.')).toBeVisible()

  await page.context().clearCookies()
  await page.goto('/login')
  await page.getByRole('textbox', { name: 'Email' }).fill(who.email)
  await page.getByRole('textbox', { name: 'Password' }).fill(who.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Two-step verification' })).toBeVisible()
  await page.getByRole('textbox', { name: 'Six-digit code' }).fill(codeOf(key, -2))
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page.getByText('This code is not right, or was used before.')).toBeVisible()
  await page.getByRole('button', { name: 'Use a recovery code' }).click()
  await page.getByRole('textbox', { name: 'Recovery code' }).fill(recovery)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Recent' })).toBeVisible()
})
