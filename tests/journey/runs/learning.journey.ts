// Learning in a sample: trained, stopped, continued, its policy put into the model and run; its weights saved and loaded again.
import { expect, test } from 'playwright/test'
import type { Page } from 'playwright/test'
import { continueOnDevice, editor, signIn, watchErrors } from '../app.ts'

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

test('on the server: goes on while its page is loaded again, is stopped, continued and put away; compared with one of the page', async ({
  page,
}) => {
  test.slow()
  const errors = watchErrors(page)
  await signIn(page)
  await page.locator('[data-experiment="cart-pole-learning"]').click()
  await expect(page).toHaveURL(/\/experimenting\//)
  const plan = page.getByRole('complementary', { name: 'Plan' })
  const fill = async (field: string, value: string): Promise<void> => {
    await plan.getByRole('spinbutton', { name: field, exact: true }).fill(value)
    await page.keyboard.press('Tab')
  }
  // So many epochs that the training still runs when Stop is pressed.
  await fill('Training epoch', '5000')
  await fill('Decisions per epoch', '1000')
  await fill('Test episodes', '3')
  await fill('Reward threshold', '')
  const progress = page.getByTestId('progress')
  const done = async (): Promise<number> => Number(await progress.getAttribute('data-done'))
  const stop = async (): Promise<void> => {
    await page.getByTestId('stop').click()
    await expect(progress).toHaveAttribute('data-status', 'stopped', { timeout: 60_000 })
  }
  const onServer = page.getByTestId('start-server')
  await onServer.click()
  await expect.poll(done, { timeout: 120_000 }).toBeGreaterThan(0)
  await page.reload()
  await expect(progress).toHaveAttribute('data-where', 'server')
  await expect(progress).toHaveAttribute('data-status', 'running')
  await expect.poll(done, { timeout: 120_000 }).toBeGreaterThan(0)
  await stop()
  const before = await done()
  await expect(onServer).toHaveText('Continue on the server')
  await onServer.click()
  await expect(progress).toHaveAttribute('data-status', 'running')
  await expect.poll(done, { timeout: 120_000 }).toBeGreaterThan(before)
  await stop()
  await page.getByRole('button', { name: 'Reset', exact: true }).click()
  await expect(progress).toBeHidden()

  await fill('GAE lambda', '0.7')
  await expect(page.getByTestId('start')).toHaveText('Start')
  await page.getByTestId('start').click()
  await expect.poll(done).toBeGreaterThan(0)
  await expect(progress).toHaveAttribute('data-where', 'here')
  await stop()
  await page.getByRole('checkbox', { name: 'Compare' }).check()
  const compared = page.getByRole('region', { name: 'Compared trainings' })
  await expect(compared.getByRole('row')).toHaveCount(3)
  await expect(compared.getByText('GAE lambda')).toBeVisible()
  expect(errors).toEqual([])
})

/** The sample of admission, running, with its decision left to a person. */
async function decidedByHand(page: Page) {
  await continueOnDevice(page)
  await page.locator('[data-sample="admission"]').click()
  const app = editor(page)
  const outline = await app.outline()
  await app.left.getByPlaceholder('Search the outline').fill('Let in?')
  await outline.getByRole('treeitem', { name: /^Let in\?/ }).click()
  await app.inspector.getByRole('combobox', { name: 'Policy', exact: true }).click()
  await page.getByTitle('A person', { exact: true }).click()
  await app.run.getByRole('button', { name: 'Play' }).click()
  return app
}

test('a person decides by hand: the run waits, says what is seen, and goes on with each answer', async ({ page }) => {
  const errors = watchErrors(page)
  const app = await decidedByHand(page)
  const card = page.getByRole('group', { name: 'You decide: Let in?' })
  await expect(card).toBeVisible()
  await expect(card.getByRole('definition')).toHaveText(['0'])
  await expect(app.run.getByRole('button', { name: 'Play' })).toBeVisible()
  // Each customer asks again; one that is let in is seen by the next one.
  await card.getByRole('button', { name: '1' }).press('Enter')
  await expect(card).toBeVisible()
  await card.getByRole('button', { name: '0' }).click()
  await expect(card).toBeVisible()
  await app.run.getByRole('button', { name: 'Reset' }).click()
  await expect(card).toBeHidden()
  expect(errors).toEqual([])
})

test('a person decides in the run and in its what-if, each by itself', async ({ page }) => {
  const errors = watchErrors(page)
  const app = await decidedByHand(page)
  const own = page.getByRole('group', { name: 'You decide: Let in?', exact: true })
  await own.getByRole('button', { name: '1' }).click()
  await expect(own).toBeVisible()
  await app.show('Compare')
  await app.panel.getByRole('button', { name: /Fork at tick/ }).click()
  const other = page.getByRole('group', { name: 'In the what-if: You decide: Let in?', exact: true })
  await expect(other).toBeVisible()
  const seen = await own.getByRole('definition').innerText()
  await expect(other.getByRole('definition')).toHaveText([seen])
  // An answer in the what-if is its own: in the run the same question is still open.
  await other.getByRole('button', { name: '0' }).click()
  await expect(other).toBeHidden()
  await expect(own.getByRole('definition')).toHaveText([seen])
  // It continues with the run, to a question of its own sooner or later.
  for (let turn = 0; turn < 20 && !(await other.isVisible()); turn++) {
    await own.getByRole('button', { name: '1' }).click()
    await expect(own).toBeVisible()
  }
  await expect(other).toBeVisible()
  await app.panel.getByRole('button', { name: 'Discard' }).click()
  await expect(other).toBeHidden()
  await expect(own).toBeVisible()
  expect(errors).toEqual([])
})

async function bytesOf(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of stream) parts.push(part)
  return Buffer.concat(parts)
}
