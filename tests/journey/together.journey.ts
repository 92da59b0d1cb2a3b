// Two people, one model: live edits, a cut line, a merge, a server that stops and starts, a reload without a network.
import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'playwright/test'
import { editor, newModel, openContext, signIn } from './app.ts'

const start = fileURLToPath(new URL('../../sync-server/start.ts', import.meta.url))
const port = 4392
const base = `http://127.0.0.1:${port}`
let data = ''
let server: ChildProcess | null = null

async function startServer(): Promise<void> {
  const child = spawn(process.execPath, [start], {
    env: { ...process.env, PORT: String(port), HOLARCHY_DATA: data },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  server = child
  await new Promise<void>((done, fail) => {
    child.stdout.on('data', (chunk: Buffer) => {
      if (chunk.toString().includes('running at')) done()
    })
    child.on('exit', code => fail(new Error(`the server ended with ${code}`)))
  })
}

async function stopServer(): Promise<void> {
  const child = server
  server = null
  if (!child || child.exitCode !== null) return
  const gone = new Promise(done => child.once('exit', done))
  child.kill('SIGTERM')
  await gone
}

// The network is cut in the middle: what is shown then comes from the service worker.
test.use({ baseURL: base, serviceWorkers: 'allow' })

test.beforeAll(async () => {
  data = mkdtempSync(join(tmpdir(), 'holarchy-together-'))
  await startServer()
})

test.afterAll(async () => {
  await stopServer()
  rmSync(data, { recursive: true, force: true })
})

test('edits arrive live, merge after a cut, and outlive the server', async ({ browser }) => {
  const a = await openContext(browser)
  const b = await openContext(browser)
  await a.goto(base)
  await signIn(a)
  await newModel(a)
  const url = a.url()
  await signIn(b)
  await b.goto(url)
  await expect(editor(b).canvas).toBeVisible()

  const outlineB = await editor(b).outline()
  await editor(a).place('Agent', 200, 150)
  await expect(outlineB.getByRole('treeitem', { name: /Agent1/ })).toBeVisible()

  // Both see who else is here.
  await expect(
    a
      .getByText('Saved on the server')
      .or(a.getByRole('status', { name: 'Saved on the server' }))
      .first(),
  ).toBeVisible()

  // What A drags moves for B while A still holds it, and is back when A thinks better of it.
  await editor(a).place('Value', 520, 300)
  await a.keyboard.press('Escape')
  const [cardA, cardB] = [a, b].map(page => page.locator('.h-card-place').first())
  await expect(cardB!).toBeVisible()
  const left = (): Promise<number> => cardB!.evaluate(card => Number.parseFloat(card.style.left))
  const rest = await left()
  const head = (await cardA!.boundingBox())!
  await a.mouse.move(head.x + head.width / 2, head.y + 8)
  await a.mouse.down()
  await a.mouse.move(head.x + head.width / 2 - 150, head.y + 40, { steps: 5 })
  await expect.poll(left).toBeLessThan(rest - 100)
  await a.keyboard.press('Escape')
  await a.mouse.up()
  await expect.poll(left).toBe(rest)

  // A loses the network, once the page is kept on the device; both go on.
  await a.evaluate(async () => void (await navigator.serviceWorker.ready))
  await a.context().setOffline(true)
  await editor(a).place('Cell', 360, 150)
  const outlineA = await editor(a).outline()
  await expect(outlineA.getByRole('treeitem', { name: /Cell1/ })).toBeVisible()
  await editor(b).place('Variable', 200, 320)
  const outlineB2 = await editor(b).outline()
  await expect(outlineB2.getByRole('treeitem', { name: /Variable1/ })).toBeVisible()

  // Without a network the page and the model open from this device.
  await a.reload()
  await expect(editor(a).canvas).toBeVisible()
  const reopened = await editor(a).outline()
  await expect(reopened.getByRole('treeitem', { name: /Cell1/ })).toBeVisible()

  await a.context().setOffline(false)
  await expect((await editor(b).outline()).getByRole('treeitem', { name: /Cell1/ })).toBeVisible({ timeout: 45_000 })
  await expect((await editor(a).outline()).getByRole('treeitem', { name: /Variable1/ })).toBeVisible({ timeout: 45_000 })

  // The server stops and starts again: all is there, for a user with nothing on their device.
  await expect(a.getByRole('status', { name: 'Saved on the server' })).toBeVisible({ timeout: 45_000 })
  await a.context().close()
  await b.context().close()
  await stopServer()
  await startServer()
  const c = await openContext(browser)
  await c.goto(base)
  await signIn(c)
  await c.goto(url)
  const outlineC = await editor(c).outline()
  for (const name of [/Agent1/, /Cell1/, /Variable1/]) await expect(outlineC.getByRole('treeitem', { name })).toBeVisible()
  await c.context().close()
})
