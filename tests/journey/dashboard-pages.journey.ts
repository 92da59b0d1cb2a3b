// Pages of dashboards: containers and controls that show and hide, made and used by keys; one file that runs without a network; two people at one
// page; inside pages of others, sandboxed or not.
import { AxeBuilder } from '@axe-core/playwright'
import { mkdtemp } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test, type FrameLocator, type Locator, type Page } from 'playwright/test'
import { continueOnDevice, files, openContext, openSample, signIn, watchErrors } from './app.ts'

const add = (page: Page) => page.getByRole('complementary', { name: 'Add' })
const properties = (page: Page) => page.getByRole('complementary', { name: 'Properties' })
const controls = (page: Page | FrameLocator) => page.getByRole('toolbar', { name: 'Run controls' })

async function put(page: Page, ...names: string[]): Promise<void> {
  for (const name of names) await add(page).getByRole('button', { name, exact: true }).click()
}

async function newDashboard(page: Page, name: string): Promise<void> {
  await files(page).begin('Dashboard', name)
  await page.waitForURL(/\/file\//)
  await page.getByRole('main').getByRole('combobox', { name: 'Model' }).click()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'What should be seen?' })).toBeVisible()
}

async function choose(page: Page, label: string, option: string): Promise<void> {
  await properties(page).getByRole('combobox', { name: label, exact: true }).click()
  await page.locator('.ant-select-item-option').filter({ hasText: option }).first().click()
}

async function plays(page: Page | FrameLocator): Promise<void> {
  await controls(page).getByRole('button', { name: 'Play', exact: true }).click()
  await expect(controls(page).getByText(/^tick [1-9]/)).toBeVisible()
}

async function drag(page: Page, grip: Locator, to: { x: number; y: number }): Promise<void> {
  const from = (await grip.boundingBox())!
  await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2)
  await page.mouse.down()
  await page.mouse.move(to.x, to.y, { steps: 8 })
  await page.mouse.up()
}

/** What becomes of text that a page would run as code, asked after what the test itself runs there, which may. */
const refusesText = (frame: FrameLocator): Promise<string> =>
  frame.locator('body').evaluate(
    () =>
      new Promise<string>(done => {
        setTimeout(() => {
          try {
            done(String(new Function('return 1')()))
          } catch (error) {
            done(error instanceof Error ? error.name : String(error))
          }
        })
      }),
  )

