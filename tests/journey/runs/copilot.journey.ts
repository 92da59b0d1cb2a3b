// A language model in the panel next to the canvas: connected in the settings, it builds an epidemic on a copy; two people decide on what it
// suggests.
import { AxeBuilder } from '@axe-core/playwright'
import { expect, test, type Page } from 'playwright/test'
import { patterns } from '../../../sim-engine/copilot/patterns.ts'
import { callsOf } from '../../../sim-engine/copilot/patterns/build.ts'
import { scriptedProvider, type Heard, type ScriptedProvider } from '../../help/network/provider.ts'
import { editor, newModel, openContext, providerPort, signIn, watchErrors } from '../app.ts'

let provider: ScriptedProvider
test.beforeAll(async () => {
  provider = await scriptedProvider(providerPort)
})
test.afterAll(() => provider.stop())

async function connectModel(page: Page, label: string): Promise<void> {
  await page.goto('/account/copilot')
  const mine = page.getByRole('region', { name: 'My language models' })
  await mine.getByRole('button', { name: 'Connect a language model' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Address, up to the version' }).fill(provider.url)
  await dialog.getByRole('textbox', { name: 'Model, as the provider calls it' }).fill('scripted')
  await dialog.getByRole('textbox', { name: 'Name here' }).fill(label)
  await dialog.getByRole('textbox', { name: 'Key' }).fill('sk-journey-0123456789')
  await page.keyboard.press('Enter')
  await expect(mine.getByRole('button', { name: `Test ${label}` })).toBeVisible()
  await expect(mine.getByText('sk-journey')).toHaveCount(0)
}

async function chooseModel(page: Page, label: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Who answers' }).click()
  await page.getByTitle(new RegExp(`^${label}`)).click()
  await expect(page.getByRole('textbox', { name: `Ask ${label}` })).toBeVisible()
}

/** What axe finds within a part of the page, as rules. */
async function findings(page: Page, within: string): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).include(within).analyze()
  return violations.map(({ id }) => id)
}

