// A chart made of fields: of a run, put on shelves by pointer and by keys, drawn in other ways; of a table that was pasted; by two people at once; after a
// reload without a network.
import { AxeBuilder } from '@axe-core/playwright'
import { readFile } from 'node:fs/promises'
import { expect, test, type Page } from 'playwright/test'
import { continueOnDevice, files, openContext, openSample, signIn, watchErrors } from '../app.ts'

/** The parts of the editor by the names a screen reader says. */
const chart = (page: Page) => {
  const main = page.getByRole('main')
  const shelf = (name: string) => page.getByRole('region', { name: 'Shelves' }).getByRole('group', { name, exact: true })
  return {
    main,
    shelf,
    fields: page.getByRole('region', { name: 'Fields' }),
    settings: page.getByRole('region', { name: 'Settings' }),
    // The sign of its menu is a picture as well.
    picture: main.getByRole('img').last(),
    async type(name: string): Promise<void> {
      await page.getByRole('group', { name: 'Type' }).getByRole('button', { name, exact: true }).click()
    },
    /** By the menu of a field, as keys do it. */
    async put(field: string, on: string): Promise<void> {
      await page.getByRole('button', { name: `Field ${field}`, exact: true }).press('Enter')
      const entry = page.getByRole('menuitem', { name: `Put on ${on}`, exact: true })
      await entry.click()
      await expect(entry).toHaveCount(0)
    },
  }
}

