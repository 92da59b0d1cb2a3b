// Files to look at: a model and a starred block without their editors; a person restricted in the sharing dialog; the demo account on the Free plan.
import { expect, test } from 'playwright/test'
import { continueOnDevice, files, openContext, openSample, signIn, watchErrors } from './app.ts'

test('viewer: a model and a starred block are looked at and run, and lead to their editors', async ({ page }) => {
  const errors = watchErrors(page)
  await signIn(page)
  const { team } = await (await page.request.get('/api/accounts/session')).json()
  const headers = { origin: new URL(page.url()).origin }
  const ids = { model: `view_${Date.now().toString(36)}m`, block: `view_${Date.now().toString(36)}b` }
  for (const [kind, id] of Object.entries(ids)) {
    await page.request.post('/api/files', { data: { id, kind, name: `Seen ${kind} ${id}` }, headers })
    await page.request.put(`/api/files/${id}/favourite`, { data: { on: true }, headers })
  }
  await page.goto(`/file/${team}/${ids.model}`)
  await expect(page.getByRole('heading', { name: `Seen model ${ids.model}` })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Play', exact: true })).toBeVisible()
  await expect(page.getByRole('toolbar', { name: 'Tools' })).toHaveCount(0)
  // Nothing is in it: the place of the model says what to do about that.
  await expect(page.getByRole('main').getByRole('heading', { name: 'Nothing in this model yet' })).toBeVisible()
  await page.getByRole('button', { name: 'Build it in the editor' }).click()
  await expect(page).toHaveURL(`/modeling/${team}/${ids.model}`)

  await page.goto(`/star_block/${team}/${ids.block}`)
  await expect(page.getByText('Block, to look at and run')).toBeVisible()
  await page.getByRole('button', { name: 'Remove the star' }).click()
  await expect(page.getByRole('button', { name: 'Star this block' })).toBeVisible()
  await page.getByRole('button', { name: 'Open in the editor' }).click()
  await expect(page).toHaveURL(`/lib/${team}/${ids.block}`)
  expect(errors).toEqual([])
})

test('viewer: a chart and an experiment are shown without their editors', async ({ page }) => {
  const errors = watchErrors(page)
  await continueOnDevice(page)
  await page.getByRole('button', { name: /When and how much to order/ }).click()
  await expect(page).toHaveURL(/\/experimenting\/device\//)
  const experiment = new URL(page.url()).pathname.replace('/experimenting/', '/file/')
  await page.goto('/workspace/recent')
  await openSample(page, 'Wolves')
  await page.goto('/workspace/device/project')
  await files(page).begin('Chart', 'Flocks')
  await page.getByRole('main').getByRole('combobox', { name: 'Model' }).click()
  await page.getByTitle(/^Wolves/).click()
  const metrics = page.getByRole('region', { name: 'Shelves' }).getByRole('group', { name: 'Metrics', exact: true })
  await expect(metrics.getByRole('button', { name: 'sheep on Metrics' })).toBeVisible()

  await page.goto('/workspace/device/project')
  await page.getByRole('button', { name: 'Actions for Flocks' }).click()
  await page.getByRole('menuitem', { name: 'View and run' }).click()
  await expect(page).toHaveURL(/\/file\/device\//)
  await expect(page.getByRole('heading', { name: 'Flocks' })).toBeVisible()
  await expect(page.getByRole('main').getByRole('img').last()).toBeVisible()
  await expect(page.getByRole('region', { name: 'Shelves' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Open in the editor' }).click()
  await expect(page).toHaveURL(/\/chart\/device\//)

  await page.goto(experiment)
  await expect(page.getByText('To look at and run')).toBeVisible()
  await expect(page.getByRole('complementary', { name: 'Plan' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Undo' })).toHaveCount(0)
  for (const field of await page.getByRole('complementary', { name: 'Plan' }).getByRole('textbox').all())
    await expect(field).not.toBeEditable()
  await page.getByTestId('start').click()
  await expect.poll(async () => Number(await page.getByTestId('progress').getAttribute('data-done'))).toBeGreaterThan(0)
  expect(errors).toEqual([])
})

test('sharing: somebody is restricted on a file, and does not find it any more', async ({ page, browser }) => {
  const errors = watchErrors(page)
  await signIn(page)
  const headers = { origin: new URL(page.url()).origin }
  const id = `kept_${Date.now().toString(36)}`
  await page.request.post('/api/files', { data: { id, kind: 'model', name: `Withheld ${id}` }, headers })
  await page.request.post(`/api/files/${id}/collaborators`, { data: { email: 'free@holarchy.local', role: 'editor' }, headers })
  const { team } = await (await page.request.get('/api/accounts/session')).json()
  await page.goto(`/modeling/${team}/${id}`)
  await page.getByRole('button', { name: 'Share', exact: true }).click()
  const dialog = page.getByRole('dialog')
  const restrictions = dialog.getByRole('region', { name: 'Restrictions' })
  await restrictions.getByRole('combobox', { name: 'Restrict somebody' }).click()
  await page.getByTitle('Demo on Free · free@holarchy.local').click()
  const rule = restrictions.getByRole('combobox', { name: 'Restriction of Demo on Free' })
  await expect(restrictions.getByText('Only view')).toBeVisible()

  // The other demo account, by its own button; its plan has limits.
  const other = await openContext(browser)
  await other.goto('/login')
  await other.getByRole('button', { name: 'The one on the Free plan' }).click()
  await expect(other.getByRole('heading', { name: 'Recent' })).toBeVisible()
  await other.goto('/workspace/share')
  const link = other.getByRole('link', { name: `Withheld ${id}` })
  await expect(other.getByRole('img', { name: 'You may only view and run this' })).toBeVisible()
  await other.getByRole('button', { name: `Actions for Withheld ${id}` }).click()
  for (const name of ['Rename', 'Copy to my workspace', 'Download .holo', 'Move to trash'])
    await expect(other.getByRole('menuitem', { name })).toHaveAttribute('aria-disabled', 'true')
  await expect(other.getByRole('menuitem', { name: 'Download .holo' })).toHaveAttribute('title', 'You may only view this.')
  await other.keyboard.press('Escape')
  await link.click()
  await expect(other).toHaveURL(`/file/${team}/${id}`)
  await expect(other.getByText('You may only view and run this')).toBeVisible()
  await expect(other.getByRole('button', { name: 'Play', exact: true })).toBeVisible()
  await expect(other.getByRole('button', { name: 'Open in the editor' })).toHaveCount(0)

  await rule.click()
  await page.getByTitle('Cannot view', { exact: true }).click()
  await expect.poll(async () => (await page.request.get(`/api/files/${id}/restrictions`)).text()).toContain('"cannot-view"')

  expect((await other.request.get(`/api/files/${id}`)).status()).toBe(404)
  const usage: { level: string } = await (await other.request.get('/api/accounts/usage')).json()
  expect(usage.level).toBe('free')
  await other.context().close()
  expect(errors).toEqual([])
})
