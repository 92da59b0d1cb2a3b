// Tests of a model in its panel: run, shown on the canvas, run again when an edit touches them, and led back to the seed that fails; in Chinese, too, with
// a model that has a chain.
import { expect, test } from 'playwright/test'
import { continueOnDevice, editor, openSample, watchErrors } from '../app.ts'

test('tests of the clinic pass, fail after an edit that touches them, lead to a seed, and pass again when it is undone', async ({
  page,
}) => {
  const errors = watchErrors(page)
  await continueOnDevice(page)
  await openSample(page, 'Clinic')
  const app = editor(page)
  const panel = await app.show('Tests')
  const sum = panel.getByRole('status')
  await panel.getByRole('button', { name: 'Run “Waits as in M/M/3”' }).click()
  await expect(sum).toHaveText('1 passed, 0 failed')
  await panel.getByRole('switch', { name: 'Coverage on the canvas' }).click()
  await panel.getByRole('button', { name: 'Run tests', exact: true }).click()
  await expect(sum).toHaveText('3 passed, 0 failed · every step is reached')

  // With two nurses more patients wait than three could treat.
  const outline = await app.outline()
  await outline
    .getByRole('treeitem', { name: /^Staff/ })
    .last()
    .click()
  await app.formula('Initial value', '2')
  await page.keyboard.press('Tab')
  await expect(sum).toContainText(/[1-3] failed/)
  const failed = panel.getByRole('listitem').filter({ hasText: 'Waits as in M/M/3' })
  await expect(failed.getByLabel('Failed', { exact: true })).toBeVisible()
  const again = failed.getByRole('button', { name: /^Load seed/ }).first()
  const seed = /\d+/.exec(await again.innerText())![0]
  await again.click()
  await expect(app.run.getByRole('spinbutton', { name: 'Seed' })).toHaveValue(seed)

  await app.canvas.focus()
  await page.keyboard.press('ControlOrMeta+z')
  await expect(sum).toHaveText('3 passed, 0 failed · every step is reached')
  expect(errors).toEqual([])
})

test('in Chinese: a model with a chain runs, its panel names what was sent, its tests pass', async ({ browser, baseURL }) => {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'zh-CN', colorScheme: 'dark' })
  const page = await context.newPage()
  const errors = watchErrors(page)
  await page.goto(baseURL ?? '')
  await page.getByRole('button', { name: '在本设备上继续' }).click()
  await page
    .getByRole('region', { name: '示例' })
    .getByRole('button', { name: /^池的套利/ })
    .click()
  const panel = page.getByRole('region', { name: '仿真面板' })
  await panel.getByRole('tab', { name: '测试' }).click()
  await panel.getByRole('button', { name: '运行测试', exact: true }).click()
  await expect(panel.getByRole('status')).toHaveText(/^[1-9] 个通过，0 个失败$/)

  await panel.getByRole('tab', { name: '查看' }).click()
  await panel.getByRole('tab', { name: '链' }).click()
  await expect(panel.getByText('尚未发送交易。')).toBeVisible()
  const run = page.getByRole('toolbar', { name: '运行控制' })
  await run.getByRole('button', { name: '播放' }).click()
  await expect(run).toContainText(/步\s*[1-9]\d/)
  await run.getByRole('button', { name: '暂停' }).click()
  await expect(panel.getByRole('row', { name: /swap.*成功/ }).first()).toBeVisible()
  await panel.getByTitle('区块', { exact: true }).click()
  await expect(panel.getByRole('columnheader', { name: '基础费用 (wei)' })).toBeVisible()
  expect(errors).toEqual([])
  await context.close()
})
