// Files as people keep them: folders, moves and the way back, tags and favourites, without a network too; links, embed codes, blocks.
import { expect, test, type APIRequestContext, type Page } from 'playwright/test'
import { continueOnDevice, demo, editor, files, openContext, signIn, watchErrors } from './app.ts'

/** A name no other test has: journeys share the demo account. */
const fresh = (word: string): string => `${word} ${Math.random().toString(36).slice(2, 7)}`
/** Past the paths under which others' pages are still drawn. */
const inMain = (page: Page) => page.getByRole('main')

test('folders: made, named, filled by drag, walked by crumbs, moved; and taken back', async ({ page }) => {
  const errors = watchErrors(page)
  await continueOnDevice(page)
  await page.getByRole('navigation', { name: 'Workspace' }).getByRole('link', { name: 'My files' }).click()
  const list = files(page)
  const main = inMain(page)
  await list.make('Folder', 'Studies')
  await list.make('Project', 'Thesis')
  await list.make('Library', 'Figure')
  await list.make('Library', 'Wall')

  await list.item('Figure').dragTo(list.item('Studies'))
  await expect(list.link('Figure')).toBeHidden()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(list.link('Figure')).toBeVisible()

  // The same by keyboard: choose two, move them in the dialog.
  await list.link('Figure').focus()
  await page.keyboard.press('Space')
  await main.getByRole('checkbox', { name: 'Choose “Wall”' }).check()
  await main.getByRole('toolbar', { name: 'Chosen files' }).getByRole('button', { name: 'Move…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Move 2 files to' })
  await expect(dialog.getByRole('button', { name: 'Move' })).toBeDisabled()
  await dialog.getByText('Thesis').click()
  await dialog.getByRole('button', { name: 'Move' }).click()
  await expect(list.link('Wall')).toBeHidden()
  await list.link('Thesis').click()
  await expect(list.link('Wall')).toBeVisible()
  await list.make('Folder', 'Chapter')
  await list.link('Chapter').click()
  await expect(page.getByRole('heading', { name: 'Chapter' })).toBeVisible()
  await page.getByRole('navigation', { name: 'Path' }).getByRole('link', { name: 'Thesis' }).click()
  await expect(list.link('Figure')).toBeVisible()

  // A folder goes to the trash as a whole, and comes back as a whole.
  await page.getByRole('navigation', { name: 'Path' }).getByRole('link', { name: 'On this device' }).click()
  await list.link('Thesis').focus()
  await page.keyboard.press('Delete')
  await page.getByRole('navigation', { name: 'Workspace' }).getByRole('link', { name: 'Trash' }).click()
  await expect(main.getByRole('row')).toHaveCount(2)
  await main.getByRole('button', { name: 'Restore' }).click()
  await page.getByRole('navigation', { name: 'Workspace' }).getByRole('link', { name: 'My files' }).click()
  await list.link('Thesis').click()
  await expect(list.link('Wall')).toBeVisible()
  // Names are taken once in a folder and for a kind.
  await list.menu('Wall', 'Rename')
  await main.getByRole('textbox', { name: 'Name', exact: true }).fill('Board')
  await page.keyboard.press('Enter')
  await expect(list.link('Board')).toBeVisible()
  expect(errors).toEqual([])
})

test('a file that can go nowhere is offered a folder, which is chosen at once', async ({ page }) => {
  const errors = watchErrors(page)
  await continueOnDevice(page)
  await page.getByRole('navigation', { name: 'Workspace' }).getByRole('link', { name: 'My files' }).click()
  const list = files(page)
  await list.make('Library', 'Shelf')
  await list.menu('Shelf', 'Move…')
  const dialog = page.getByRole('dialog', { name: 'Move “Shelf” to' })
  await expect(dialog.getByRole('heading', { name: 'Nowhere to move to yet' })).toBeVisible()
  await dialog.getByRole('button', { name: 'Make a folder' }).click()
  await expect(dialog.getByRole('tree')).toBeVisible()
  await dialog.getByRole('button', { name: 'Move', exact: true }).click()
  await expect(list.link('Shelf')).toBeHidden()
  await list.link('New folder').click()
  await expect(list.link('Shelf')).toBeVisible()
  expect(errors).toEqual([])
})