async function clean(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze()
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
  expect(serious.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([])
}

// The network is cut in the middle: what is shown then comes from the service worker.
test.use({ serviceWorkers: 'allow' })

test('containers and controls are put together, used by keys, and downloaded as a page that runs offline', async ({ page, browser }) => {
  const errors = watchErrors(page)
  await continueOnDevice(page)
  await openSample(page, 'Segregation')
  await page.goto('/workspace/device/project')
  await newDashboard(page, 'Parts')

  // Two slides; a panel at the edge with a slider of the model and a switch of the page's own; a section that opens.
  await put(page, 'Slides', 'World view', 'Line', 'Put them on the page', 'Global panel', 'Slider', 'Switch')
  await properties(page).getByRole('textbox', { name: 'Label' }).fill('Details')
  await properties(page).getByRole('textbox', { name: 'Label' }).press('Enter')
  await properties(page).getByRole('button', { name: 'Add an interaction' }).click()
  await choose(page, 'Card', 'Slides')
  const slides = page.getByRole('region', { name: 'Slides' })
  await put(page, 'Put them on the page', 'Collapsible', 'Value')
  await clean(page)

  // By the keys: the first slide after the second, and back.
  await slides.getByRole('tab').first().click()
  const names = () => slides.getByRole('tab').allTextContents()
  const [first, second] = await names()
  await slides.getByRole('group', { name: /arrow keys change its place in the container/ }).focus()
  await page.keyboard.press('ArrowRight')
  await expect.poll(names).toEqual([second, first])
  await page.keyboard.press('Control+z')
  await expect.poll(names).toEqual([first, second])

  // By the pointer: out of the container to a blank part of the page, and into it again.
  const fold = page.getByRole('region', { name: 'Collapsible' })
  const grid = (await page.locator('.d-grid').boundingBox())!
  await drag(page, fold.locator('.d-slot > .d-grip'), { x: grid.x + 160, y: grid.y + grid.height - 120 })
  await expect(fold.locator('.d-slot')).toHaveCount(0)
  const back = (await fold.boundingBox())!
  await drag(page, page.locator('.d-frame[data-selected] > .d-grip'), { x: back.x + back.width / 2, y: back.y + back.height / 2 })
  await expect(fold.locator('.d-slot')).toHaveCount(1)

  await page.getByText('Use', { exact: true }).click()
  await expect(slides).toHaveCount(0)
  await page.getByRole('switch', { name: 'Details' }).press('Space')
  await expect(slides).toBeVisible()
  await expect(page.getByRole('status').filter({ hasText: 'Slides is shown' })).toHaveCount(1)
  await slides.getByRole('tab', { selected: true }).press('ArrowRight')
  await expect(slides.getByRole('tab').nth(1)).toHaveAttribute('aria-selected', 'true')
  const section = page.getByRole('button', { name: 'Collapsible', exact: true })
  await section.press('Enter')
  await expect(section).toHaveAttribute('aria-expanded', 'false')
  await expect(page.getByRole('complementary', { name: 'Global panel' }).getByRole('slider')).toBeVisible()
  await plays(page)
  await clean(page)

  // The other way round, and on a phone.
  await page.evaluate(() => void (document.documentElement.dir = 'rtl'))
  await page.setViewportSize({ width: 390, height: 844 })
  await expect(page.getByRole('complementary', { name: 'Global panel' }).getByRole('slider')).toBeVisible()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.evaluate(() => void (document.documentElement.dir = 'ltr'))
  // Away from the element under the pointer, which shows its tip.
  await page.mouse.move(720, 880)

  const path = join(await mkdtemp(join(tmpdir(), 'holarchy-journey-')), 'parts.html')
  await page.getByRole('button', { name: 'Menu', exact: true }).click()
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('menuitem', { name: 'Download as a web page' }).click()])
  await file.saveAs(path)
  expect(errors).toEqual([])

  const alone = await browser.newContext({ offline: true, locale: 'en-US' })
  const reader = await alone.newPage()
  const wrong = watchErrors(reader)
  const asked: string[] = []
  reader.on('request', request => asked.push(request.url()))
  await reader.goto(pathToFileURL(path).href)
  await plays(reader)
  await reader.getByRole('switch', { name: 'Details' }).click()
  await expect(reader.getByRole('region', { name: 'Slides' })).toBeVisible()
  expect(asked.filter(url => !/^(file|data|blob):/.test(url))).toEqual([])
  expect(wrong).toEqual([])
  await alone.close()
})

