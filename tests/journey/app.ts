// The application as a person meets it: pages and controls by the names a screen reader says.
import { expect, type Browser, type Locator, type Page } from 'playwright/test'

export const demo = { email: 'demo@holarchy.local', password: 'holarchy' }

/** Fails the test when the page throws: an error nobody shows is still an error. */
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

export async function openSample(page: Page, title: string): Promise<void> {
  await page
    .getByRole('region', { name: 'Samples' })
    .getByRole('button', { name: new RegExp(`^${title}`) })
    .click()
  await page.waitForURL(/\/modeling\//)
  await expect(editor(page).canvas).toBeVisible()
}

export async function newModel(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'New model' }).first().click()
  await page.waitForURL(/\/modeling\//)
  await expect(editor(page).canvas).toBeVisible()
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
