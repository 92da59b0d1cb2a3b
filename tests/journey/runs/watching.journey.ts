// A run watched: individuals in a table and followed in the world, films and numbers taken out, scenarios side by side, the canvas on
// paper; and what a model shared without the right to copy does not hand out.
import { readFileSync } from 'node:fs'
import { expect, test, type Page } from 'playwright/test'
import { continueOnDevice, editor, openContext, openSample, signIn, watchErrors } from '../app.ts'

/** What a click on a button or menu entry downloads. */
async function taken(page: Page, act: () => Promise<void>): Promise<{ name: string; content: Buffer }> {
  const [file] = await Promise.all([page.waitForEvent('download'), act()])
  return { name: file.suggestedFilename(), content: readFileSync(await file.path()) }
}

async function menuOf(page: Page, card: string, entry: string): Promise<void> {
  await page.getByRole('region', { name: card, exact: true }).hover()
  await page.getByRole('button', { name: `More actions for ${card}` }).click()
  await page.getByRole('menuitem', { name: entry }).click()
}

test('individuals are listed, sorted, looked at and followed; films and numbers are taken out', async ({ page }) => {
  const errors = watchErrors(page)
  await continueOnDevice(page)
  await openSample(page, 'Segregation')
  const app = editor(page)
  const panel = await app.show('Individuals')
  const table = panel.getByRole('table')
  await expect(panel.getByText(/^[\d,]+ individuals$/)).toBeVisible()
  const first = table.getByRole('row').nth(1)
  await expect(first.getByRole('button', { name: /^Look at/ })).toHaveText('1')
  // Births last first, then by a property.
  await table.getByRole('button', { name: 'id' }).click()
  await table.getByRole('button', { name: /^id/ }).click()
  await expect(table.getByRole('columnheader', { name: /^id/ })).toHaveAttribute('aria-sort', 'descending')
  await expect(table.getByRole('button', { name: /^Look at/ }).first()).not.toHaveText('1')
  await table.getByRole('button', { name: /^x/ }).click()
  await expect(table.getByRole('columnheader', { name: /^x/ })).toHaveAttribute('aria-sort', 'ascending')

  await table
    .getByRole('button', { name: /^Look at/ })
    .first()
    .click()
  const card = page.getByRole('complementary', { name: /^Household \d/ })
  await expect(card).toBeVisible()
  await table
    .getByRole('button', { name: /^Follow/ })
    .first()
    .click()
  await expect(card.getByRole('button', { name: 'Follow' })).toHaveAttribute('aria-pressed', 'true')

  await menuOf(page, 'Town', 'Record a video')
  await app.run.getByRole('button', { name: 'Play' }).click()
  await expect(app.tick()).toHaveText(/tick\s*[1-9]/)
  // The table is updated during the run.
  await expect(panel.getByText(/^[\d,]+ individuals$/)).toBeVisible()
  await expect(page.getByText(/^0:0[2-9]$|^0:[1-5]\d$|^[1-9]\d*:\d\d$/)).toBeVisible()
  const film = await taken(page, () => page.getByRole('button', { name: 'Stop recording' }).click())
  expect(film.name).toMatch(/\.webm$/)
  // EBML, and more than a header.
  expect(film.content.subarray(0, 4).toString('hex')).toBe('1a45dfa3')
  expect(film.content.length).toBeGreaterThan(2000)

  const charts = await page.getByRole('button', { name: /^More actions for/ }).all()
  let tables = 0
  for (const more of charts) {
    const name = (await more.getAttribute('aria-label'))?.replace('More actions for ', '') ?? ''
    if (name === 'Town') continue
    const csv = await taken(page, () => menuOf(page, name, 'Download CSV'))
    expect(csv.name).toMatch(/\.csv$/)
    expect(csv.content.toString('utf8').trim().split('\n').length).toBeGreaterThan(1)
    tables++
  }
  expect(tables).toBeGreaterThan(0)
  expect(errors).toEqual([])
})

