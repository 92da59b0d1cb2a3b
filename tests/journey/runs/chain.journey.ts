// A chain in the browser: the market sample is run, paused and looked at; a market of two tokens is built from nothing; a fork is recorded
// through the server; two people work on one chain.
import { readFileSync } from 'node:fs'
import { expect, test, type Page } from 'playwright/test'
import { addressText } from '../../../sim-engine/chain/accounts.ts'
import { chainNode } from '../../help/chain/chain-node.ts'
import { blockNumber, realChain, timestamp, whale } from '../../help/chain/real-chain.ts'
import { continueOnDevice, editor, newModel, nodePort, openContext, openSample, signIn, watchErrors } from '../app.ts'

const artifactOf = (name: string): string =>
  readFileSync(new URL(`../../../model-schema/samples/contracts/${name}.json`, import.meta.url), 'utf8')

/** Chooses an option of a list in the inspector. */
async function pick(page: Page, label: string, option: string): Promise<void> {
  await editor(page).inspector.getByRole('combobox', { name: label, exact: true }).click()
  await page.locator('.ant-select-dropdown:visible').getByTitle(option, { exact: true }).click()
}

/** Puts a formula into a field at once, as from the clipboard. */
async function write(page: Page, label: string, formula: string): Promise<void> {
  await editor(page).inspector.getByRole('textbox', { name: label, exact: true }).click()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.insertText(formula)
}

async function nameIt(page: Page, name: string): Promise<void> {
  const field = editor(page).inspector.getByRole('textbox', { name: 'Name', exact: true })
  await field.fill(name)
  await field.press('Enter')
}

/** A contract that is deployed at the start, from its artifact. */
async function contract(page: Page, name: string, artifact: string, given: string, y: number): Promise<void> {
  const app = editor(page)
  await app.place('Contract', 420, y)
  await nameIt(page, name)
  await app.inspector.getByRole('textbox', { name: 'Artifact' }).fill(artifactOf(artifact))
  await write(page, 'Constructor arguments', given)
}

/** A Transaction step behind the selected one. */
async function call(page: Page, of: string, method: string, given: string, account = ''): Promise<void> {
  const app = editor(page)
  await app.addNext('Transaction')
  await pick(page, 'Contract', of)
  await app.inspector.getByRole('textbox', { name: 'Method' }).fill(method)
  await write(page, 'Arguments', given)
  if (account !== '') await write(page, 'From account', account)
}

test('the market sample runs, and the chain panel shows its transactions, accounts and storage', async ({ page }) => {
  const errors = watchErrors(page)
  await continueOnDevice(page)
  await openSample(page, 'Arbitrage at a pool')
  const app = editor(page)
  const panel = await app.show('Chain')
  await expect(panel.getByText('No transaction has been sent yet.')).toBeVisible()

  await app.run.getByRole('button', { name: 'Play' }).click()
  await expect(app.tick()).toHaveText(/tick\s*[1-9]\d/)
  await app.run.getByRole('button', { name: 'Pause' }).click()
  const table = panel.getByRole('table')
  await expect(table.getByRole('row', { name: /Arbitrageur 1.*pool.*swap.*Succeeded/ }).first()).toBeVisible()
  const before = await table.getByRole('row').nth(1).innerText()

  await panel.getByText('Blocks', { exact: true }).click()
  await expect(table.getByRole('columnheader', { name: 'Base fee (wei)' })).toBeVisible()
  await panel.getByText('Accounts', { exact: true }).click()
  await panel.getByRole('button', { name: 'Storage of pool' }).click()
  await expect(panel.getByText('2 slots')).toBeVisible()

  // Back to the start of the run: what came later is not there.
  await panel.getByText('Transactions', { exact: true }).click()
  await app.run.getByRole('button', { name: 'Reset' }).click()
  await expect(panel.getByText('No transaction has been sent yet.')).toBeVisible()
  expect(before).toContain('swap')
  expect(errors).toEqual([])
})

