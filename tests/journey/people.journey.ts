// People: an account by letters, lost and found; asked in by a link and let in from the bell; seen by their pictures; the trash; a link
// closed and opened again, read without an account.
import { expect, test, type Locator, type Page } from 'playwright/test'
import { editor, files, letterLink, openContext, register, signIn } from './app.ts'

const fresh = (name: string): string => `${name} ${Date.now().toString(36)}`

/** The code in the newest letter to an address. */
async function codeTo(page: Page, to: string, subject: RegExp): Promise<string> {
  const find = async (): Promise<string> => {
    const letters: { to: string; subject: string }[] = await (await page.request.get('/api/dev/outbox.json')).json()
    return subject.exec(letters.find(letter => letter.to === to && subject.test(letter.subject))?.subject ?? '')?.[1] ?? ''
  }
  await expect.poll(find, { message: `a letter to ${to}` }).not.toBe('')
  return find()
}

test('an account: refused, registered, activated once; its password forgotten and set anew', async ({ page }) => {
  const email = `${fresh('dora').replace(' ', '-')}@example.org`
  const hints: { demo: { invitation: string } } = await (await page.request.get('/api/hints')).json()
  await page.goto('/register')
  const create = page.getByRole('button', { name: 'Create account' })
  await create.click()
  for (const words of ['Enter a name.', 'Enter the invitation code.', 'Please read and accept the disclaimer.'])
    await expect(page.getByText(words)).toBeVisible()
  await page.getByRole('textbox', { name: 'Nickname' }).fill('Dora')
  await page.getByRole('textbox', { name: 'Email' }).fill(email)
  await page.getByRole('textbox', { name: 'Password', exact: true }).fill('correct horse')
  await page.getByRole('textbox', { name: 'Password again' }).fill('another horse')
  await page.getByRole('textbox', { name: 'Invitation code' }).fill('NONE')
  await page.getByRole('checkbox').check()
  await create.click()
  await expect(page.getByText(/do not match|not the same|must match|differ/i).first()).toBeVisible()
  await page.getByRole('textbox', { name: 'Password again' }).fill('correct horse')
  await create.click()
  await expect(page.getByText('Invitation code is invalid.')).toBeVisible()
  await page.getByRole('textbox', { name: 'Invitation code' }).fill(hints.demo.invitation)
  await create.click()
  await expect(page.getByRole('heading', { name: 'Activate your account' })).toBeVisible()

  // Not before it is activated; not with a wrong code; not twice.
  await page.goto('/login')
  await page.getByRole('textbox', { name: 'Email' }).fill(email)
  await page.getByRole('textbox', { name: 'Password' }).fill('correct horse')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByText('Account not activated; activate it in the registered email.')).toBeVisible()
  await page.getByRole('link', { name: 'Activate' }).click()
  const code = page.getByRole('textbox', { name: 'Activation code' })
  await expect(page.getByRole('textbox', { name: 'Email' })).toHaveValue(email)
  await code.fill('000000x')
  await page.getByRole('button', { name: /Activate$/ }).click()
  await expect(page.getByText('The activation code is empty or invalid.')).toBeVisible()
  await code.fill(await codeTo(page, email, /(\d{6})/))
  await page.getByRole('button', { name: /Activate$/ }).click()
  await expect(page).not.toHaveURL(/activate/)
  await page.goto(`/activate_account?email=${encodeURIComponent(email)}`)
  await code.fill('123456')
  await page.getByRole('button', { name: /Activate$/ }).click()
  // Only the reader of the letter learns that the account is active.
  await expect(page.getByText('The activation code is empty or invalid.')).toBeVisible()
  await page.goto(await letterLink(page, email, /\/activate_account\/\S+/))
  await expect(page.getByText('Account already activated. You can sign in.')).toBeVisible()

  await page.goto('/forgotpassword')
  await page.getByRole('textbox', { name: 'Email' }).fill(email)
  await page.getByRole('button', { name: 'Send the code' }).click()
  await page.getByRole('textbox', { name: 'New password' }).fill('a new password')
  await page.getByRole('textbox', { name: 'Password again' }).fill('a new password')
  const verification = page.getByRole('textbox', { name: 'Verification code' })
  await verification.fill('000000x')
  await page.getByRole('button', { name: 'Change password' }).click()
  await expect(page.getByText('Verification code is invalid.')).toBeVisible()
  await verification.fill(await codeTo(page, email, /verification code: (\d{6})/))
  await page.getByRole('button', { name: 'Change password' }).click()
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  await page.getByRole('textbox', { name: 'Email' }).fill(email)
  await page.getByRole('textbox', { name: 'Password' }).fill('correct horse')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByText('Account or password error.')).toBeVisible()
  await signIn(page, { email, password: 'a new password' })
})