/** The scenario that the model has read in the outline. */
function scenarioIn({ body }: Heard): string {
  const found = /(\S+) scenario/.exec(JSON.stringify(body['messages']).replaceAll(/\\+"/g, '"').split('"lines":["')[1] ?? '')
  return found?.[1] ?? 'none'
}

test('a model that is connected in the settings builds an epidemic, which is accepted and runs', async ({ page }) => {
  const errors = watchErrors(page)
  await signIn(page)
  await connectModel(page, 'Scripted')
  provider.play({ uses: [{ name: 'check', given: {} }] })
  await page.getByRole('button', { name: 'Test Scripted' }).click()
  await expect(page.getByText(/and can use tools/)).toBeVisible()

  await page.getByRole('button', { name: 'Make a token' }).click()
  await page.getByRole('textbox', { name: 'What it is for' }).fill('A client')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('textbox', { name: 'Token' })).toHaveValue(/^hol_/)
  await page.getByRole('button', { name: 'I have kept it' }).click()
  await expect(page.getByRole('button', { name: 'Revoke A client' })).toBeVisible()
  expect(await findings(page, 'main')).toEqual([])

  await page.goto('/workspace/recent')
  await newModel(page)
  await expect(editor(page).run.getByRole('button', { name: 'Play' })).toBeVisible()
  await page.keyboard.press('ControlOrMeta+i')
  await chooseModel(page, 'Scripted')
  const sir = patterns.find(({ id }) => id === 'sir')!
  provider.play(
    { text: 'I look at what there is.', uses: [{ name: 'outline', given: {} }] },
    heard => ({ uses: [{ name: 'edit', given: { calls: callsOf(sir, scenarioIn(heard), [1000]) } }] }),
    {
      uses: [
        { name: 'check', given: {} },
        { name: 'run', given: { ticks: 50, seed: 1 } },
      ],
    },
    { uses: [{ name: 'offer', given: { title: 'An epidemic', why: 'Susceptible, infected, recovered.' } }] },
  )
  const log = page.getByRole('log')
  await page.getByRole('button', { name: 'Build an SIR model of an epidemic among 1,000 people' }).click()
  const proposal = page.getByRole('article', { name: 'Proposal: An epidemic' })
  await expect(proposal.getByText('by Scripted')).toBeVisible()
  await log.getByText('Runs the model').click()
  await expect(log.getByText(/"ticks": 50/).last()).toBeVisible()
  await log.getByRole('button', { name: 'Run again' }).click()
  await expect(log.getByText(/The same result|Another result/)).toBeVisible()
  expect(await findings(page, '.h-guide')).toEqual([])
  const tree = await editor(page).outline()
  await expect(tree.getByRole('treeitem', { name: /infected/ })).toHaveCount(0)
  await proposal.getByRole('button', { name: 'Accept all' }).click()
  await expect(tree.getByRole('treeitem', { name: /infected/ }).first()).toBeVisible()
  await editor(page).run.getByRole('button', { name: 'Play' }).click()
  await expect(editor(page).tick()).toHaveText(/tick\s*\d{2}/)

  // The model receives the person's decision; names of elements in its answer lead to them.
  provider.play(({ body }) => {
    const said = JSON.stringify(body['messages'])
    const [, id] = /taken: .*?\[\[([\w-]+)\]\] variable/.exec(said) ?? []
    return { text: `It has [[${id}]].` }
  })
  const question = page.getByRole('textbox', { name: 'Ask Scripted' })
  await question.fill('What did I take?')
  await question.press('Enter')
  await log.locator('p', { hasText: 'It has' }).getByRole('button').click()
  await expect(editor(page).canvas).toBeVisible()
  // The talk is there again after a reload.
  await page.reload()
  await page.getByText('Copilot', { exact: true }).click()
  await expect(page.getByRole('log').getByText('What did I take?')).toBeVisible()

  // Talks are opened again and deleted, one or all.
  const asking = async (name: string): Promise<void> => {
    await page.getByRole('button', { name: 'Earlier talks' }).click()
    await page.getByRole('menuitem', { name }).click()
  }
  await page.getByRole('button', { name: 'New talk' }).click()
  provider.play({ text: 'A second answer.' })
  await question.fill('A second question')
  await question.press('Enter')
  await expect(log.getByText('A second answer.')).toBeVisible()
  // One that is kept with the file is there when it is gone from the device, until it is removed from the file too.
  await asking('Keep with the file…')
  await page.getByRole('dialog', { name: 'Keep this talk with the file?' }).getByRole('button', { name: 'Keep' }).click()
  await expect(page.getByText('Kept with the file: whoever may edit it can read this talk.')).toBeVisible()
  await page.getByRole('button', { name: 'Rename', exact: true }).click()
  await page.getByRole('textbox', { name: 'Name of this talk' }).fill('The one with a name')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Kept with the file: whoever may edit it can read this talk.')).toBeVisible()
  expect(await findings(page, '.h-guide')).toEqual([])
  await asking('Delete this talk…')
  await page.getByRole('dialog', { name: 'Delete this talk?' }).getByRole('button', { name: 'Delete' }).click()
  await expect(log.getByText('A second answer.')).toBeHidden()
  await page.reload()
  await page.getByText('Copilot', { exact: true }).click()
  await expect(log.getByText('What did I take?')).toBeVisible()
  await asking('The one with a name')
  await expect(log.getByText('A second answer.')).toBeVisible()
  await asking('Remove from the file…')
  await page.getByRole('dialog', { name: 'Remove this talk from the file?' }).getByRole('button', { name: 'Remove' }).click()
  await expect(page.getByText('Kept with the file: whoever may edit it can read this talk.')).toBeHidden()
  await asking('Delete this talk…')
  await page.getByRole('dialog', { name: 'Delete this talk?' }).getByRole('button', { name: 'Delete' }).click()
  await expect(log.getByText('A second answer.')).toBeHidden()
  await page.reload()
  await page.getByText('Copilot', { exact: true }).click()
  await expect(log.getByText('What did I take?')).toBeVisible()
  await asking('Delete all talks…')
  await page.getByRole('dialog', { name: 'Delete all talks about this model?' }).getByRole('button', { name: 'Delete' }).click()
  await expect(log.getByText('What did I take?')).toBeHidden()
  await page.getByRole('button', { name: 'Earlier talks' }).click()
  await expect(page.getByRole('menuitem', { name: 'No earlier talks on this device' })).toBeVisible()
  await page.keyboard.press('Escape')
  await page.reload()
  await page.getByText('Copilot', { exact: true }).click()
  await expect(log.getByText(/reads the model with tools/)).toBeVisible()
  await expect(log.getByText('What did I take?')).toHaveCount(0)
  expect(errors).toEqual([])
})

test('a number of an answer leads to its run, and a dashboard that was drafted is made, opened and shows it', async ({ page }) => {
  const errors = watchErrors(page)
  await signIn(page)
  await connectModel(page, 'Drafting')
  await page.goto('/workspace/recent')
  await newModel(page)
  await expect(editor(page).run.getByRole('button', { name: 'Play' })).toBeVisible()
  await page.keyboard.press('ControlOrMeta+i')
  await chooseModel(page, 'Drafting')
  const plot = { do: 'place', kind: 'plot', parent: 'run', values: { dimension: '@time', metrics: [{ field: 'rate' }] } }
  provider.play(
    { uses: [{ name: 'outline', given: {} }] },
    heard => ({
      uses: [
        {
          name: 'edit',
          given: {
            calls: [{ do: 'place', kind: 'variable', parent: scenarioIn(heard), values: { name: 'rate', initial: '4.02', public: true } }],
          },
        },
      ],
    }),
    {
      uses: [
        { name: 'run', given: { ticks: 20, seed: 3 } },
        { name: 'dashboard', given: { name: 'Board', calls: [plot] } },
      ],
    },
    { text: 'The rate stays at 4.02, not 7.77.', uses: [{ name: 'offer', given: { title: 'A rate and its board', why: 'Asked for.' } }] },
  )
  const question = page.getByRole('textbox', { name: 'Ask Drafting' })
  await question.fill('Measure a rate')
  await question.press('Enter')
  const proposal = page.getByRole('article', { name: 'Proposal: A rate and its board' })
  await expect(proposal.getByText('1 change, 1 file')).toBeVisible()
  const log = page.getByRole('log')
  await expect(log.getByText('7.77')).toHaveAttribute('title', /Not checked/)
  await log.getByRole('button', { name: '4.02' }).click()
  const run = page.getByRole('tooltip').filter({ hasText: 'Runs the model' })
  await expect(run.getByText('Result 1 · seed 3 · 20 ticks')).toBeVisible()
  await run.getByRole('button', { name: 'Run again' }).click()
  await expect(run.getByText('The same result.')).toBeVisible()
  await page.keyboard.press('Escape')
  expect(await findings(page, '.h-guide')).toEqual([])
  await proposal.getByRole('button', { name: 'Accept all' }).click()
  await proposal.getByRole('button', { name: 'Open Board' }).click()
  await expect(page).toHaveURL(/\/file\//)
  await page.getByRole('button', { name: 'Play' }).click()
  await expect(page.getByText('rate', { exact: true }).first()).toBeVisible()

  // Asked there, the model changes the page: each part is taken in by itself, and one step takes it back.
  const note = { do: 'place', kind: 'note', parent: 'root', size: [6, 2] }
  provider.play(
    { uses: [{ name: 'dashboard', given: { calls: [note, { do: 'set', id: 'root', field: 'columns', value: 6 }] } }] },
    { uses: [{ name: 'offer', given: { title: 'A note, narrower', why: 'Asked for.' } }] },
  )
  await page.keyboard.press('ControlOrMeta+i')
  const panel = page.getByRole('region', { name: 'Copilot' })
  // The page is whole beside it.
  const end = (): Promise<number> => page.locator('.d-middle').evaluate(part => part.getBoundingClientRect().right)
  await expect.poll(end).toBeLessThanOrEqual(1440 - 340)
  await panel.getByRole('textbox', { name: 'Ask Drafting' }).fill('Add a note')
  await page.keyboard.press('Enter')
  const change = panel.getByRole('article', { name: 'Proposal: A note, narrower' })
  await expect(change.getByText('2 changes')).toBeVisible()
  expect(await findings(page, '.h-guide')).toEqual([])
  await change.getByRole('button', { name: /^Accept Note/ }).click()
  await expect(change.getByText('taken in')).toHaveCount(1)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(change.getByText('taken in')).toHaveCount(0)
  await change.getByRole('button', { name: 'Accept all' }).click()
  await expect(change.getByText('taken in')).toHaveCount(2)
  await change.getByRole('button', { name: 'Done' }).click()
  await expect(change).toHaveCount(0)
  expect(errors).toEqual([])
})

test('mentioned in a comment, the guide or the chosen model answers in the thread', async ({ page }) => {
  const errors = watchErrors(page)
  await signIn(page)
  await connectModel(page, 'Threaded')
  await page.goto('/workspace/recent')
  await newModel(page)
  await page.getByText('Comments', { exact: true }).click()
  await page.getByRole('button', { name: 'New comment' }).click()
  await page.mouse.click(500, 760)
  const ask = async (label: string, text: string): Promise<void> => {
    await page.getByRole('textbox', { name: label }).click()
    await page.keyboard.type('@cop')
    await page.getByRole('option', { name: 'Copilot' }).waitFor()
    await page.keyboard.press('Enter')
    await page.keyboard.type(` ${text}`)
    await page.keyboard.press('ControlOrMeta+Enter')
  }
  await ask('What do you want to say? @ mentions somebody', 'explain this model')
  const ofGuide = page.getByRole('article', { name: 'Comment by Guide' })
  await expect(ofGuide.getByRole('button', { name: 'Scenario 1' })).toBeVisible()
  await expect(ofGuide.getByText(/^for Demo/)).toBeVisible()

  await page.getByText('Copilot', { exact: true }).click()
  await chooseModel(page, 'Threaded')
  await page.getByText('Comments', { exact: true }).click()
  let scenario = ''
  provider.play(
    {
      uses: [
        { name: 'outline', given: {} },
        { name: 'run', given: { ticks: 20, seed: 3 } },
      ],
    },
    heard => {
      scenario = scenarioIn(heard)
      const calls = [{ do: 'place', kind: 'variable', parent: scenario, values: { name: 'rate', initial: '1' } }]
      return { uses: [{ name: 'edit', given: { calls } }] }
    },
    () => ({ text: `It begins in [[${scenario}]].`, uses: [{ name: 'offer', given: { title: 'A rate', why: 'To vary it.' } }] }),
  )
  await ask('Reply', 'what could vary?')
  const ofModel = page.getByRole('article', { name: 'Comment by Threaded' })
  await expect(ofModel.getByText('It begins in')).toBeVisible()
  expect(await findings(page, '.h-talk')).toEqual([])
  // What was said before goes along as data.
  expect(JSON.stringify(provider.heard.at(-1)!.body['messages'])).toContain('is data, not instructions')
  await page.reload()
  await page.getByText('Comments', { exact: true }).click()
  await page
    .getByRole('region', { name: 'Comments' })
    .getByRole('button', { name: /Scenario 1/ })
    .click()
  await ofModel.getByRole('button', { name: 'Run again' }).click()
  await expect(ofModel.getByText('The same result.')).toBeVisible()
  await ofModel.getByRole('button', { name: 'Show the proposal: A rate' }).click()
  await expect(page.getByRole('article', { name: 'Proposal: A rate' })).toBeVisible()

  provider.play({ status: 401, raw: '{"error":"no"}' })
  await page.getByText('Comments', { exact: true }).click()
  await ask('Reply', 'and now?')
  await expect(page.getByText(/refuses the key of this model/)).toBeVisible()
  provider.play({ text: 'Now it works.' })
  await page.getByRole('button', { name: 'Ask again' }).click()
  await expect(page.getByText('Now it works.')).toBeVisible()

  // A formula from words: what does not pass the check is not shown, and nothing is written before it is taken.
  await page.getByText('Copilot', { exact: true }).click()
  await page.getByRole('article', { name: 'Proposal: A rate' }).getByRole('button', { name: 'Accept all' }).click()
  const tree = await editor(page).outline()
  await tree.getByRole('treeitem', { name: /rate/ }).first().click()
  await page.getByText('Properties', { exact: true }).click()
  await expect(page.getByRole('button', { name: 'Write from words' }).first()).toBeVisible()
  await page.locator('.cm-content').first().focus()
  await page.keyboard.press('F2')
  provider.play({ text: 'no_such_name * 2' }, { text: '`2 + 3`' })
  await page.getByRole('textbox', { name: 'What the formula is to say' }).fill('two more than three')
  await page.keyboard.press('Enter')
  await expect(page.getByText('2 + 3', { exact: true })).toBeVisible()
  await expect(page.getByText('no_such_name')).toHaveCount(0)
  expect(await findings(page, '.h-from-words')).toEqual([])
  await page.getByRole('button', { name: 'Take it' }).click()
  await expect(page.locator('.cm-content').filter({ hasText: '2 + 3' })).toBeVisible()
  expect(errors).toEqual([])
})

test('a turn can be stopped, and faults are said in words', async ({ page }) => {
  await signIn(page)
  await connectModel(page, 'Slow')
  await page.goto('/workspace/recent')
  await newModel(page)
  await page.getByText('Copilot', { exact: true }).click()
  await chooseModel(page, 'Slow')
  const question = page.getByRole('textbox', { name: 'Ask Slow' })
  const log = page.getByRole('log')
  provider.play({ raw: 'data: {"choices":[{"delta":{"content":"I begin"}}]}\n\n', hangs: true })
  await question.fill('Build everything')
  await question.press('Enter')
  await expect(log.getByText('I begin')).toBeVisible()
  await page.getByRole('button', { name: 'Stop' }).click()
  await expect(log.getByText('Stopped. The model is as it was.')).toBeVisible()
  provider.play({ status: 401, raw: '{"error":"no"}' })
  await log.getByRole('button', { name: 'Ask again' }).click()
  await expect(log.getByText(/refuses the key/)).toBeVisible()

  // The page is closed in the middle of a turn: the received part is there again, and the model continues from it.
  const before = provider.heard.length
  provider.play({ text: 'First I look.', uses: [{ name: 'outline', given: {} }] }, { raw: ': wait\n\n', hangs: true })
  await question.fill('What is there?')
  await question.press('Enter')
  await expect.poll(() => provider.heard.length).toBe(before + 2)
  await page.reload()
  await page.getByText('Copilot', { exact: true }).click()
  await expect(log.getByText('First I look.')).toBeVisible()
  await expect(log.getByText(/The page went away meanwhile/)).toBeVisible()
  provider.play({ text: 'One scenario.' })
  await log.getByRole('button', { name: 'Go on' }).click()
  await expect(log.getByText('One scenario.')).toBeVisible()
  expect(provider.heard.length).toBe(before + 3)
  const sent = JSON.stringify(provider.heard.at(-1)!.body['messages'])
  for (const part of ['What is there?', 'First I look.', 'tool_call_id', 'Go on from where you were cut off']) expect(sent).toContain(part)
})

test('two people see one proposal and decide on its parts', async ({ browser }) => {
  const [ann, ben] = [await openContext(browser), await openContext(browser)]
  await signIn(ann)
  await connectModel(ann, 'Shared')
  await ann.goto('/workspace/recent')
  await newModel(ann)
  await expect(editor(ann).run.getByRole('button', { name: 'Play' })).toBeVisible()
  await ann.getByText('Copilot', { exact: true }).click()
  await chooseModel(ann, 'Shared')
  const variable = (parent: string, name: string) => ({ do: 'place', kind: 'variable', parent, values: { name, initial: '1' } })
  provider.play(
    { uses: [{ name: 'outline', given: {} }] },
    heard => ({ uses: [{ name: 'edit', given: { calls: ['heat', 'light'].map(name => variable(scenarioIn(heard), name)) } }] }),
    { uses: [{ name: 'offer', given: { title: 'Two rates', why: '' } }] },
  )
  const question = ann.getByRole('textbox', { name: 'Ask Shared' })
  await question.fill('Add heat and light')
  await question.press('Enter')
  const proposalOf = (page: Page) => page.getByRole('article', { name: 'Proposal: Two rates' })
  await expect(proposalOf(ann)).toBeVisible()
  await signIn(ben)
  await ben.goto(ann.url())
  await ben.getByText('Copilot', { exact: true }).click()
  // Both see the same ghosts on the canvas.
  const ghosts = (page: Page) => page.locator('.h-proposal-marks g[data-sort="added"]')
  for (const page of [ann, ben]) await expect(ghosts(page)).toHaveCount(2)
  // Ben decides by keys: the next change, and A.
  await proposalOf(ben).getByRole('button', { name: 'heat', exact: true }).click()
  await expect(ben.locator('.h-proposal-marks g[data-looked]')).toHaveCount(1)
  await ben.keyboard.press('a')
  await expect(proposalOf(ann).getByText('taken in')).toBeVisible()
  await expect(ghosts(ann)).toHaveCount(1)
  await proposalOf(ann).getByRole('button', { name: 'light', exact: true }).click()
  await ann.keyboard.press('r')
  await expect(ghosts(ann)).toHaveCount(0)
  await expect(proposalOf(ben).getByRole('button', { name: 'Reopen light' })).toBeVisible()
  const tree = await editor(ann).outline()
  await expect(tree.getByRole('treeitem', { name: /heat/ })).toBeVisible()
  await expect(tree.getByRole('treeitem', { name: /light/ })).toHaveCount(0)
  await ann.context().close()
  await ben.context().close()
})

test('on a phone, in Chinese, without an account: the guide builds from a pattern and says what changed', async ({ browser, baseURL }) => {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, locale: 'zh-CN', hasTouch: true })
  const page = await context.newPage()
  const errors = watchErrors(page)
  await page.goto(baseURL ?? '')
  await page.getByRole('button', { name: '在本设备上继续' }).click()
  await page.getByRole('button', { name: '新建模型' }).first().click()
  await expect(page.locator('.h-canvas')).toBeVisible()
  await expect(page.getByRole('toolbar').first()).toBeVisible()
  await page.keyboard.press('ControlOrMeta+i')
  const log = page.getByRole('log')
  await log.getByRole('button', { name: '用模式创建' }).click()
  await page.getByRole('menuitem', { name: '呼叫者会放弃的呼叫中心' }).click()
  await log.getByRole('form', { name: '呼叫者会放弃的呼叫中心' }).getByRole('button', { name: '生成' }).click()
  await expect(log.getByText(/采用的数值：坐席|采用的数值：主体数/)).toBeVisible()
  await log.getByRole('button', { name: '全部采纳' }).click()
  await log.getByRole('button', { name: '有什么变化？' }).first().click()
  await expect(log.getByText(/没有可比较的较早版本/)).toBeVisible()
  expect(await findings(page, '.h-guide')).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  expect(errors).toEqual([])
  await context.close()
})