test('a market built from nothing runs; the panel shows its chain, and a what-if goes off at a block', async ({ page }) => {
  const errors = watchErrors(page)
  await continueOnDevice(page)
  await newModel(page)
  const app = editor(page)

  await app.left.getByRole('button', { name: 'Learning and chains' }).click()
  await app.place('Blockchain environment', 160, 120)
  await nameIt(page, 'net')
  await contract(page, 'base', 'Token', '[net.account("deployer"), units("1000000", 18)]', 80)
  await contract(page, 'quote', 'Token', '[net.account("deployer"), units("1000000", 18)]', 180)
  await contract(page, 'pool', 'Pool', '[base.address, quote.address, 30]', 280)
  await app.place('Agent', 160, 300)
  await nameIt(page, 'Trader')
  await write(page, 'Initial number', '1')
  await app.inspector.getByRole('button', { name: 'Advanced' }).click()
  await pick(page, 'Account on', 'net')

  // The deployer fills the pool, and gives the trader something to sell.
  const deployer = 'net.account("deployer")'
  await app.place('Process', 660, 120)
  await page.keyboard.press('Enter')
  await app.place('Start', 60, 200)
  await call(page, 'base', 'transfer', '[pool.address, units("1000", 18)]', deployer)
  await call(page, 'quote', 'transfer', '[pool.address, units("1000", 18)]', deployer)
  await call(page, 'pool', 'sync', '[]', deployer)
  await call(page, 'quote', 'transfer', '[Trader.individuals[0], units("100", 18)]', deployer)
  await app.addNext('End')

  // The trader lets the pool take what it pays, and buys.
  const outline = await app.outline()
  await outline
    .getByRole('treeitem', { name: /Trader/ })
    .first()
    .click()
  await app.inspector.getByRole('button', { name: 'Open inside' }).click()
  await app.place('Process', 160, 160)
  await page.keyboard.press('Enter')
  await app.place('Timer start', 60, 200)
  await call(page, 'quote', 'approve', '[pool.address, units("1", 18)]')
  await call(page, 'pool', 'swap', '[True, units("1", 18), 0]')
  await app.addNext('End')
  const problems = await app.show('Problems')
  await expect(problems.getByRole('button', { name: /Error/ })).toHaveCount(0)

  await app.run.getByRole('button', { name: 'Play' }).click()
  await expect(app.tick()).toHaveText(/tick\s*\d{2}/)
  await app.run.getByRole('button', { name: 'Pause' }).click()
  const panel = await app.show('Chain')
  const table = panel.getByRole('table')
  await expect(table.getByRole('row', { name: /Trader 1.*pool.*swap.*Succeeded/ }).first()).toBeVisible()
  await panel.getByText('Accounts', { exact: true }).click()
  await expect(table.getByRole('row', { name: /Trader 1/ })).toBeVisible()
  await panel.getByRole('button', { name: 'Storage of pool' }).click()
  await expect(panel.getByText('2 slots')).toBeVisible()

  // Another run goes off behind a block, and has that block in common with this one.
  await panel.getByText('Blocks', { exact: true }).click()
  await panel.getByRole('button', { name: 'Branch after block 12' }).click()
  await expect(app.run.getByRole('button', { name: 'Discard the what-if' })).toBeVisible()
  expect(errors).toEqual([])
})