test('a link to ask to join is answered from the bell; those who work together see each other’s pictures', async ({ page, browser }) => {
  const guest = await openContext(browser)
  await register(guest, 'Erin')
  await guest.request.put('/api/accounts/avatar', { data: Buffer.from(onePixel, 'base64'), headers: { 'content-type': 'image/png' } })
  await signIn(page)
  const team = { id: fresh('joined').replace(' ', '-'), name: fresh('Joined') }
  await page.request.post('/api/workspaces', { data: { ...team, type: 'team' } })
  await page.goto(`/workspace/${team.id}/member`)
  await page.getByRole('switch', { name: 'Link to ask to join' }).click()
  await expect(page.getByRole('button', { name: 'Copy the link' })).toBeVisible()
  const { code } = await (await page.request.get(`/api/workspaces/${team.id}/join-link`)).json()

  await guest.goto(`/team_invite/${code}`)
  await guest.getByRole('button', { name: 'Ask to join' }).click()
  await expect(guest.getByText('You have asked to join already. An administrator will answer.')).toBeVisible()
  await page.reload()
  await page.getByRole('button', { name: /^Notifications/ }).click()
  const bell = page.getByRole('region', { name: 'Notifications' })
  await bell
    .getByRole('listitem')
    .filter({ hasText: `Erin asks to join “${team.name}”` })
    .getByRole('button', { name: 'Let in' })
    .click()
  await expect(page.getByText('They are a viewer now; the list of members gives more.')).toBeVisible()
  await page.keyboard.press('Escape')
  await page.reload()
  await expect(page.getByRole('combobox', { name: 'Role of Erin' })).toBeVisible()
  await expect(page.getByRole('listitem').filter({ hasText: 'Erin' }).locator('img')).toBeVisible()

  await page.request.post('/api/files', { data: { id: `${team.id}-model`, kind: 'model', name: 'Seen by both', team: team.id } })
  await page.goto(`/modeling/${team.id}/${team.id}-model`)
  await guest.goto(`/modeling/${team.id}/${team.id}-model`)
  const here = page.getByRole('list', { name: 'Who is here' })
  await expect(here.locator('img')).toBeVisible()
  // A person without a picture is shown as an initial.
  await expect(guest.getByRole('list', { name: 'Who is here' }).getByText('D', { exact: true })).toBeVisible()

  // What one says is marked for the other until it was read; a pin that is dragged goes for both.
  const { canvas } = editor(page)
  await page.getByRole('button', { name: 'Comments', exact: true }).click()
  const talk = page.getByRole('region', { name: 'Comments' })
  await talk.getByRole('button', { name: 'New comment' }).click()
  await canvas.click({ position: { x: 200, y: 200 } })
  await talk.getByRole('textbox', { name: /What do you want to say/ }).pressSequentially('Here?')
  await page.keyboard.press('ControlOrMeta+Enter')
  const [mine, theirs] = [page, guest].map(one => editor(one).canvas.getByRole('button', { name: /^Comment by Demo/ }))
  if (!mine || !theirs) throw new Error('no pins')
  await expect(theirs).toHaveAccessibleName('Comment by Demo, unread')
  await theirs.click()
  await expect(guest.getByRole('region', { name: 'Comments' }).getByText('Here?')).toBeVisible()
  await expect(theirs).toHaveAccessibleName('Comment by Demo')
  const place = async (pin: Locator): Promise<[number, number]> => {
    const box = await pin.boundingBox()
    return [Math.round(box?.x ?? 0), Math.round(box?.y ?? 0)]
  }
  const [from, seen] = [await place(mine), await place(theirs)]
  await page.mouse.move(from[0] + 12, from[1] + 12)
  await page.mouse.down()
  await page.mouse.move(from[0] + 60, from[1] + 40, { steps: 4 })
  await page.mouse.move(from[0] + 132, from[1] + 72, { steps: 4 })
  await page.mouse.up()
  await expect.poll(() => place(mine)).toEqual([from[0] + 120, from[1] + 60])
  await expect.poll(() => place(theirs)).toEqual([seen[0] + 120, seen[1] + 60])

  // Workspaces and documents that are not there say so.
  await page.goto('/workspace/no-such-team/project')
  await expect(page.getByRole('heading', { name: 'No such workspace' })).toBeVisible()
  await page.goto(`/modeling/${team.id}/no-such-model`)
  await expect(page.getByText(/does not exist, or you have no access/)).toBeVisible()
  await page.goto(`/file/${team.id}/no-such-file/more`)
  await expect(page).toHaveURL(`/file/${team.id}/no-such-file`)
  await expect(page.getByText(/does not exist, or you have no access/)).toBeVisible()
  await guest.context().close()
})