test('tags, remark and favourites are found again; a search looks into every workspace', async ({ page }) => {
  await signIn(page)
  const list = files(page)
  const [set, name, draft] = [fresh('Status'), fresh('Tagged'), fresh('Draft')]
  await list.open()
  await list.make('Tag set', set)
  await list.link(set).click()
  const group = page.getByRole('group', { name: set })
  for (const tag of [draft, 'Final']) {
    await group.getByRole('textbox', { name: 'Another tag' }).fill(tag)
    await page.keyboard.press('Enter')
    await expect(group.getByRole('button', { name: `Delete the tag ${tag}` })).toBeVisible()
  }
  await group.getByRole('button', { name: 'Add' }).click()
  await expect(group.getByPlaceholder('A tag cannot be empty')).toBeVisible()

  await list.open()
  await list.make('Project', name)
  await list.link(name).focus()
  await page.keyboard.press('Alt+Enter')
  const details = page.getByRole('dialog', { name: 'Details' })
  await details.getByRole('combobox', { name: set }).click()
  await page.locator('.ant-select-dropdown').getByText(draft).click()
  await details.getByRole('textbox', { name: 'Remark' }).fill(`zebras ${name}`)
  await details.getByRole('textbox', { name: 'Remark' }).blur()
  await details.getByRole('button', { name: 'Close' }).click()
  await expect(list.item(name).getByText(draft)).toBeVisible()
  await list.item(name).hover()
  await list
    .item(name)
    .getByRole('button', { name: /^Add .* to the favourites/ })
    .click()
  await page.getByRole('navigation', { name: 'Workspace' }).getByRole('link', { name: 'Favourites' }).click()
  await expect(list.link(name)).toBeVisible()

  await list.open()
  await inMain(page)
    .getByRole('button', { name: /^Filter/ })
    .click()
  await page.getByRole('menuitem', { name: draft }).click()
  await expect(inMain(page).locator('[data-file]')).toHaveCount(1)
  await page.keyboard.press('Escape')
  await page.reload()
  await page.getByRole('textbox', { name: 'Search files and samples' }).fill(`zebras ${name.split(' ')[1]}`)
  await expect(list.link(name)).toBeVisible()
  await expect(inMain(page).locator('[data-file]')).toHaveCount(1)
})

test.describe('without a network', () => {
  test.use({ serviceWorkers: 'allow' })

  test('without a network files are made, moved and thrown away; the server hears of it later', async ({ page, playwright, baseURL }) => {
    await signIn(page)
    const list = files(page)
    await list.open()
    const [folder, library, mine, taken] = [fresh('Offline'), fresh('Library'), fresh('Mine'), fresh('Taken')]
    await page.context().setOffline(true)
    await list.make('Folder', folder)
    await list.make('Library', library)
    await list.item(library).dragTo(list.item(folder))
    await expect(list.link(library)).toBeHidden()
    await list.make('Project', mine)
    // Meanwhile another user takes the name.
    const other = await elsewhere(playwright, baseURL)
    await other.post('/api/files', { data: { id: `taken_${Date.now()}`, kind: 'project', name: taken } })
    await list.menu(mine, 'Rename')
    await inMain(page).getByRole('textbox', { name: 'Name', exact: true }).fill(taken)
    await page.keyboard.press('Enter')
    const lamp = page.getByRole('button', { name: /files wait to be sent/ })
    await expect(lamp).toBeVisible()
    await lamp.click()
    await expect(page.getByRole('region', { name: 'Not on the server yet' }).getByText(folder)).toHaveCount(2)
    await page.keyboard.press('Escape')

    await page.context().setOffline(false)
    const known = async (): Promise<{ name: string; parent: string | null; id: string }[]> =>
      (await (await other.get('/api/files?of=all')).json()).files
    await expect.poll(async () => (await known()).some(file => file.name === library && file.parent !== null)).toBe(true)

    // The taken name is refused, said, and resolved with another one.
    const refused = page.getByRole('button', { name: /refused a change/ })
    await expect(refused).toBeVisible()
    await refused.click()
    const panel = page.getByRole('region', { name: 'Not on the server yet' })
    await panel.getByRole('textbox', { name: 'Another name' }).fill(`${mine} again`)
    await panel.getByRole('button', { name: 'Use this name' }).click()
    await expect(refused).toBeHidden()
    await expect.poll(async () => (await known()).some(file => file.name === `${mine} again`)).toBe(true)
    await other.dispose()
  })
})