test('two people at one page, one of them without a network for a while; then in pages of others', async ({ page, browser }) => {
  const errors = watchErrors(page)
  await signIn(page)
  await openSample(page, 'Segregation')
  await page.goto('/')
  await files(page).open()
  await newDashboard(page, `Shared ${Date.now().toString(36)}`)
  await page.getByRole('button', { name: /charts and sliders \(/ }).click()
  await expect(page.getByRole('main').getByRole('slider').first()).toBeVisible()

  const friend = await openContext(browser)
  const other = friend.context()
  await signIn(friend)
  await friend.goto(page.url())
  await expect(friend.getByRole('main').getByRole('slider').first()).toBeVisible()
  await other.setOffline(true)
  await put(friend, 'Row')
  await put(page, 'Column')
  await other.setOffline(false)
  for (const one of [page, friend]) {
    await expect(one.getByRole('region', { name: 'Row', exact: true })).toBeVisible()
    await expect(one.getByRole('region', { name: 'Column', exact: true })).toBeVisible()
  }
  await other.close()

  // Embedded: a code for a foreign page, in frames that may do more or less.
  const id = new URL(page.url()).pathname.split('/').at(-1) ?? ''
  const origin = new URL(page.url()).origin
  const offered: { models: { id: string }[] } = await (await page.request.get(`/api/files/${id}/embeds`)).json()
  const models = offered.models.map(model => model.id)
  const made = await page.request.post(`/api/files/${id}/embeds`, { data: { models }, headers: { origin } })
  const { code }: { code: string } = await made.json()
  const foreign = createServer((request, response) => {
    const { searchParams, pathname } = new URL(request.url ?? '/', 'http://x')
    const rights = { '/sandboxed': 'sandbox="allow-scripts"', '/own': 'sandbox="allow-scripts allow-same-origin"' }[pathname] ?? ''
    response.setHeader('content-type', 'text/html')
    response.end(
      `<title>Foreign</title><iframe ${rights} src="${origin}/dashboard/embed/${searchParams.get('code')}" width="1000" height="600"></iframe>`,
    )
  })
  await new Promise<void>(done => foreign.listen(0, '127.0.0.1', done))
  const address = foreign.address()
  const port = address === null || typeof address === 'string' ? 0 : address.port
  const visit = async (path: string, embed = code): Promise<{ frame: FrameLocator; end(): Promise<void> }> => {
    // A stranger's browser.
    const stranger = await openContext(browser)
    const wrong = watchErrors(stranger)
    await stranger.goto(`http://localhost:${port}${path}?code=${embed}`)
    return {
      frame: stranger.frameLocator('iframe'),
      async end() {
        expect(wrong).toEqual([])
        await stranger.context().close()
      },
    }
  }
  // The engine makes programs, in a worker that may; the page itself runs no text as code, however it is framed.
  for (const path of ['/plain', '/sandboxed', '/own']) {
    const { frame, end } = await visit(path)
    await plays(frame)
    expect(await refusesText(frame), path).toBe('EvalError')
    await end()
  }
  // Named origins may frame it, others may not.
  const named = await page.request.post(`/api/files/${id}/embeds`, {
    data: { origins: [`http://localhost:${port}`], models },
    headers: { origin },
  })
  const { code: guarded }: { code: string } = await named.json()
  const allowed = await visit('/plain', guarded)
  await expect(controls(allowed.frame).getByRole('button', { name: 'Play', exact: true })).toBeVisible()
  await allowed.end()
  const refused = await openContext(browser)
  const said: string[] = []
  refused.on('console', message => void said.push(message.text()))
  await refused.goto(`http://127.0.0.1:${port}/plain?code=${guarded}`)
  await expect.poll(() => said.filter(text => /frame-ancestors/.test(text)).length).toBeGreaterThan(0)
  await expect(refused.frameLocator('iframe').locator('#root')).toHaveCount(0)
  await refused.context().close()
  const invalid = await visit('/sandboxed', 'nosuchcode')
  await expect(invalid.frame.getByText('Invalid embed code.')).toBeVisible()
  await invalid.end()
  const headers = { origin }
  // One card of it with the controls of its run.
  const card = (await page.locator('.d-frame[data-kind=chart]').first().getAttribute('id'))?.slice('card-'.length) ?? ''
  await page.request.patch(`/api/files/${id}/embeds/${code}`, { data: { options: { show: 'parameters', card, title: 'false' } }, headers })
  const part = await visit('/sandboxed')
  await plays(part.frame)
  await expect(part.frame.getByRole('slider').first()).toBeVisible()
  await expect(part.frame.getByRole('region', { name: 'Town' })).toHaveCount(0)
  await part.end()
  await page.request.patch(`/api/files/${id}/embeds/${code}`, { data: { closed: true }, headers })
  const closed = await visit('/plain')
  await expect(closed.frame.getByRole('heading', { name: 'Not shown any more' })).toBeVisible()
  await closed.end()
  foreign.close()
  expect(errors).toEqual([])
})
