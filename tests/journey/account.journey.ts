// An account from invitation to sign-in, and the doors that stay shut.
import { expect, test } from 'playwright/test'
import { openContext, signIn } from './app.ts'

test('wrong passwords are refused in words; the right one lets in', async ({ page }) => {
  await page.goto('/workspace/recent')
  await expect(page).toHaveURL(/\/login/)
  await page.getByRole('textbox', { name: 'Email' }).fill('demo@holarchy.local')
  await page.getByRole('textbox', { name: 'Password' }).fill('not the password')
  await page.getByRole('button', { name: 'Sign in' }).click()
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