test('the trash gives back, deletes for ever, and is emptied', async ({ page }) => {
  await register(page, 'Tara')
  const list = files(page)
  await list.open()
  for (const name of ['Kept', 'Gone', 'Last']) {
    await list.make('Project', name)
    await list.menu(name, 'Move to trash')
    await expect(list.link(name)).toBeHidden()
  }
  await page.getByRole('navigation', { name: 'Workspace' }).getByRole('link', { name: 'Trash' }).click()
  const row = (name: string) => page.getByRole('table', { name: 'Trash' }).getByRole('row').filter({ hasText: name })
  await row('Kept').getByRole('button', { name: 'Restore' }).click()
  await expect(row('Kept')).toBeHidden()
  await page.getByRole('button', { name: 'Delete “Gone” for ever' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete for ever' }).click()
  await expect(row('Gone')).toBeHidden()
  await page.getByRole('button', { name: 'Empty the trash' }).click()
  await page.getByRole('dialog').getByRole('button').last().click()
  await expect(page.getByText('The trash is empty')).toBeVisible()
  await list.open()
  await expect(list.link('Kept')).toBeVisible()
  await expect(list.link('Last')).toBeHidden()
})

test('a link is closed, says so, is opened again, and needs no account', async ({ page, browser }) => {
  await signIn(page)
  const id = fresh('reopened').replace(' ', '-')
  const { team } = await (await page.request.get('/api/accounts/session')).json()
  await page.request.post('/api/files', { data: { id, kind: 'model', name: fresh('Reopened') } })
  await page.goto(`/modeling/${team}/${id}`)
  await page.getByTestId('share').click()
  await page.getByRole('tab', { name: 'Links' }).click()
  await page.getByTestId('create-link').click()
  const link = new URL(await page.getByTestId('share-link').inputValue()).pathname

  const guest = await openContext(browser)
  await guest.goto(link)
  await expect(editor(guest).canvas).toBeVisible()
  await expect(editor(guest).run.getByRole('button', { name: 'Play' })).toBeVisible()
  await expect(guest.getByRole('button', { name: 'Sign in' })).toBeVisible()
  await page.getByRole('button', { name: 'Close this link' }).click()
  await expect(page.getByTestId('share-link')).toBeHidden()
  await guest.reload()
  await expect(guest.getByRole('heading', { name: 'This link is over' })).toBeVisible()
  await page.getByText('Closed links').click()
  await page.getByRole('button', { name: 'Open again' }).click()
  await expect(page.getByTestId('share-link')).toHaveValue(new RegExp(`${link}$`))
  await guest.getByRole('button', { name: 'Try again' }).click()
  await expect(editor(guest).canvas).toBeVisible()
  await guest.context().close()
})

/** A PNG of one pixel. */
const onePixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
