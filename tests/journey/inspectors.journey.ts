// All inspectors are alike - of a model, an experiment, a dashboard and a chart - and what an experiment found is said first, on a phone as well.
import { expect, test, type Locator } from 'playwright/test'
import { continueOnDevice, editor, files, newModel, openSample } from './app.ts'

/** Rows that are higher than a line, and fields that have a border of their own. */
const unlike = (inspector: Locator): Promise<string[]> =>
  inspector.evaluate(host => {
    const said = (row: Element): string => row.querySelector('label')?.textContent ?? ''
    // A formula is as high as it is long.
    const rows = [...host.querySelectorAll('.h-field:not([data-block])')].filter(row => !row.querySelector('.h-problem, .h-code'))
    const high = rows
      .filter(row => row.getBoundingClientRect().height > 30)
      .map(row => `${said(row)}: ${row.getBoundingClientRect().height}`)
    const bordered = rows
      .filter(row =>
        [...row.querySelectorAll('.ant-input, .ant-select, .ant-input-number')].some(field => {
          const { borderTopColor, borderTopWidth } = getComputedStyle(field)
          return parseFloat(borderTopWidth) > 0 && !/, 0\)$|transparent/.test(borderTopColor)
        }),
      )
      .map(row => `${said(row)}: bordered`)
    return rows.length === 0 ? ['no rows'] : [...high, ...bordered]
  })

/** In the page: the files of this device that have a cover. */
const coveredFiles = (): Promise<string[]> =>
  new Promise((done, failed) => {
    const asked = indexedDB.open('holarchy')
    asked.addEventListener('error', () => failed(asked.error))
    asked.addEventListener('success', () => {
      const keys = asked.result.transaction('covers').objectStore('covers').getAllKeys()
      keys.addEventListener('success', () => done(keys.result.map(key => String((key as string[])[1]))))
    })
  })

const helpStops = (inspector: Locator): Promise<number> => inspector.locator('.h-help:not([tabindex="-1"])').count()

test('rows of experiments, charts and dashboards are as those of a model: a line each, no border, help is no stop', async ({ page }) => {
  await continueOnDevice(page)
  await newModel(page)
  const model = page.getByRole('complementary', { name: 'Properties' })
  await expect(model.locator('.h-field').first()).toBeVisible()
  expect(await unlike(model)).toEqual([])

  await page.goto('/')
  await page.getByRole('button', { name: /When and how much to order/ }).click()
  const plan = page.getByRole('complementary', { name: 'Plan' })
  await expect(plan.getByText('Ready to start.')).toBeVisible()
  expect(await unlike(plan)).toEqual([])
  expect(await helpStops(plan)).toBe(0)
  // F1 in a field asks what it is about.
  await plan.getByRole('spinbutton', { name: 'Minimum' }).first().press('F1')
  await expect(page.getByRole('tooltip').filter({ hasText: 'Minimum' })).toBeVisible()

  await page.goto('/')
  await openSample(page, 'Clinic')
  await page.goto('/workspace/device/project')
  await files(page).begin('Chart', 'Waiting')
  await page.getByRole('main').getByRole('combobox', { name: 'Model' }).click()
  await page.keyboard.press('Enter')
  const settings = page.getByRole('complementary', { name: 'Settings' })
  await expect(settings.locator('.h-field').first()).toBeVisible()
  expect(await unlike(settings)).toEqual([])
  expect(await helpStops(settings)).toBe(0)

  await page.goto('/workspace/device/project')
  await files(page).begin('Dashboard', 'Board')
  const properties = page.getByRole('complementary', { name: 'Properties' })
  await expect(properties.locator('.h-field').first()).toBeVisible()
  expect(await unlike(properties)).toEqual([])
  expect(await helpStops(properties)).toBe(0)
})

test('a phone: what an optimisation found is said in a sentence, and the way to its run is inside the window', async ({ browser }) => {
  test.slow()
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, locale: 'en-US' })
  const page = await context.newPage()
  await continueOnDevice(page)
  await page.getByRole('button', { name: /When and how much to order/ }).click()
  await page.getByTestId('start').click()
  const finding = page.getByTestId('finding')
  await expect(finding).toHaveText(/^Monthly cost is lowest, [\d.]+, with Reorder_below = \d+, Order_up_to = \d+\.\D*[\d.]+ and/, {
    timeout: 60_000,
  })
  // Until then another point may become the best.
  await expect(page.getByTestId('progress')).toHaveAttribute('data-status', 'finished', { timeout: 120_000 })
  const open = page.getByRole('button', { name: 'Open this run' }).first()
  await expect(open).toBeVisible()
  const box = (await open.boundingBox())!
  expect(box.x + box.width).toBeLessThanOrEqual(390)
  // It covers none of the numbers.
  const cells = await page.getByRole('table', { name: 'Best point' }).getByRole('cell').all()
  for (const cell of cells.slice(0, -1)) {
    const { x, width } = (await cell.boundingBox())!
    expect(x + width).toBeLessThanOrEqual(box.x + 1)
  }
  await context.close()
})

