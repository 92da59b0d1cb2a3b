// A model from nothing: by palette, keyboard and formula fields; problems found, shown in place and mended; then run.
import { expect, test } from 'playwright/test'
import { continueOnDevice, editor, newModel, watchErrors } from './app.ts'

test('build a small model, mend what the Problems list says, run it', async ({ page }) => {
  const errors = watchErrors(page)
  await continueOnDevice(page)
  await newModel(page)
  const app = editor(page)

  await app.place('Space', 120, 120)
  await app.place('Cell', 280, 120)
  await app.place('Agent', 440, 120)
  await app.place('Variable', 200, 320)
  await app.inspector.getByRole('textbox', { name: 'Name', exact: true }).fill('total')
  await app.inspector.getByRole('textbox', { name: 'Name', exact: true }).press('Enter')
  await app.place('Process', 520, 320)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('navigation', { name: 'Canvases' }).getByRole('button', { name: /Process/ })).toBeVisible()

  await app.place('Timer start', 80, 200)
  await app.addNext('Compute')
  await app.formula('Program', 'total += ammount')
  const problems = await app.show('Problems')
  await expect(problems.getByText(/ammount/).first()).toBeVisible()
  await app.formula('Program', 'total += 1')
  await expect(problems.getByText(/ammount/)).toHaveCount(0)

  await app.addNext('Exclusive gateway')
  await app.addNext('Delay')
  await app.formula('Duration', '0.5')
  await app.addNext('End')
  // One branch is no choice: add the other, then say which is taken when.
  const outline = await app.outline()
  await outline
    .getByRole('treeitem', { name: /gateway/i })
    .last()
    .click()
  await app.addNext('End')
  // The number of a problem is no part of its sentence: it is behind "Why?".
  await expect(problems.getByRole('link', { name: 'Why?' }).first()).toHaveAttribute('href', /problem-\d{4}$/)
  await expect(problems).not.toContainText(/\d{4}/)
  await problems
    .getByRole('button', { name: /Branch has no condition/ })
    .first()
    .click()
  await app.inspector.getByRole('switch', { name: 'Default branch' }).click()
  await expect(problems.getByRole('button', { name: /Branch has no condition/ })).toHaveCount(1)
  await problems
    .getByRole('button', { name: /Branch has no condition/ })
    .first()
    .click()
  await app.formula('Condition', 'total > 3')
  await expect(problems.getByRole('button', { name: /Error/ })).toHaveCount(0)

  await app.run.getByRole('button', { name: 'Play' }).click()
  await expect(app.tick()).toHaveText(/tick\s*\d{2}/)
  await app.run.getByRole('button', { name: 'Pause' }).click()
  expect(errors).toEqual([])
})

test('a zero-time loop ends the run with its code, and the page lives on', async ({ page }) => {
  await continueOnDevice(page)
  await newModel(page)
  const app = editor(page)
  await app.place('Variable', 200, 80)
  await app.place('Process', 300, 200)
  await page.keyboard.press('Enter')
  await app.place('Start', 80, 200)
  await app.addNext('Compute')
  await app.formula('Program', 'while True: Variable1 += 1')
  await app.addNext('End')
  await app.run.getByRole('button', { name: 'Play' }).click()
  await expect(app.run.getByText(/Failed/)).toBeVisible({ timeout: 120_000 })
  await expect(app.canvas).toBeVisible()
})
