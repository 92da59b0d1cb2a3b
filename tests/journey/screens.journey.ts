// Every screen can be used without a mouse or eyes: no serious finding of axe, in light and dark, wide and narrow.
import { AxeBuilder } from '@axe-core/playwright'
import { expect, test, type Page } from 'playwright/test'
import { continueOnDevice, editor, openSample } from './app.ts'

/** Serious and critical findings, as rule and place. */
async function findings(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).analyze()
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(node => `${id} ${node.target.join(' ')}`))
}

for (const colorScheme of ['light', 'dark'] as const) {
  test(`axe finds nothing serious, ${colorScheme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.goto('/login')
    await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
    expect(await findings(page)).toEqual([])
    await continueOnDevice(page)
    expect(await findings(page)).toEqual([])
    await openSample(page, 'Clinic')
    await expect(editor(page).run.getByRole('button', { name: 'Play' })).toBeEnabled()
    expect(await findings(page)).toEqual([])
  })
}

test('on a phone the workspace and a run fit the width', async ({ browser }) => {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, locale: 'en-US' })
  const page = await context.newPage()
  await continueOnDevice(page)
  const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  expect(await overflow()).toBeLessThanOrEqual(0)
  await openSample(page, 'Epidemic')
  await page.getByRole('button', { name: 'Play' }).first().click()
  await expect(page.getByRole('toolbar', { name: 'Run controls' })).toBeVisible()
  expect(await overflow()).toBeLessThanOrEqual(0)
  await context.close()
})