test('a link with a password lets in those who know it, until it is closed; an embed code shows the model in other pages', async ({
  page,
  browser,
}) => {
  await signIn(page)
  const list = files(page)
  await list.open()
  await page.getByTestId('new-model').click()
  await page.waitForURL(/\/modeling\//)
  await expect(editor(page).canvas).toBeVisible()
  await editor(page).place('Agent', 200, 200)
  await expect(page.getByRole('status', { name: 'Saved on the server' })).toBeVisible()
  await page.getByTestId('share').click()
  await page.getByRole('tab', { name: 'Links' }).click()
  await page.getByRole('button', { name: 'Limits' }).click()
  await page.getByRole('textbox', { name: 'Password' }).fill('sesame')
  await page.getByTestId('create-link').click()
  await expect(page.getByText('with a password')).toBeVisible()
  const link = new URL(await page.getByTestId('share-link').inputValue()).pathname
  await page.getByRole('tab', { name: 'Embed' }).click()
  await page.getByTestId('create-embed').click()
  const code = /\/embed\/[\w-]+/.exec(await page.getByTestId('embed-code').inputValue())?.[0] ?? ''

  const guest = await openContext(browser)
  await guest.goto(code)
  await expect(guest.getByRole('application', { name: /^Model canvas/ })).toBeVisible()
  await expect(guest.getByRole('toolbar', { name: 'Run controls' })).toBeVisible()
  await continueOnDevice(guest)
  await guest.goto(link)
  await guest.getByLabel('Password').fill('wrong')
  await guest.getByRole('button', { name: 'Open' }).click()
  await expect(guest.getByText('The password of the link is not right.')).toBeVisible()
  await guest.getByLabel('Password').fill('sesame')
  await guest.getByRole('button', { name: 'Open' }).click()
  await expect(editor(guest).canvas).toBeVisible()

  await page.getByRole('switch', { name: 'This embed code is open' }).click()
  await page.getByRole('tab', { name: 'Links' }).click()
  await page.getByRole('button', { name: 'Close this link' }).click()
  await expect(page.getByTestId('share-link')).toBeHidden()
  await guest.goto(code)
  await expect(guest.getByText('The embed code is closed.')).toBeVisible()
  await guest.goto(link)
  await expect(guest.getByRole('heading', { name: 'This link is over' })).toBeVisible()
  await guest.context().close()
})

test('a block goes into a model, changes in its library, and is brought up to date', async ({ page }) => {
  await continueOnDevice(page)
  await page.getByRole('navigation', { name: 'Workspace' }).getByRole('link', { name: 'Library' }).click()
  await page.getByTestId('new-block').first().click()
  await page.waitForURL(/\/lib\//)
  await expect(editor(page).canvas).toBeVisible()
  const block = page.url()
  await editor(page).place('Variable', 200, 200)
  await expect(editor(page).inspector.getByRole('heading', { name: /Variable1/ })).toBeVisible()
  await editor(page).inspector.getByRole('textbox', { name: 'Name', exact: true }).fill('rate')
  await page.keyboard.press('Enter')
  await editor(page).formula('Initial value', '2')
  await expect(page.getByRole('status', { name: 'Saved on this device' })).toBeVisible()

  await page.goto('/workspace/device/project')
  await page.getByTestId('new-model').first().click()
  await page.waitForURL(/\/modeling\//)
  const model = page.url()
  await expect(editor(page).canvas).toBeVisible()
  const left = editor(page).left
  await left.getByRole('tab', { name: 'Blocks' }).click()
  await left.getByRole('button', { name: /New block/ }).click()
  await expect(left.getByText('As its source')).toBeVisible()

  await page.goto(block)
  await editor(page).canvas.focus()
  const outline = await editor(page).outline()
  await outline.getByRole('treeitem', { name: /rate/ }).click()
  await editor(page).formula('Initial value', '5')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('status', { name: 'Saved on this device' })).toBeVisible()

  await page.goto(model)
  await editor(page).left.getByRole('tab', { name: 'Blocks' }).click()
  await editor(page).left.getByRole('button', { name: '1 difference' }).click()
  const dialog = page.getByRole('dialog', { name: /here and in the block/ })
  await expect(dialog.getByRole('row', { name: /Initial value 2 5/ })).toBeVisible()
  await dialog.getByRole('button', { name: /Take over/ }).click()
  await expect(editor(page).left.getByText('As its source')).toBeVisible()
})

/** The demo account on another device. */
async function elsewhere(
  playwright: { request: { newContext(options: object): Promise<APIRequestContext> } },
  baseURL: string | undefined,
): Promise<APIRequestContext> {
  const context = await playwright.request.newContext({ baseURL })
  await context.post('/api/accounts/login', { data: demo })
  return context
}
