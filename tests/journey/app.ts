// The application as a person meets it: pages and controls by the names a screen reader says.
import { expect, type Browser, type Locator, type Page } from 'playwright/test'

export const demo = { email: 'demo@holarchy.local', password: 'holarchy' }

/** Where journeys serve a language model; the server may call it there. */
export const providerPort = Number(process.env['JOURNEY_PORT'] ?? 4391) + 500

/** Where they serve a node of a real chain, under the name of `nodes.json`. */
export const nodePort = providerPort + 1

/** Fails the test when the page throws: an error that is not shown is still an error. */
export function watchErrors(page: Page): string[] {
  const errors: string[] = []
  page.on('pageerror', error => errors.push(error.message))
  return errors
}

export async function continueOnDevice(page: Page): Promise<void> {
  await page.goto('/')
  await page.getByRole('button', { name: 'Continue on this device' }).click()
  await expect(page.getByRole('heading', { name: 'Recent' })).toBeVisible()
}

export async function signIn(page: Page, who: { email: string; password: string } = demo): Promise<void> {
  await page.goto('/login')
  await page.getByRole('textbox', { name: 'Email' }).fill(who.email)
  await page.getByRole('textbox', { name: 'Password' }).fill(who.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('heading', { name: 'Recent' })).toBeVisible()
}

/** Makes a new user, through the sign-up page and the letter that the development server keeps; signed in at the end. */
export async function register(page: Page, name: string): Promise<{ name: string; email: string; password: string }> {
  const who = { name, email: `${name.toLowerCase()}-${Date.now().toString(36)}@example.org`, password: 'correct horse' }
  const hints: { demo: { invitation: string } } = await (await page.request.get('/api/hints')).json()
  await page.goto('/register')
  await page.getByRole('textbox', { name: 'Nickname' }).fill(name)
  await page.getByRole('textbox', { name: 'Email' }).fill(who.email)
  await page.getByRole('textbox', { name: 'Password', exact: true }).fill(who.password)
  await page.getByRole('textbox', { name: 'Password again' }).fill(who.password)
  await page.getByRole('textbox', { name: 'Invitation code' }).fill(hints.demo.invitation)
  await page.getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Create account' }).click()
  await expect(page.getByText('Activate').first()).toBeVisible()
  const link = await letterLink(page, who.email, /\/activate_account\/\S+/)
  await page.goto(link)
  await expect(page.getByText('Your account is active')).toBeVisible()
  await signIn(page, who)
  return who
}

/** The path of a link in the newest letter to an address. */
export async function letterLink(page: Page, to: string, path: RegExp): Promise<string> {
  const find = async (): Promise<string> => {
    const letters: { to: string; body: string }[] = await (await page.request.get('/api/dev/outbox.json')).json()
    return path.exec(letters.find(letter => letter.to === to && path.test(letter.body))?.body ?? '')?.[0] ?? ''
  }
  await expect.poll(find, { message: `a letter to ${to} with ${path}` }).not.toBe('')
  return find()
}

/**
 * Chooses an entry of the menu that a button opens. An element next to the button may appear at that moment and take the click: then the click
 * is repeated.
 */
export async function choose(page: Page, button: Locator, entry: string): Promise<void> {
  const item = page.getByRole('menuitem', { name: entry, exact: true })
  await expect(async () => {
    await button.click()
    await expect(item).toBeVisible({ timeout: 2000 })
  }).toPass()
  await item.click()
}