test('Chinese: a new model is called so throughout; the sheet of keys has those of fields and squeezes no word', async ({ browser }) => {
  const context = await browser.newContext({ viewport: { width: 1366, height: 768 }, locale: 'zh-CN' })
  const page = await context.newPage()
  await page.goto('/')
  await page.getByRole('button', { name: '在本设备上继续' }).click()
  await page.getByRole('button', { name: '新建模型' }).first().click()
  await page.waitForURL(/\/modeling\//)
  await expect(page.getByText('方案 1', { exact: true }).first()).toBeVisible()
  await expect(page.getByText('Scenario 1')).toHaveCount(0)
  await page.getByRole('application').first().focus()
  await page.keyboard.press('?')
  const sheet = page.getByRole('dialog', { name: '键盘与指针' })
  await expect(sheet.getByText('F1', { exact: true })).toBeVisible()
  const heights = await sheet.locator('dt').evaluateAll(all => all.map(one => one.getBoundingClientRect().height))
  expect(Math.max(...heights)).toBeLessThan(50)
  await context.close()
})

test('a chart of several lines names them at their ends; the file has a cover of it', async ({ page }) => {
  await continueOnDevice(page)
  await openSample(page, 'Wolves')
  await page.goto('/workspace/device/project')
  await files(page).begin('Chart', 'Flocks')
  await page.getByRole('main').getByRole('combobox', { name: 'Model' }).click()
  await page.keyboard.press('Enter')
  const put = async (field: string): Promise<void> => {
    await page.getByRole('button', { name: `Field ${field}`, exact: true }).press('Enter')
    await page.getByRole('menuitem', { name: 'Put on Metrics', exact: true }).click()
  }
  await expect(page.getByRole('button', { name: 'sheep on Metrics' })).toBeVisible()
  await put('Wolf.count')
  const legend = page.getByRole('list', { name: 'Legend' })
  await expect(legend.getByRole('button')).toHaveText([/^sheep/, /^wolves/, /^grass/, /^Wolf\.count/])
  const drawing = page.getByRole('main').getByRole('img').last()
  // Next to the lines, inside the drawing, one above the other.
  await expect
    .poll(async () => {
      const whole = (await drawing.boundingBox())!
      const names = await legend
        .getByRole('button')
        .evaluateAll(all => all.map(one => one.getBoundingClientRect()).map(({ x, y }) => ({ x, y })))
      return (
        names.every(({ x, y }) => x > whole.x + whole.width * 0.6 && y > whole.y - 8 && y < whole.y + whole.height) &&
        names[0]?.y !== names[1]?.y
      )
    })
    .toBe(true)
  await page.getByRole('button', { name: 'Pause' }).click()
  // It is drawn once what was changed has settled.
  const id = new URL(page.url()).pathname.split('/').at(-1)
  await expect.poll(() => page.evaluate(coveredFiles)).toContain(id)
  await page.goto('/workspace/device/project')
  await page.getByTitle('Cards').first().click()
  const cover = files(page).item('Flocks').locator('img')
  await expect(cover).toHaveAttribute('src', /^blob:/)
})

test('a copy of a sample shows the picture of the sample, and its own once it has run', async ({ page }) => {
  await continueOnDevice(page)
  await openSample(page, 'Segregation')
  const id = new URL(page.url()).pathname.split('/').at(-1)
  const list = async (): Promise<void> => {
    await page.getByRole('link', { name: 'Back to the workspace' }).click()
    await page.goto('/workspace/device/project')
    await page.getByTitle('Cards').first().click()
  }
  await list()
  const cover = files(page).item('Segregation').locator('img')
  await expect(cover).toHaveAttribute('src', /segregation-light.*\.jpg/)
  await files(page).link('Segregation').click()
  await editor(page).run.getByRole('button', { name: 'Play', exact: true }).click()
  await expect.poll(() => page.evaluate(coveredFiles)).toContain(id)
  await list()
  await expect(cover).toHaveAttribute('src', /^blob:/)
})
