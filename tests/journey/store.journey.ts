// The store: one account publishes, another finds it, runs it in the store, talks about it and takes a copy; both languages; the forum, a
// report, and what becomes of it.
import { expect, test } from 'playwright/test'
import { editor, openContext, openSample, register, signIn, watchErrors } from './app.ts'

test('from publishing a model to another account that runs it and takes a copy', async ({ page, browser }) => {
  const errors = watchErrors(page)
  const name = `My town ${Date.now().toString(36)}`
  const guest = await openContext(browser)
  const bob = await register(guest, 'Bodil')
  await signIn(page)
  await openSample(page, 'Segregation')
  // A sample as it is has been published already; this one is changed.
  await editor(page).place('Variable', 60, 60)
  await expect(
    page
      .getByRole('banner')
      .getByLabel(/saved on the server/i)
      .or(page.getByText(/^Saved/))
      .first(),
  ).toBeVisible()

  await page.getByTestId('share').click()
  await page.getByRole('tab', { name: 'Publish' }).click()
  await page.getByRole('button', { name: 'Publish to the store' }).click()
  const wizard = page.getByRole('dialog', { name: /^Publish “/ })
  const next = wizard.getByRole('button', { name: 'Next' })
  await wizard.getByRole('textbox', { name: 'Name' }).fill(name)
  await expect(next).toBeDisabled()
  await wizard.getByRole('textbox', { name: 'In one sentence' }).fill('A town that parts by mild wishes')
  await wizard.getByRole('textbox', { name: 'Description' }).fill('First paragraph.\n\nSecond paragraph.')
  await next.click()
  await expect(wizard.getByRole('radio', { name: 'All scenarios' })).toBeChecked()
  await next.click()
  await expect(wizard.getByText('Store does not support charge mode.')).toBeVisible()
  await next.click()
  await wizard.getByRole('combobox', { name: 'Topic' }).click()
  await page.locator('.ant-select-dropdown').getByText('Teaching').click()
  await next.click()
  await wizard.getByRole('spinbutton', { name: 'Ticks' }).fill('50')
  await expect(wizard.getByRole('button', { name: 'Publish', exact: true })).toBeDisabled()
  await wizard.getByRole('checkbox', { name: /mine to publish/ }).check()
  await wizard.getByRole('button', { name: 'Prepare and test' }).click()
  await expect(wizard.getByText('Prepared: only you see it.')).toBeVisible()
  await wizard.getByRole('button', { name: 'Publish', exact: true }).click()
  await expect(wizard).toBeHidden()

  // Bodil finds it, runs it in the store; no file is requested that does not exist.
  const missing: string[] = []
  guest.on('response', response => response.status() >= 400 && missing.push(`${response.status()} ${response.url()}`))
  await guest.goto('/store')
  await guest.getByRole('textbox', { name: 'Search the store' }).fill(name)
  await guest.keyboard.press('Enter')
  await guest.getByRole('link', { name, exact: true }).click()
  await expect(guest.getByRole('heading', { name: new RegExp(name), level: 1 })).toBeVisible()
  const address = new URL(guest.url()).pathname
  await expect(guest.getByText('Second paragraph.')).toBeVisible()
  await guest.getByRole('button', { name: `Run it here: ${name}` }).click()
  const stage = guest.getByTestId('stage')
  await stage.getByRole('button', { name: 'Play' }).click()
  await expect(stage.getByText(/^tick$/).locator('xpath=..')).not.toHaveText(/tick\s*0$/)
  expect(missing).toEqual([])

  // The recorded run was made again on the server.
  await expect(async () => {
    await guest.reload()
    await expect(guest.getByText('Verified', { exact: true })).toBeVisible({ timeout: 3000 })
  }).toPass({ timeout: 120_000 })

  await guest.getByRole('button', { name: 'Like', exact: true }).click()
  await expect(guest.getByRole('button', { name: 'Like', exact: true })).toHaveAttribute('aria-pressed', 'true')
  await guest.getByRole('button', { name: 'Follow', exact: true }).click()
  await expect(guest.getByRole('button', { name: 'Following' })).toBeVisible()
  await guest.getByRole('textbox', { name: 'What do you think of it?' }).fill('Lovely town')
  await guest.getByRole('button', { name: 'Comment', exact: true }).click()
  await expect(guest.getByRole('article', { name: /Comment by Bodil/ })).toContainText('Lovely town')

  // A copy, which remembers where it came from and is not published again.
  await guest.getByRole('button', { name: 'Get a copy' }).click()
  await guest.getByRole('dialog').getByRole('button', { name: 'Get the copy' }).click()
  await guest.waitForURL(/\/modeling\//)
  await expect(editor(guest).canvas).toBeVisible()
  await guest.getByTestId('share').click()
  await guest.getByRole('tab', { name: 'Publish' }).click()
  await expect(guest.getByText('Files downloaded from the market cannot be published again.')).toBeVisible()
  await expect(guest.getByRole('link', { name })).toBeVisible()

  // The author is notified; off the shelf it is hidden from others; in the other language too.
  await page.goto('/store/mine')
  const row = page.getByRole('listitem').filter({ hasText: name })
  await expect(row).toContainText(/\b1 like,/)
  await row.getByRole('button', { name: 'Take off the shelf' }).click()
  await expect(row.getByRole('button', { name: 'Put back' })).toBeVisible()
  await expect(row.getByRole('button', { name: 'Update' })).toHaveCount(0)
  await guest.goto(address)
  await expect(guest.getByRole('heading', { name: 'Not on the shelf' })).toBeVisible()
  await row.getByRole('button', { name: 'Put back' }).click()
  await expect(row.getByRole('button', { name: 'Take off the shelf' })).toBeVisible()
  await page.getByRole('button', { name: /^Notifications/ }).click()
  await expect(page.getByText(`Bodil commented on “${name}”: Lovely town`)).toBeVisible()
  await guest.goto(address)
  await guest.getByTestId('language').click()
  await guest.getByRole('menuitem', { name: '简体中文' }).click()
  await expect(guest.getByRole('button', { name: '获取副本' })).toBeVisible()
  await expect(guest.getByRole('navigation', { name: '商店' })).toBeVisible()
  expect(bob.name).toBe('Bodil')
  expect(errors).toEqual([])
})

test('the picture of a publication is not drawn larger than it is, on a wide page and on a phone', async ({ page }) => {
  await signIn(page)
  await page.goto('/store')
  await page.getByRole('textbox', { name: 'Search the store' }).fill('Segregation')
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: 'Segregation', exact: true }).click()
  const stage = page.getByRole('button', { name: 'Run it here: Segregation' })
  const picture = stage.locator('img')
  for (const size of [
    { width: 1440, height: 900 },
    { width: 390, height: 844 },
  ]) {
    await page.setViewportSize(size)
    await expect.poll(() => picture.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBeGreaterThan(0)
    const { natural, ratio, shown } = await picture.evaluate((img: HTMLImageElement) => ({
      natural: img.naturalWidth,
      ratio: img.naturalHeight / img.naturalWidth,
      shown: { width: img.clientWidth, height: img.clientHeight },
    }))
    expect(shown.width).toBeGreaterThan(200)
    expect(shown.width).toBeLessThanOrEqual(natural)
    expect(Math.abs(shown.height - shown.width * ratio)).toBeLessThan(2)
  }
})