/** The workspace's list of files, as a person finds their way in it. */
export function files(page: Page) {
  const main = page.getByRole('main')
  const link = (name: string): Locator => main.locator('[data-file]').filter({ hasText: new RegExp(`^${name}$`) })
  const item = (name: string): Locator =>
    main.locator('li, tr').filter({ has: page.locator('[data-file]').filter({ hasText: new RegExp(`^${name}$`) }) })
  return {
    link,
    item,
    async open(): Promise<void> {
      await page.getByRole('navigation', { name: 'Workspace' }).getByRole('link', { name: 'My files' }).click()
      await expect(page.getByRole('heading', { name: 'My files' })).toBeVisible()
    },
    /** Makes a file of a kind without an editor (a folder, a library …) from the menu, and names it. */
    async make(kind: string, name: string): Promise<void> {
      await choose(page, main.getByTestId('new-other').first(), kind)
      const field = main.getByRole('textbox', { name: 'Name', exact: true })
      await field.fill(name)
      await field.press('Enter')
      await expect(link(name)).toBeVisible()
    },
    /** Makes a file of a kind with an editor, which opens, and names it there. */
    async begin(kind: string, name: string): Promise<void> {
      await choose(page, main.getByTestId('new-other').first(), kind)
      const field = page.getByRole('banner').getByRole('textbox', { name: 'Title', exact: true })
      await expect(field).toBeFocused()
      await field.fill(name)
      await field.press('Enter')
      await expect(page.getByRole('button', { name: `Rename ${name}`, exact: true })).toBeVisible()
    },
    async menu(name: string, entry: string): Promise<void> {
      await choose(page, item(name).getByRole('button', { name: `Actions for ${name}` }), entry)
    },
  }
}

export async function openSample(page: Page, title: string): Promise<void> {
  await page
    .getByRole('region', { name: 'Samples' })
    .getByRole('button', { name: new RegExp(`^${title}`) })
    .click()
  await page.waitForURL(/\/modeling\//)
  // A phone shows the run first.
  await expect(editor(page).canvas.or(page.getByRole('main', { name: 'Run view' }))).toBeVisible()
}

export async function newModel(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'New model' }).first().click()
  await page.waitForURL(/\/modeling\//)
  await expect(editor(page).canvas).toBeVisible()
}

/** The tab of the simulation panel under which another one is found. */
const groups: Readonly<Record<string, string>> = {
  Output: 'Inspect',
  Variables: 'Inspect',
  Individuals: 'Inspect',
  Inputs: 'Inspect',
  Chain: 'Inspect',
  Breakpoints: 'Debug',
  Locals: 'Debug',
  'Call stack': 'Debug',
  Profiler: 'Debug',
  References: 'Debug',
}

const canvasOf = (page: Page): Locator => page.getByRole('application', { name: /^Model canvas/ })

/** The model editor's parts. */
export function editor(page: Page) {
  const left = page.getByRole('complementary', { name: 'Components and outline' })
  const inspector = page.getByRole('complementary', { name: 'Properties' })
  const run = page.getByRole('toolbar', { name: 'Run controls' })
  const panel = page.getByRole('region', { name: 'Simulation panel' })
  return {
    canvas: canvasOf(page),
    left,
    inspector,
    run,
    panel,
    tick: () => run.getByText(/^tick$/).locator('xpath=..'),
    async place(kind: string, x: number, y: number): Promise<void> {
      await left.getByRole('tab', { name: 'Components' }).click()
      await left.getByRole('button', { name: kind, exact: true }).click()
      await canvasOf(page).click({ position: { x, y } })
    },
    /** Adds what comes after the selected step, by keyboard. */
    async addNext(kind: string): Promise<void> {
      await canvasOf(page).focus()
      await page.keyboard.press('n')
      const search = page.getByRole('combobox', { name: 'Search components' })
      await search.fill(kind)
      await page.getByRole('option', { name: kind, exact: true }).click()
      await expect(search).toBeHidden()
    },
    async outline(): Promise<Locator> {
      await left.getByRole('tab', { name: 'Outline' }).click()
      return left.getByRole('tree')
    },
    async show(tab: string): Promise<Locator> {
      const group = groups[tab]
      if (group) await panel.getByRole('tab', { name: group, exact: true }).click()
      await panel.getByRole('tab', { name: new RegExp(`^${tab}`) }).click()
      return panel
    },
    /** Types into a formula field, replacing what is there. */
    async formula(label: string, text: string): Promise<void> {
      const field = inspector.getByRole('textbox', { name: label, exact: true })
      await field.click()
      await page.keyboard.press('ControlOrMeta+a')
      await page.keyboard.press('Delete')
      await field.pressSequentially(text)
    },
  }
}

export async function openContext(browser: Browser): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en-US' })
  return context.newPage()
}
