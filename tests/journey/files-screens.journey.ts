// The screens of an account's files, settings and dialogs: no serious finding of axe, and nothing wider than a phone.
import { AxeBuilder } from '@axe-core/playwright'
import { expect, test, type Page } from 'playwright/test'
import { files, signIn } from './app.ts'

/** Serious and critical findings, as rule and place. */
async function findings(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).analyze()
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(node => `${id} ${node.target.join(' ')}`))
}

test('axe finds nothing serious in lists, details, settings and dialogs', async ({ page }) => {
  await signIn(page)
  const list = files(page)
  await list.open()
  const name = `Looked at ${Date.now().toString(36)}`
  // Somewhere to move it to.
  await list.make('Folder', `${name} inside`)
  await list.make('Library', name)
  expect(await findings(page)).toEqual([])
  await page.getByTitle('List').click()
  await list.link(name).focus()
  await page.keyboard.press('Space')
  await expect(page.getByRole('toolbar', { name: 'Chosen files' })).toBeVisible()
  expect(await findings(page)).toEqual([])
  await page.getByRole('button', { name: 'Move…' }).click()
  await expect(page.getByRole('tree')).toBeVisible()
  expect(await findings(page)).toEqual([])
  await page.getByRole('button', { name: 'Cancel' }).click()
  await list.link(name).focus()
  await page.keyboard.press('Alt+Enter')
  await expect(page.getByRole('dialog', { name: 'Details' })).toBeVisible()
  expect(await findings(page)).toEqual([])
  await page.getByRole('button', { name: 'What may be done' }).click()
  await expect(page.getByText('Role: Owner')).toBeVisible()
  expect(await findings(page)).toEqual([])
  await page.reload()
  await page.getByRole('navigation', { name: 'Workspace' }).getByRole('link', { name: 'Settings' }).click()
  await expect(page.getByRole('heading', { name: 'Tag sets' })).toBeVisible()
  expect(await findings(page)).toEqual([])
  await page.getByTestId('profile').click()
  await page.getByRole('menuitem', { name: 'My account' }).click()
  await expect(page.getByRole('heading', { name: 'Usage' })).toBeVisible()
  expect(await findings(page)).toEqual([])
})

test('on a phone every page of the workspace fits the width', async ({ browser }) => {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, locale: 'en-US' })
  const page = await context.newPage()
  await signIn(page)
  const team: unknown = await page.evaluate(() => JSON.parse(localStorage.getItem('holarchy.me') ?? '{}').team)
  const places = ['project', 'library', 'trash', 'setting'].map(place => `/workspace/${String(team)}/${place}`)
  for (const path of ['/workspace/recent', '/workspace/favourites', '/workspace/share', ...places]) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
    expect(overflow, path).toBeLessThanOrEqual(0)
  }
  await context.close()
})