test('the forum, a report, a decision, an appeal', async ({ page, browser }) => {
  const guest = await openContext(browser)
  await register(guest, 'Rita')
  await signIn(page)
  const title = `How do I count cells? ${Date.now().toString(36)}`
  await guest.goto('/store/forum')
  await guest.getByRole('button', { name: 'New thread' }).click()
  await guest.getByRole('textbox', { name: 'Title' }).fill(title)
  await guest.getByRole('textbox', { name: 'What is it about?' }).fill('Buy my pills')
  await guest.getByRole('button', { name: 'Post it' }).click()
  await expect(guest.getByRole('heading', { name: title })).toBeVisible()
  const address = new URL(guest.url()).pathname

  await page.goto('/store/forum')
  await page.getByRole('link', { name: title }).click()
  await page.getByRole('button', { name: 'Report' }).click()
  await page.getByRole('button', { name: 'Send the report' }).click()
  await page.getByRole('navigation', { name: 'Store' }).getByRole('link', { name: 'Moderation' }).click()
  const entry = page.getByRole('listitem').filter({ hasText: title })
  await entry.getByRole('button', { name: 'Hide' }).click()
  await page.getByRole('textbox', { name: 'The reason, for its author to read' }).fill('Advertising')
  await page.getByRole('button', { name: 'Hide it' }).click()
  await expect(entry).toHaveCount(0)
  await guest.goto('/store/forum')
  await guest.getByRole('button', { name: /^Notifications/ }).click()
  await expect(guest.getByText(`“${title}” was hidden by the moderators: Advertising`)).toBeVisible()
  await guest.goto(address)
  await expect(guest.getByText('hidden by the moderators').first()).toBeVisible()
  await guest.getByRole('button', { name: 'Appeal' }).click()
  await guest.getByRole('textbox', { name: 'Why should it be shown again?' }).fill('It was a joke')
  await guest.getByRole('button', { name: 'Send the appeal' }).click()
  await page.reload()
  await expect(entry).toContainText('It was a joke')
  await entry.getByRole('button', { name: 'Show again' }).click()
  await page.getByRole('button', { name: 'Show it' }).click()
  await expect(entry).toHaveCount(0)
})
