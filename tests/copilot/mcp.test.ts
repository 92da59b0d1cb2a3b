// The tools over the Model Context Protocol, with the protocol's own client: a process over standard input and output.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import { mcpServerFor } from '../../sim-engine/copilot/doors/mcp.ts'
import { mainUntil } from '../../sim-engine/cli.ts'
import { toolNames } from '../../sim-engine/copilot/doors/tools.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'holarchy-mcp-'))
const clinic = join(folder, 'clinic.holo')
const wolves = join(folder, 'wolves.holo')
const sample = (id: string): string => readFileSync(join(root, `model-schema/samples/${id}.holo`), 'utf8')

const client = new Client({ name: 'Test client', version: '1.0.0' })

beforeAll(async () => {
  writeFileSync(clinic, sample('clinic'))
  writeFileSync(wolves, sample('wolf-sheep'))
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: ['--import', './sim-engine/compile-cache.mjs', 'sim-engine/cli.ts', 'mcp', clinic, wolves, '--write'],
      cwd: root,
      stderr: 'ignore',
    }),
  )
})
afterAll(async () => {
  await client.close()
  rmSync(folder, { recursive: true, force: true })
})

async function call(name: string, given: Record<string, unknown> = {}): Promise<{ text: string; failed: boolean }> {
  const result = await client.callTool({ name, arguments: given })
  const [content] = result.content as { type: string; text: string }[]
  return { text: content?.text ?? '', failed: result.isError === true }
}

/** As many runs as one answer may make. */
const endless = { runs: 50, ticks: 10_000 }

const run = async (...args: string[]): Promise<{ code: number; out: string; err: string }> => {
  let [out, err] = ['', '']
  const code = await mainUntil(args, { out: text => void (out += text), err: text => void (err += text) }, new AbortController().signal)
  return { code, out, err }
}