async function newChart(page: Page, name: string): Promise<void> {
  await page.goto('/workspace/device/project')
  await files(page).begin('Chart', name)
  await page.waitForURL(/\/chart\//)
  await expect(page.getByRole('heading', { name: 'What should this chart show?' })).toBeVisible()
}

async function clean(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze()
  expect(
    violations.filter(({ impact }) => impact === 'serious' || impact === 'critical').map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`),
  ).toEqual([])
}

test.describe('without a network', () => {
  test.use({ serviceWorkers: 'allow' })

  test('a chart of a run: fields on shelves, types, and what was made is there again without a network', async ({ page, context }) => {
    const errors = watchErrors(page)
    await continueOnDevice(page)
    await openSample(page, 'Wolves')
    await newChart(page, 'Flocks')
    await page.getByRole('main').getByRole('combobox', { name: 'Model' }).click()
    await page.keyboard.press('Enter')
    const { shelf, fields, picture, type, put, main } = chart(page)

    // There is a chart at once, and the run has begun.
    await expect(shelf('Dimension').getByRole('button', { name: 'Time on Dimension' })).toBeVisible()
    await expect(shelf('Metrics').getByRole('button', { name: 'sheep on Metrics' })).toBeVisible()
    await expect(picture).toBeVisible()
    await expect(page.getByRole('toolbar', { name: 'Run controls' }).getByText(/^tick [1-9]/)).toBeVisible()

    // By the pointer to a shelf, and out of it.
    const field = fields.getByRole('button', { name: 'Field Wolf.count' })
    const [from, to] = [(await field.boundingBox())!, (await shelf('Metrics').boundingBox())!]
    await page.mouse.move(from.x + 20, from.y + 8)
    await page.mouse.down()
    await page.mouse.move(from.x + 60, from.y + 20)
    await page.mouse.move(to.x + to.width - 12, to.y + to.height / 2)
    await page.mouse.up()
    const pill = shelf('Metrics').getByRole('button', { name: 'Wolf.count on Metrics' })
    await expect(pill).toBeVisible()
    await pill.focus()
    await page.keyboard.press('Delete')
    await expect(pill).toHaveCount(0)
    await page.keyboard.press('Control+z')
    await expect(pill).toBeVisible()

    // What each individual has is shown as it is now.
    for (const name of ['sheep', 'wolves', 'grass', 'Wolf.count'])
      await shelf('Metrics')
        .getByRole('button', { name: `${name} on Metrics` })
        .press('Delete')
    await put('Sheep.energy', 'Metrics')
    await expect(shelf('Dimension').getByRole('button', { name: 'Time on Dimension' })).toHaveCount(0)
    await expect(page.getByRole('img', { name: /Sheep\.energy/ })).toBeVisible()
    for (const name of ['Box', 'Violin', 'Histogram']) {
      await type(name)
      await expect(picture).toBeVisible()
    }
    await type('World view')
    await expect(main.locator('canvas').first()).toBeVisible()
    await type('Histogram')
    await expect(picture).toBeVisible()
    await clean(page)

    // Off-line, after a reload, all is there.
    await page.evaluate(() => navigator.serviceWorker?.ready)
    await context.setOffline(true)
    await page.reload()
    await expect(shelf('Metrics').getByRole('button', { name: 'Sheep.energy on Metrics' })).toBeVisible()
    await expect(picture).toBeVisible()
    await context.setOffline(false)
    expect(errors).toEqual([])
  })
})

test('a chart of a table: pasted, coloured, faceted, filtered, shown as table, downloaded; on a phone, from right to left', async ({
  page,
}) => {
  const errors = watchErrors(page)
  await continueOnDevice(page)
  await newChart(page, 'Trees')
  await page.getByRole('button', { name: 'Paste or import' }).click()
  const { shelf, picture, put, type, main } = chart(page)
  const dialog = page.getByRole('dialog')
  const lines = [
    'year,kind,side,height',
    ...Array.from({ length: 40 }, (_, k) => `${2000 + (k % 5)},${k % 2 ? 'ash' : 'elm'},${k < 20 ? 'north' : 'south'},${k % 7}`),
  ]
  await dialog.getByRole('textbox', { name: 'Table' }).fill(lines.join('\n'))
  await expect(dialog.getByRole('status')).toHaveText('40 rows, 4 columns')
  await dialog.getByRole('button', { name: 'Use this table' }).click()
  await expect(picture).toBeVisible()

  // A good chart at once: time along the axis, the last number measured.
  await expect(shelf('Dimension').getByRole('button', { name: 'year on Dimension' })).toBeVisible()
  await expect(shelf('Metrics').getByRole('button', { name: 'height on Metrics' })).toBeVisible()
  await put('side', 'Facet')
  await put('kind', 'Colour')
  await type('Line')
  await expect(page.getByRole('img', { name: /north, south/ })).toBeVisible()

  // A colour that is switched off is still in the legend.
  const legend = page.getByRole('list', { name: 'Legend' })
  const ash = legend.getByRole('button', { name: 'ash' })
  await ash.click()
  await expect(ash).toHaveAttribute('aria-pressed', 'false')

  await put('kind', 'Filters')
  await shelf('Filters')
    .getByRole('button', { name: /^kind is/ })
    .click()
  const filter = page.getByRole('group', { name: 'Filter on kind' })
  await filter.getByRole('combobox', { name: 'Value' }).fill('elm')
  await filter.getByRole('combobox', { name: 'Value' }).press('Enter')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await expect(shelf('Filters').getByRole('button', { name: 'kind is elm' })).toBeVisible()
  await expect(legend).toHaveCount(0)

  const more = main.getByRole('button', { name: /^More actions for/ })
  await more.click()
  await page.getByRole('menuitem', { name: 'Show as table' }).click()
  await expect(main.getByRole('table')).toContainText('north')
  await more.click()
  const [saved] = await Promise.all([page.waitForEvent('download'), page.getByRole('menuitem', { name: 'Download CSV' }).click()])
  const csv = (await readFile(await saved.path(), 'utf8')).split('\r\n')
  expect(csv[0]).toBe('\uFEFFFacet,year,elm')
  expect(csv.filter(line => /^(north|south),200\d,/.test(line))).toHaveLength(10)
  await more.click()
  await page.getByRole('menuitem', { name: 'Show as chart' }).click()
  await more.click()
  const [svg] = await Promise.all([page.waitForEvent('download'), page.getByRole('menuitem', { name: 'Download SVG' }).click()])
  expect(await readFile(await svg.path(), 'utf8')).toContain('<svg')

  await page.setViewportSize({ width: 390, height: 844 })
  await expect(picture).toBeVisible()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await page.getByRole('button', { name: 'Fields' }).click()
  await put('height', 'Metrics')
  await expect(shelf('Metrics').getByRole('button', { name: 'height on Metrics' })).toHaveCount(2)
  await page.evaluate(() => void (document.documentElement.dir = 'rtl'))
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await clean(page)
  expect(errors).toEqual([])
})

test('two people make one chart: each sees what the other puts on a shelf, and undoes only their own', async ({ browser }) => {
  const [a, b] = [await openContext(browser), await openContext(browser)]
  await signIn(a)
  await files(a).open()
  const name = `Ours ${Date.now().toString(36)}`
  await files(a).begin('Chart', name)
  await a.waitForURL(/\/chart\//)
  await a.getByRole('button', { name: 'Paste or import' }).click()
  await a.getByRole('dialog').getByRole('textbox', { name: 'Table' }).fill('k,side,v\na,n,1\nb,s,2\nc,n,3')
  await a.getByRole('dialog').getByRole('button', { name: 'Use this table' }).click()
  await expect(chart(a).shelf('Metrics').getByRole('button', { name: 'v on Metrics' })).toBeVisible()

  await signIn(b)
  await b.goto(a.url())
  await expect(chart(b).shelf('Metrics').getByRole('button', { name: 'v on Metrics' })).toBeVisible()
  await chart(b).put('side', 'Colour')
  await expect(chart(a).shelf('Colour').getByRole('button', { name: 'side on Colour' })).toBeVisible()
  await chart(a).type('Pie')
  await expect(b.getByRole('group', { name: 'Type' }).getByRole('button', { name: 'Pie' })).toHaveAttribute('aria-pressed', 'true')
  await b.getByRole('button', { name: 'Undo' }).click()
  await expect(chart(a).shelf('Colour').getByRole('button', { name: 'side on Colour' })).toHaveCount(0)
  await expect(a.getByRole('group', { name: 'Type' }).getByRole('button', { name: 'Pie' })).toHaveAttribute('aria-pressed', 'true')
  await a.context().close()
  await b.context().close()
})

test('a chart of an experiment: made from its results, and kept in the file for others', async ({ page }) => {
  const errors = watchErrors(page)
  await continueOnDevice(page)
  await page.getByRole('button', { name: /When and how much to order/ }).click()
  await page.getByTestId('start').click()
  const progress = page.getByTestId('progress')
  await expect.poll(async () => Number(await progress.getAttribute('data-done')), { timeout: 120_000 }).toBeGreaterThan(40)
  await page.getByTestId('export').click()
  await page.getByText('A chart of these results').click()
  await page.waitForURL(/\/chart\//)
  const { fields, shelf, picture, type } = chart(page)
  await expect(shelf('Dimension').getByRole('button')).toHaveCount(1)
  await expect(picture).toBeVisible()
  await type('Scatter')
  await expect(fields.getByRole('button', { name: 'Field Replication' })).toBeVisible()
  await page.getByRole('button', { name: 'Keep a copy in this file' }).click()
  await expect(page.getByText(/^\d+ rows, kept in this file$/)).toBeVisible()
  await expect(shelf('Metrics').getByRole('button', { name: /on Metrics$/ })).toHaveCount(1)
  await expect(picture).toBeVisible()
  expect(errors).toEqual([])
})
