// Teams: a new person comes by letter, is invited, gets a role, sees why they can or can't; the team changes hands and ends.
import { expect, test } from 'playwright/test'
import { files, letterLink, openContext, register, signIn } from './app.ts'

test('a team from its first invitation to its end', async ({ page, browser }) => {
  const guest = await openContext(browser)
  const bob = await register(guest, 'Bob')

  await signIn(page)
  const team = `Lab ${Date.now().toString(36)}`
  const nav = page.getByRole('navigation', { name: 'Workspace' })
  await nav.getByRole('button', { name: /^Workspace:/ }).click()
  await page.getByRole('menuitem', { name: 'New team or organization' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill(team)
  await page.getByRole('button', { name: 'Create' }).click()
  await expect(page.getByRole('heading', { name: team })).toBeVisible()
  await files(page).make('Folder', 'Shared work')

  // Addresses that are none are refused by name; the others get a letter.
  await nav.getByRole('link', { name: 'Members' }).click()
  const addresses = page.getByRole('textbox', { name: 'Email addresses, separated by commas' })
  await addresses.fill('not an address')
  await page.getByRole('button', { name: 'Invite' }).click()
  await expect(page.getByRole('alert').getByText(/not.*an.*address/)).toBeVisible()
  await addresses.fill(`${bob.email}, nobody@example.org`)
  await page.getByRole('button', { name: 'Invite' }).click()
  await expect(page.getByText(`${bob.email}: invited`)).toBeVisible()
  await expect(page.getByText(/nobody@example\.org: has no account/)).toBeVisible()

  await guest.goto(await letterLink(guest, bob.email, /\/team_invite\/[\w-]+/))
  await expect(guest.getByRole('heading', { name: team })).toBeVisible()
  await guest.getByRole('button', { name: 'Accept' }).click()
  await expect(files(guest).link('Shared work')).toBeVisible()
  await guest.goBack()
  await expect(guest.getByText(/already/i).first()).toBeVisible()
  await guest.goto('/workspace/recent')

  // An editor may not delete for ever, and sees the reason.
  await page.reload()
  await page.getByRole('button', { name: 'What Bob may do', exact: true }).click()
  const verdicts = page.getByRole('dialog', { name: /What Bob may do/ })
  await expect(verdicts.getByText('Role: Editor')).toBeVisible()
  await expect(verdicts.getByRole('listitem').filter({ hasText: 'Delete for ever' })).toContainText('This takes the role Manager')
  await page.keyboard.press('Escape')
  await page.getByRole('combobox', { name: 'Role of Bob' }).click()
  await page.locator('.ant-select-dropdown').getByText('Manager').click()
  await expect(page.getByRole('listitem').filter({ hasText: bob.email })).toContainText('Manager')

  // A switch turned off is off for everybody, and the log says who did it.
  await nav.getByRole('link', { name: 'Settings' }).click()
  await page.getByRole('switch', { name: 'Files may be shared' }).click()
  await expect(page.getByRole('switch', { name: 'Files may be shared' })).not.toBeChecked()
  await page.getByRole('button', { name: 'Make it an organization' }).click()
  await expect(page.getByRole('button', { name: 'Make it a team' })).toBeVisible()

  // Another owner, by typing the name; then the old one may leave.
  await page.getByRole('button', { name: 'Transfer…' }).click()
  const transfer = page.getByRole('dialog', { name: `Transfer “${team}”` })
  await transfer.getByRole('combobox', { name: 'The new owner' }).click()
  await page.locator('.ant-select-dropdown').getByText(`Bob (${bob.email})`).click()
  await transfer.getByRole('textbox', { name: 'Name of the workspace' }).fill(team)
  await transfer.getByRole('button', { name: 'Transfer' }).click()
  await expect(page.getByRole('button', { name: 'Leave' })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('list', { name: 'Log' })).toContainText('made Bob the owner')
  await page.getByRole('button', { name: 'Leave' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click()
  await expect(page.getByRole('heading', { name: 'Recent' })).toBeVisible()

  // Its new owner ends it: only the exact name does.
  await guest.reload()
  await guest.getByRole('button', { name: /^Workspace:/ }).click()
  await guest.getByRole('menuitem', { name: team }).click()
  await guest.getByRole('navigation', { name: 'Workspace' }).getByRole('link', { name: 'Settings' }).click()
  await guest.getByRole('button', { name: 'Delete', exact: true }).click()
  const end = guest.getByRole('dialog', { name: /for ever/ })
  await end.getByRole('textbox', { name: 'Name of the workspace' }).fill(team.toLowerCase())
  await expect(end.getByRole('button', { name: 'Delete for ever' })).toBeDisabled()
  await end.getByRole('textbox', { name: 'Name of the workspace' }).fill(team)
  await end.getByRole('button', { name: 'Delete for ever' }).click()
  await expect(guest.getByRole('heading', { name: 'Recent' })).toBeVisible()
  await guest.context().close()
})

test('a picture is cut to its frame and shown; signing in elsewhere is told; an account ends with its password', async ({
  page,
  browser,
}) => {
  const cara = await register(page, 'Cara')
  await page.getByTestId('profile').click()
  await page.getByRole('menuitem', { name: 'My account' }).click()
  const account = page.getByRole('dialog', { name: 'My account' })
  await expect(account.getByRole('heading', { name: 'Usage' })).toBeVisible()
  const choosing = page.waitForEvent('filechooser')
  await account.getByRole('button', { name: 'Choose a picture' }).click()
  await (await choosing).setFiles({ name: 'me.png', mimeType: 'image/png', buffer: Buffer.from(onePixel, 'base64') })
  const cutter = page.getByRole('dialog', { name: 'Choose the part to show' })
  await cutter.getByRole('img', { name: /part that is kept/ }).focus()
  await page.keyboard.press('+')
  await cutter.getByRole('button', { name: 'Use it' }).click()
  await expect(page.getByTestId('profile').locator('img')).toBeVisible()

  const other = await openContext(browser)
  await signIn(other, cara)
  await other.context().close()
  await page.reload()
  await page.getByRole('button', { name: /^Notifications/ }).click()
  await expect(page.getByRole('region', { name: 'Notifications' }).getByText(/re-login/)).toBeVisible()
  await page.getByRole('button', { name: 'It was not me' }).click()
  await page.getByTestId('profile').click()
  await page.getByRole('menuitem', { name: 'My account' }).click()
  await expect(account.getByText('This browser')).toBeVisible()
  await expect(account.getByRole('button', { name: 'Sign out', exact: true })).toBeHidden()
  await account.getByRole('textbox', { name: 'Password' }).fill(cara.password)
  await account.getByRole('button', { name: 'Delete for ever' }).click()
  await page.waitForURL(/\/login/)
})

/** A PNG of one pixel. */
const onePixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