describe('mcp over standard input and output', () => {
  it('lists the tools of the table, all but those that address a person', async () => {
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name).toSorted()).toEqual(['files', ...toolNames.filter(one => one !== 'ask')].toSorted())
    for (const { inputSchema } of tools) expect(inputSchema.type).toBe('object')
  })

  it('lists files, reads, and runs', async () => {
    expect(JSON.parse((await call('files')).text)).toMatchObject({ files: [{ id: 'clinic.holo' }, { id: 'wolves.holo' }] })
    expect((await call('outline', { file: 'clinic.holo' })).text).toContain('Treatment')
    const ran = await call('run', { file: 'clinic.holo', ticks: 50, seed: 3 })
    expect(JSON.parse(ran.text)).toMatchObject({ seed: 3, ticks: 50 })
    expect(await call('run', { file: 'clinic.holo', ticks: 50, seed: 3 })).toEqual(ran)
  })

  it('answers wrong files, tools and arguments with what would do', async () => {
    expect(await call('outline')).toMatchObject({ failed: true, text: expect.stringContaining('several files') })
    expect(await call('outline', { file: '/etc/passwd' })).toMatchObject({ failed: true, text: expect.stringContaining('no file') })
    expect(await call('outline', { file: 'clinic.holo', depth: 'deep' })).toMatchObject({
      failed: true,
      text: expect.stringContaining('depth'),
    })
    expect(await call('share', { file: 'clinic.holo' })).toMatchObject({ failed: true, text: expect.stringContaining('no tool') })
    expect(await call('ask', { file: 'clinic.holo', question: '?' })).toMatchObject({ failed: true })
  })

  it('tells of the progress of runs, and stops what is cancelled', async () => {
    const shares: number[] = []
    await client.callTool({ name: 'replicate', arguments: { file: 'wolves.holo', runs: 4, ticks: 400 } }, undefined, {
      onprogress: ({ progress, total }) => void shares.push(progress / (total ?? NaN)),
    })
    // The client forgets what comes in one piece with the answer.
    expect(shares.length).toBeGreaterThan(0)
    expect(shares.every(share => share > 0 && share <= 1)).toBe(true)
    expect(shares).toEqual(shares.toSorted((a, b) => a - b))
    const stop = new AbortController()
    const cancelled = client.callTool({ name: 'replicate', arguments: { ...endless, file: 'wolves.holo' } }, undefined, {
      signal: stop.signal,
      onprogress: () => stop.abort('enough'),
      timeout: 200_000,
    })
    await expect(cancelled).rejects.toThrow(/enough/)
    // The thread is free again long before it would have made those runs.
    expect((await call('outline', { file: 'wolves.holo', depth: 1 })).failed).toBe(false)
  })

  it('puts questions to the person, where the client can show them', async () => {
    const asking = new Client({ name: 'Asking client', version: '1.0.0' }, { capabilities: { elicitation: { form: {} } } })
    const asked: unknown[] = []
    asking.setRequestHandler(ElicitRequestSchema, ({ params }) => {
      asked.push(params.message)
      return params.message === 'Which queue?'
        ? { action: 'accept' as const, content: { answer: 'the first' } }
        : { action: 'decline' as const }
    })
    const [mine, theirs] = InMemoryTransport.createLinkedPair()
    const files = { list: async () => [], use: async () => ({ ok: false as const, why: 'not used' }) }
    const server = mcpServerFor(files, '1')
    await Promise.all([server.connect(theirs), asking.connect(mine)])
    expect((await asking.listTools()).tools.map(({ name }) => name)).toContain('ask')
    const ask = (given: Record<string, unknown>) => asking.callTool({ name: 'ask', arguments: given })
    expect(await ask({ question: 'Which queue?', choices: ['the first', 'the second'] })).toMatchObject({
      isError: false,
      content: [{ text: '{"answer":"the first"}' }],
    })
    expect(await ask({ question: 'How long?' })).toMatchObject({ isError: true, content: [{ text: 'The person did not answer.' }] })
    expect(await ask({ question: '' })).toMatchObject({ isError: true })
    expect(asked).toEqual(['Which queue?', 'How long?'])
    await asking.close()
  })

  it('gives outlines and problems as resources, and prompts', async () => {
    const { resources } = await client.listResources()
    expect(resources).toHaveLength(4)
    const { contents } = await client.readResource({ uri: resources[0]!.uri })
    expect(JSON.stringify(contents)).toContain('Treatment')
    await expect(client.readResource({ uri: 'holarchy://file/clinic.holo/secrets' })).rejects.toThrow(/no resource/)
    expect(JSON.stringify(await client.readResource({ uri: 'holarchy://reference/exponential' }))).toContain('exponential')
    await expect(client.readResource({ uri: 'holarchy://reference/qwertz' })).rejects.toThrow(/knows nothing/)
    await expect(client.readResource({ uri: 'holarchy://reference/%E0%A4%A' })).rejects.toThrow(/no address/)
    const { text } = await call('run', { file: 'clinic.holo', ticks: 40, seed: 5 })
    const { result } = JSON.parse(text) as { result: number }
    const again = await client.readResource({ uri: `holarchy://file/clinic.holo/run/${result}` })
    expect(again.contents).toMatchObject([{ text }])
    for (const wrong of ['99', '0', 'x', ''])
      await expect(client.readResource({ uri: `holarchy://file/clinic.holo/run/${wrong}` }), wrong).rejects.toThrow(
        /no result|number|no resource/,
      )
    expect((await client.listResourceTemplates()).resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toContain(
      'holarchy://file/{id}/run/{number}',
    )
    expect(
      JSON.parse((await call('compare', { file: 'clinic.holo', a: 'document', b: 'wolves.holo', runs: 2, ticks: 5 })).text),
    ).toMatchObject({
      measures: expect.anything(),
    })
    expect((await call('trace', { file: 'clinic.holo', element: 'Treatment', ticks: 40 })).text).toContain('Treatment')
    expect((await client.listPrompts()).prompts.map(({ name }) => name)).toEqual(['explain', 'fix', 'build', 'validate'])
    expect(JSON.stringify(await client.getPrompt({ name: 'validate', arguments: { about: 'A third nurse.' } }))).toContain('A third nurse.')
  })

  it('proposes a change, which a person then takes into the file', async () => {
    const before = readFileSync(clinic, 'utf8')
    const outline = JSON.parse((await call('outline', { file: 'clinic.holo', depth: 1 })).text) as { lines: string[] }
    const scenario = outline.lines[0]!.split(' ')[0]!
    const made = await call('edit', {
      file: 'clinic.holo',
      calls: [{ do: 'place', kind: 'variable', parent: scenario, values: { name: 'patience', initial: '30' } }],
    })
    expect(made).toMatchObject({ failed: false, text: expect.stringContaining('"new":[]') })
    expect(await call('offer', { file: 'clinic.holo', title: 'Patience', why: 'Asked for.' })).toMatchObject({ failed: false })
    expect(readFileSync(clinic, 'utf8')).toBe(before)
    const proposal = join(folder, 'clinic.proposal.json')
    expect(JSON.parse(readFileSync(proposal, 'utf8'))).toMatchObject({ by: { kind: 'client', name: 'Test client' } })
    expect(await run('apply', proposal, '--only', 'nothing')).toMatchObject({ code: 2, err: expect.stringContaining('changes no element') })
    expect(readFileSync(clinic, 'utf8')).toBe(before)
    const [first] = (JSON.parse(readFileSync(proposal, 'utf8')) as { deltas: { id: string }[] }).deltas
    expect(await run('apply', proposal, '--only', first!.id)).toMatchObject({ code: 0, out: expect.stringContaining('1 changes taken') })
    expect(readFileSync(clinic, 'utf8')).toContain('patience')
    expect((await call('find', { file: 'clinic.holo', text: 'patience' })).text).toContain('variable')
  })
})

