// Tasks of a modeller, each with the most interactions and typed formulas it may take: a click, a drag, a key or a text typed in one go is one.
import { expect, test, type Locator, type Page } from 'playwright/test'
import { continueOnDevice, editor, newModel, openSample, watchErrors } from './app.ts'

/** Does things as a person, and counts them. */
function hand(page: Page) {
  const counts = { interactions: 0, formulas: 0 }
  const once = async (act: Promise<unknown>): Promise<void> => {
    counts.interactions++
    await act
  }
  return {
    counts,
    click: (what: Locator) => once(what.click()),
    doubleClick: (what: Locator) => once(what.dblclick()),
    press: (key: string) => once(page.keyboard.press(key)),
    /** Replaces what a field holds. */
    fill: (field: Locator, text: string) => once(field.fill(text)),
    /** Replaces a formula, by keys: `fill` selects behind the back of the code editor, which may then put the text next to the old one. */
    formula: async (field: Locator, text: string): Promise<void> => {
      counts.formulas++
      const typed = async (): Promise<void> => {
        await field.click()
        await page.keyboard.press('ControlOrMeta+a')
        await page.keyboard.insertText(text)
      }
      await once(typed())
    },
    within: (interactions: number, formulas: number): void => {
      expect(counts.interactions, 'interactions').toBeLessThanOrEqual(interactions)
      expect(counts.formulas, 'typed formulas').toBeLessThanOrEqual(formulas)
    },
  }
}

const play = (page: Page): Locator => editor(page).run.getByRole('button', { name: 'Play' })

/** Opens the selection: its own canvas takes the place of the one that it is on. */
const inside = (page: Page): Locator => editor(page).inspector.getByRole('button', { name: 'Open inside' })

test('walkers: 200 that infect each other within radius 1, with a chart of the infected', async ({ page }) => {
  const errors = watchErrors(page)
  await continueOnDevice(page)
  await newModel(page)
  const app = editor(page)
  const person = hand(page)
  const item = (name: string): Locator => app.left.getByRole('button', { name, exact: true })
  await person.doubleClick(item('Random walkers'))
  await person.formula(app.inspector.getByRole('textbox', { name: 'Initial number' }), '200')
  await person.click(inside(page))
  await person.doubleClick(item('Infection'))
  await app.canvas.focus()
  await person.press('Escape')
  await person.press('Escape')
  await person.doubleClick(item('World view'))
  await person.doubleClick(item('Line chart'))
  await person.click(app.inspector.getByRole('button', { name: 'Add a measure' }))
  await person.click(page.getByRole('button', { name: 'How many are infected' }))
  await person.click(play(page))
  await expect(app.tick()).toHaveText(/tick\s*\d{2}/)
  person.within(14, 2)
  await expect(page.getByRole('listitem').filter({ hasText: 'How many are infected' })).toHaveText(/infected\s*[1-9]\d/)
  expect(errors).toEqual([])
})

test('segregation: a third group', async ({ page }) => {
  await continueOnDevice(page)
  await openSample(page, 'Segregation')
  const app = editor(page)
  const person = hand(page)
  const outline = await app.outline()
  await person.fill(app.left.getByRole('textbox', { name: 'Search the outline' }), 'group')
  await person.click(outline.getByRole('treeitem', { name: 'group', exact: true }))
  await person.formula(app.inspector.getByRole('textbox', { name: 'Initial value', exact: true }), 'randint(0, 3)')
  await person.click(play(page))
  await expect(app.tick()).toHaveText(/tick\s*[1-9]/)
  person.within(6, 1)
})

test('wolves, sheep and grass: a drought at tick 500', async ({ page }) => {
  await continueOnDevice(page)
  await openSample(page, 'Wolves, sheep and grass')
  const app = editor(page)
  const person = hand(page)
  const outline = await app.outline()
  await person.click(outline.getByRole('treeitem', { name: /^Regrowth/ }))
  await person.click(app.inspector.getByRole('button', { name: 'Change during the run' }))
  const form = page.getByRole('form', { name: 'Change during the run' })
  await person.fill(form.getByRole('spinbutton', { name: 'At time' }), '500')
  await person.formula(form.getByRole('textbox', { name: 'New value' }), '100')
  await person.click(form.getByRole('button', { name: 'Add' }))
  await expect(app.inspector.getByRole('heading', { name: /Regrowth changes/ })).toBeVisible()
  await person.click(play(page))
  await expect(app.tick()).toHaveText(/tick\s*[5-9]\d\d/, { timeout: 120_000 })
  person.within(8, 1)
  const inputs = await app.show('Variables')
  await expect(inputs.getByRole('row', { name: /Regrowth/ })).toContainText('100')
})

test('clinic: the arrival rate explored over ten values, with a band', async ({ page }) => {
  await continueOnDevice(page)
  await newModel(page)
  const app = editor(page)
  await page
    .getByRole('region', { name: 'Start a model' })
    .getByRole('button', { name: /^Queue/ })
    .click()
  const person = hand(page)
  const outline = await app.outline()
  await person.click(outline.getByRole('treeitem', { name: /^Rate/ }))
  await person.click(app.inspector.getByRole('button', { name: 'Explore its effect' }))
  await page.waitForURL(/\/experimenting\//)
  await person.click(page.getByTestId('start'))
  await expect(page.getByTestId('progress')).toHaveAttribute('data-status', 'finished', { timeout: 120_000 })
  await expect(page.getByTestId('progress')).toHaveAttribute('data-done', '100')
  await expect(page.getByRole('img', { name: /mean wait by Rate/i })).toBeVisible()
  person.within(6, 0)
})