test('a fork is recorded through the server, in the inspector; its run needs no node', async ({ page }) => {
  const errors = watchErrors(page)
  const real = realChain()
  const node = await chainNode(real.state, blockNumber, timestamp, nodePort)
  await signIn(page)
  await newModel(page)
  const app = editor(page)
  await app.left.getByRole('button', { name: 'Learning and chains' }).click()
  await app.place('Blockchain environment', 160, 120)
  await nameIt(page, 'net')
  await app.inspector.getByRole('textbox', { name: 'Node (RPC URL)' }).fill('mainnet')
  await app.inspector.getByRole('spinbutton', { name: 'Start block' }).fill(String(blockNumber))
  await app.inspector.getByRole('spinbutton', { name: 'Start block' }).press('Enter')
  await app.place('Contract', 420, 80)
  await nameIt(page, 'token')
  await app.inspector.getByRole('textbox', { name: 'ABI' }).fill(JSON.stringify(JSON.parse(artifactOf('Token')).abi))
  await app.inspector.getByRole('button', { name: 'Advanced' }).click()
  await app.inspector.getByRole('textbox', { name: 'Address' }).fill(addressText(real.token))
  await app.place('Process', 660, 120)
  await page.keyboard.press('Enter')
  await app.place('Timer start', 60, 200)
  await call(page, 'token', 'transfer', `["${addressText(5n)}", 7]`, `"${addressText(whale)}"`)
  await app.addNext('End')
  const outline = await app.outline()
  await outline.getByRole('treeitem', { name: /net/ }).first().click()
  await app.inspector.getByRole('button', { name: 'Record' }).click()
  await expect(app.inspector.getByText('Verified against the block’s state root')).toBeVisible()
  const asked = node.requests()
  await node.stop()
  await app.run.getByRole('button', { name: 'Play' }).click()
  await expect(app.tick()).toHaveText(/tick\s*\d{2}/)
  await app.run.getByRole('button', { name: 'Pause' }).click()
  const panel = await app.show('Chain')
  await expect(panel.getByRole('row', { name: /token.*transfer.*Succeeded/ }).first()).toBeVisible()
  expect(asked).toBeGreaterThan(2)

  // A node that is not there any more: what was recorded stays.
  await outline.getByRole('treeitem', { name: /net/ }).first().click()
  await app.inspector.getByRole('button', { name: 'Record again' }).click()
  await expect(app.inspector.getByText(/The node of the chain did not answer as it should. \(ECONNREFUSED\)/)).toBeVisible()
  await expect(app.inspector.getByText('Verified against the block’s state root')).toBeVisible()
  expect(errors).toEqual([])
})

test('two people work on a chain: a contract of one is called by the step of the other', async ({ browser }) => {
  const [a, b] = [await openContext(browser), await openContext(browser)]
  await signIn(a)
  await newModel(a)
  await signIn(b)
  await b.goto(a.url())
  await expect(editor(b).canvas).toBeVisible()
  await editor(a).left.getByRole('button', { name: 'Learning and chains' }).click()
  await editor(a).place('Blockchain environment', 160, 120)
  await nameIt(a, 'net')
  await contract(a, 'coin', 'Token', '[net.account("deployer"), 1000]', 80)

  await editor(b).place('Process', 660, 120)
  await b.keyboard.press('Enter')
  await editor(b).place('Start', 60, 200)
  await call(b, 'coin', 'transfer', '[net.account("deployer"), 2000]', 'net.account("deployer")')
  await editor(b).addNext('End')
  await editor(b).run.getByRole('button', { name: 'Play' }).click()
  await expect(editor(b).run.getByText(/InsufficientBalance\(0x\w+, 1000, 2000\)/)).toBeVisible()

  // The other gives the deployer more; both have the model in which that is so.
  await (await editor(a).outline()).getByRole('treeitem', { name: /coin/ }).first().click()
  await write(a, 'Constructor arguments', '[net.account("deployer"), 5000]')
  await a.keyboard.press('Tab')
  for (const page of [a, b]) {
    await expect(editor(page).run.getByText(/InsufficientBalance/)).toHaveCount(0)
    await editor(page).run.getByRole('button', { name: /Play/ }).click()
    const panel = await editor(page).show('Chain')
    await editor(page).run.getByRole('button', { name: 'Pause' }).click()
    await expect(panel.getByRole('row', { name: /deployer.*coin.*transfer.*Succeeded/ })).toBeVisible()
  }
})
