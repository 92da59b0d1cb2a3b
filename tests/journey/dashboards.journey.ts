// A dashboard from nothing to use: its model, a chart and a slider, a run, a watermark; after a reload and on a phone.
import { expect, test } from 'playwright/test'
import { continueOnDevice, files, openSample, watchErrors } from './app.ts'

test('a dashboard is made, run, used, and is there again', async ({ page }) => {
  const errors = watchErrors(page)
  await continueOnDevice(page)
  await openSample(page, 'Segregation')
  await page.goto('/workspace/device/project')
  await files(page).begin('Dashboard', 'Town')
  await page.waitForURL(/\/file\//)

  // A card needs a run of a model: that comes first.
  const add = page.getByRole('complementary', { name: 'Add' })
  await expect(add.getByRole('button', { name: 'Line' })).toHaveCount(0)
  await page.getByRole('main').getByRole('combobox', { name: 'Model' }).click()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'What should be seen?' })).toBeVisible()

  // A chart is one at once; a slider sets a public variable.
  await add.getByRole('button', { name: 'Line' }).click()
  const properties = page.getByRole('complementary', { name: 'Properties' })
  await expect(properties.getByText('similar', { exact: true }).first()).toBeVisible()
  await add.getByRole('button', { name: 'Slider' }).click()
  const slider = page.getByRole('main').getByRole('slider')
  await expect(slider).toBeVisible()

  // By the keys: one column to the right.
  const card = page.getByRole('group', { name: /Controller: arrow keys/ })
  await card.focus()
  const before = (await card.boundingBox())!
  await page.keyboard.press('ArrowDown')
  await expect.poll(async () => (await card.boundingBox())!.y).toBeGreaterThan(before.y + 40)
  await page.keyboard.press('Control+z')
  await expect.poll(async () => (await card.boundingBox())!.y).toBeLessThan(before.y + 10)

  // What is done in the very last moment of a page is kept: nothing that the database answers is heard any more.
  const { y } = (await card.boundingBox())!
  await card.evaluate(({ id }) => {
    const down = new KeyboardEvent('keydown', { key: 'ArrowDown', bubbles: true, cancelable: true })
    // By its id: the card may be drawn again until then.
    addEventListener('pagehide', () => document.getElementById(id)?.dispatchEvent(down))
  })
  await page.reload()
  await expect(card).toBeVisible()
  expect((await card.boundingBox())!.y).toBeGreaterThan(y + 40)

  const controls = page.getByRole('toolbar', { name: 'Run controls' })
  await controls.getByRole('button', { name: 'Play', exact: true }).click()
  await expect(controls.getByText(/^tick [1-9]/)).toBeVisible()

  // A watermark needs a text.
  await add.getByRole('button', { name: 'Whole page' }).click()
  await properties.getByRole('switch', { name: 'Watermark' }).click()
  await expect(properties.getByText('A watermark needs a text')).toBeVisible()
  await properties.getByRole('textbox', { name: 'Watermark text' }).fill('Draft')
  await properties.getByRole('textbox', { name: 'Watermark text' }).press('Enter')
  await expect(page.locator('svg[data-text="Draft"]')).toBeVisible()

  await page.reload()
  await expect(page.getByRole('main').getByRole('slider')).toBeVisible()
  await page.getByText('Use', { exact: true }).click()
  await expect(add).toHaveCount(0)
  await expect(page.locator('svg[data-text="Draft"]')).toBeVisible()
  await controls.getByRole('button', { name: 'Play', exact: true }).click()
  await expect(controls.getByText(/^tick [1-9]/)).toBeVisible()

  // One column on a phone, nothing to scroll sideways.
  await page.setViewportSize({ width: 390, height: 844 })
  await expect(page.getByRole('main').getByRole('slider')).toBeVisible()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  expect(errors).toEqual([])
})

test('on a phone an empty dashboard is begun: a model, its charts and sliders, and a run', async ({ page }) => {
  const errors = watchErrors(page)
  await continueOnDevice(page)
  await openSample(page, 'Segregation')
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/workspace/device/project')
  await files(page).begin('Dashboard', 'Pocket')
  await page.waitForURL(/\/file\//)
  const main = page.getByRole('main')
  await main.getByRole('combobox', { name: 'Model' }).click()
  await page.keyboard.press('Enter')
  await main.getByRole('button', { name: /^Use the model’s charts and sliders/ }).click()
  await expect(main.getByRole('slider', { name: 'Similar wanted' })).toBeVisible()
  await expect(main.getByRole('slider', { name: 'Density' })).toBeVisible()
  await page.getByRole('button', { name: 'Play' }).click()
  await expect(page.getByText(/^tick [1-9]/)).toBeVisible()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  // The whole title is to be read.
  await page.getByRole('button', { name: 'Rename Pocket', exact: true }).click()
  await page.getByRole('textbox', { name: 'Title', exact: true }).fill('Neighbours of both kinds')
  await page.keyboard.press('Enter')
  const title = page.getByRole('heading', { name: 'Rename Neighbours of both kinds' }).getByRole('button')
  await expect(title).toBeVisible()
  expect(await title.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
  expect(errors).toEqual([])
})
