// Learning in a sample: trained, stopped, continued, its policy put into the model and run; its weights saved and loaded again.
import { expect, test } from 'playwright/test'
import { continueOnDevice, editor, watchErrors } from './app.ts'

test('a policy is learned in steps, decides in a run of the model, and its weights go out to a file and come in again', async ({
  page,
}) => {
  const errors = watchErrors(page)
  await continueOnDevice(page)
  await page.locator('[data-experiment="cart-pole-learning"]').click()
  await expect(page).toHaveURL(/\/experimenting\/device\//)
  const plan = page.getByRole('complementary', { name: 'Plan' })
  // So many epochs that the training still runs when Stop is pressed.
  for (const [field, value] of [
    ['Training epoch', '5000'],
    ['Decisions per epoch', '1000'],
    ['Test episodes', '3'],
    ['Reward threshold', ''],
  ] as const) {
    await plan.getByRole('spinbutton', { name: field, exact: true }).fill(value)
    await page.keyboard.press('Tab')
  }
  const progress = page.getByTestId('progress')
  const done = async (): Promise<number> => Number(await progress.getAttribute('data-done'))
  await page.getByTestId('start').click()
  await expect(page.getByRole('img', { name: /^Return of an episode/ })).toBeVisible()
  await page.getByTestId('stop').click()
  await expect(progress).toHaveAttribute('data-status', 'stopped')
  const before = await done()
  expect(before).toBeGreaterThan(0)

  await expect(page.getByTestId('start')).toHaveText('Continue')
  await page.getByTestId('start').click()
  await expect.poll(done).toBeGreaterThan(before)
  await page.getByTestId('stop').click()
  await expect(progress).toHaveAttribute('data-status', 'stopped')
  await expect(page.getByRole('region', { name: 'Learned policy' }).getByRole('row', { name: /At random/ })).toBeVisible()
  await page.getByTestId('use-policy').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Use in the model' }).click()
  await expect(page.getByText('The model decides by this policy now.')).toBeVisible()

  await plan.getByRole('link', { name: 'Cart and pole' }).click()
  await expect(page).toHaveURL(/\/modeling\/device\//)
  const app = editor(page)
  const outline = await app.outline()
  await outline.getByRole('treeitem', { name: /^policy/ }).click()
  await app.run.getByRole('button', { name: 'Play' }).click()
  await expect(app.tick()).not.toHaveText(/tick\s*0$/)
  await app.inspector.getByRole('button', { name: 'Look inside' }).click()
  const inside = page.getByRole('dialog', { name: 'policy' })
  await expect(inside.getByTestId('network-outputs').getByRole('listitem')).toHaveText([/^push = 0/, /^push = 1/])
  await page.keyboard.press('Escape')
  await expect(inside).toBeHidden()

  await app.inspector.getByRole('button', { name: 'Save weights' }).click()
  const [saved] = await Promise.all([page.waitForEvent('download'), page.getByRole('menuitem', { name: 'ONNX' }).click()])
  await page.getByTestId('weights-file').setInputFiles({
    name: 'policy.onnx',
    mimeType: 'application/octet-stream',
    buffer: await bytesOf(await saved.createReadStream()),
  })
  await expect(page.getByText('The weights were loaded.')).toBeVisible()
  await expect(app.inspector.getByRole('textbox', { name: 'Where they are from' })).toHaveValue('policy.onnx')
  expect(errors).toEqual([])
})

test('a person decides by hand: the run waits, says what is seen, and goes on with each answer', async ({ page }) => {
  const errors = watchErrors(page)
  await continueOnDevice(page)
  await page.locator('[data-sample="admission"]').click()
  const app = editor(page)
  const outline = await app.outline()
  await app.left.getByPlaceholder('Search the outline').fill('Let in?')
  await outline.getByRole('treeitem', { name: /^Let in\?/ }).click()
  await app.inspector.getByRole('combobox', { name: 'Policy', exact: true }).click()
  await page.getByTitle('A person', { exact: true }).click()
  await app.run.getByRole('button', { name: 'Play' }).click()
  const card = page.getByRole('group', { name: 'You decide: Let in?' })
  await expect(card).toBeVisible()
  await expect(card.getByRole('definition')).toHaveText(['0'])
  await expect(app.run.getByRole('button', { name: 'Play' })).toBeVisible()
  // Each customer asks anew; who is let in is seen by the next one.
  await card.getByRole('button', { name: '1' }).press('Enter')
  await expect(card).toBeVisible()
  await card.getByRole('button', { name: '0' }).click()
  await expect(card).toBeVisible()
  await app.run.getByRole('button', { name: 'Reset' }).click()
  await expect(card).toBeHidden()
  expect(errors).toEqual([])
})

async function bytesOf(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of stream) parts.push(part)
  return Buffer.concat(parts)
}