test('two scenarios stand side by side; the canvas goes to paper', async ({ page }) => {
  const errors = watchErrors(page)
  await continueOnDevice(page)
  await openSample(page, 'Epidemic')
  const app = editor(page)
  const path = page.getByRole('navigation', { name: 'Canvases' })
  const scenarios = async (entry: string): Promise<void> => {
    await path.getByRole('button', { name: 'Scenarios' }).click()
    await page.getByRole('menuitem', { name: entry }).click()
  }
  await scenarios('Duplicate')
  await app.canvas.focus()
  await page.keyboard.press('Escape')
  const ticks = app.inspector.getByRole('spinbutton', { name: 'Total ticks' })
  await ticks.fill('77')
  await ticks.press('Enter')
  await scenarios('Compare scenarios')
  const dialog = page.getByRole('dialog', { name: 'Compare scenarios' })
  await expect(dialog.getByRole('row', { name: /Total ticks.*77/ })).toBeVisible()
  // Names, the heading of the settings, and nothing else.
  await expect(dialog.getByRole('row')).toHaveCount(3)
  await dialog.getByRole('switch').click()
  await expect(dialog.getByRole('row', { name: /Total ticks.*77/ })).toBeVisible()
  await dialog.getByRole('button', { name: 'Close' }).click()

  await page.evaluate(() => {
    window.print = () => {
      const page = document.querySelector('.h-print')
      document.title = `${page?.querySelectorAll('svg').length} ${page?.querySelector('svg')?.textContent?.length ?? 0}`
      window.dispatchEvent(new Event('afterprint'))
    }
  })
  await page.getByRole('button', { name: 'Menu', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Save a picture' }).click()
  await page.getByRole('menuitem', { name: 'Print the canvas' }).click()
  await expect(page).toHaveTitle(/^1 \d{2,}$/)
  await expect(page.locator('.h-print')).toHaveCount(0)
  expect(errors).toEqual([])
})

test('a link without the right to copy hands out neither file nor pictures nor clips', async ({ browser, baseURL }) => {
  const a = await openContext(browser)
  await a.goto(baseURL ?? '')
  await signIn(a)
  await openSample(a, 'Car wash')
  await expect(a.getByRole('status', { name: 'Saved on the server' })).toBeVisible()
  const id = new URL(a.url()).pathname.split('/').at(-1)
  const { code } = await (await a.request.post(`/api/files/${id}/links`, { data: { role: 'viewer' } })).json()
  const b = await openContext(browser)
  await b.goto(`${baseURL}/share/model/${code}`)
  await expect(editor(b).canvas).toBeVisible()
  await b.getByRole('button', { name: 'Menu', exact: true }).click()
  await expect(b.getByRole('menuitem', { name: 'Download .holo file' })).toHaveAttribute('aria-disabled', 'true')
  await expect(b.getByRole('menuitem', { name: 'Save a picture' })).toHaveCount(0)
  await a.context().close()
  await b.context().close()
})

/** Birds in a space of three dimensions, leaving trails, in a world view. */
const sky = JSON.stringify({
  format: 'holo-clip',
  version: 1,
  roots: ['air', 'bird', 'view'],
  elements: {
    air: {
      kind: 'space',
      name: 'Air',
      topology: 'continuous',
      dimensions: 'three',
      maxX: '10',
      maxY: '10',
      maxZ: '10',
      geo: [0, 400, 96, 72],
    },
    bird: { kind: 'agent', name: 'Bird', space: 'air', placement: 'random', initialNumber: '12', shape: 'arrow', geo: [120, 400, 96, 72] },
    fly: { kind: 'process', parent: 'bird', name: 'Fly', geo: [0, 0, 120, 72] },
    tick: { kind: 'start', parent: 'fly', trigger: 'timer', every: '1', geo: [0, 0, 40, 40] },
    turn: { kind: 'move', parent: 'fly', name: 'Turn', motion: 'turn', amount: 'uniform(-30, 30)', geo: [100, 0, 120, 72] },
    ahead: { kind: 'move', parent: 'fly', name: 'Ahead', motion: 'forward', amount: '0.4', geo: [260, 0, 120, 72] },
    done: { kind: 'end', parent: 'fly', geo: [420, 0, 40, 40] },
    f1: { kind: 'flow', parent: 'fly', from: 'tick', to: 'turn' },
    f2: { kind: 'flow', parent: 'fly', from: 'turn', to: 'ahead' },
    f3: { kind: 'flow', parent: 'fly', from: 'ahead', to: 'done' },
    view: { kind: 'worldView', name: '天空', space: 'air', trails: ['bird'], geo: [0, 0, 340, 340] },
  },
})

test('on a phone, in Chinese: a world in three dimensions is turned, its trails are drawn, one of it is looked at', async ({
  browser,
  baseURL,
}) => {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, locale: 'zh-CN', hasTouch: true })
  const page = await context.newPage()
  const errors = watchErrors(page)
  await page.goto(baseURL ?? '')
  await page.getByRole('button', { name: '在本设备上继续' }).click()
  await page.getByRole('button', { name: '新建模型' }).first().click()
  const canvas = page.locator('.h-canvas')
  await expect(canvas).toBeVisible()
  // The page's own handlers of pasting come with the panels around the canvas.
  await expect(page.getByRole('toolbar').first()).toBeVisible()
  await page.evaluate(text => {
    const data = new DataTransfer()
    data.setData('text/plain', text)
    document.querySelector('.h-canvas')?.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true }))
  }, sky)
  await canvas.focus()
  await page.keyboard.press('1')
  const world = page.getByRole('application', { name: /^天空/ })
  await expect(world).toBeVisible()
  const picture = async (): Promise<string> =>
    world.evaluate(async host => {
      const copy = document.createElement('canvas')
      copy.width = host.clientWidth
      copy.height = host.clientHeight
      const context = copy.getContext('2d')
      await new Promise(done => requestAnimationFrame(done))
      for (const one of host.querySelectorAll('canvas')) context?.drawImage(one, 0, 0, copy.width, copy.height)
      return copy.toDataURL()
    })
  await page.getByRole('button', { name: '播放' }).first().click()
  await expect(page.getByRole('toolbar').getByText('步', { exact: true }).locator('xpath=..')).toHaveText(/步\s*[1-9]\d/)
  await page.getByRole('button', { name: '暂停' }).first().click()
  await expect(page.getByRole('button', { name: '播放' }).first()).toBeVisible()
  await world.focus()
  const before = await picture()
  for (let i = 0; i < 4; i++) await page.keyboard.press('ArrowLeft')
  await expect.poll(picture).not.toBe(before)
  // From the table, because a bird is small under a finger.
  await page.getByRole('button', { name: '仿真面板' }).click()
  const individuals = page.getByRole('tab', { name: '个体' })
  // The tabs of a phone move under the finger while the drawer comes up.
  await expect(async () => {
    await page.getByRole('tab', { name: '查看', exact: true }).click({ timeout: 1000 })
    await individuals.click()
    await expect(individuals).toHaveAttribute('aria-selected', 'true', { timeout: 1000 })
  }).toPass()
  await expect(page.getByRole('region', { name: 'Bird 的个体' })).toBeVisible()
  await page
    .getByRole('button', { name: /^查看 Bird/ })
    .first()
    .click()
  await expect(page.getByRole('button', { name: /^查看 Bird/, pressed: true })).toBeVisible()
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  expect(overflow).toBeLessThanOrEqual(0)
  expect(errors).toEqual([])
  await context.close()
})