describe('the commands', () => {
  it('answer a question about a model, say what can be asked, and write what is suggested beside it', async () => {
    expect(await run('copilot', wolves)).toMatchObject({ code: 0, out: expect.stringContaining('What matters?') })
    const told = await run('copilot', wolves, 'Overview', '(ODD)')
    expect(told).toMatchObject({ code: 0, out: expect.stringMatching(/1\. Purpose\n[^]*Agent “Wolf”: in “Meadow”\. \[/) })
    const before = readFileSync(wolves, 'utf8')
    const target = join(folder, 'wolves.proposal.json')
    expect((await run('copilot', wolves, 'make a queue')).out).toContain('--write writes it')
    expect(existsSync(target)).toBe(false)
    expect(await run('copilot', wolves, 'make a queue', '--write')).toMatchObject({
      code: 0,
      out: expect.stringContaining('wolves.proposal.json'),
    })
    expect(readFileSync(wolves, 'utf8')).toBe(before)
    expect(JSON.parse(readFileSync(target, 'utf8'))).toMatchObject({ title: 'A queue', by: { kind: 'guide' } })
  })

  it('say what is wrong with their arguments', async () => {
    expect(await run('mcp')).toMatchObject({ code: 2, err: expect.stringContaining('takes the model files') })
    expect(await run('mcp', join(folder, 'none.holo'))).toMatchObject({ code: 2, err: expect.stringContaining('no such file') })
    expect(await run('mcp', '--port')).toMatchObject({ code: 2 })
    expect(await run('apply', wolves)).toMatchObject({ code: 2, err: expect.stringContaining('which model file') })
    expect(await run('apply', wolves, clinic)).toMatchObject({ code: 2, err: expect.stringContaining('no') })
    expect(await run('copilot')).toMatchObject({ code: 2, err: expect.stringContaining('takes a model file') })
    expect(await run('copilot', '--help')).toMatchObject({ code: 0, out: expect.stringContaining('what matters') })
    expect(await run('mcp', '--help')).toMatchObject({ code: 0, out: expect.stringContaining('Model Context Protocol') })
  })
})
