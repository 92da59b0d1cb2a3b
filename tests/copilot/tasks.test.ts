// The tasks of the copilot with a scripted provider over HTTP, in both formats: the script that solves a task passes its grader, one that does not fails it.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { modelOf } from '../../model-schema/document.ts'
import { systemText, toolsOf } from '../../sim-engine/copilot/doors/dialogue.ts'
import { definitionsOf } from '../../sim-engine/copilot/doors/tools.ts'
import { callModel, type Wire } from '../../sync-server/copilot/wires.ts'
import { scriptedProvider, type ScriptedProvider } from '../help/network/provider.ts'
import { copilotTasks } from '../bench/copilot-tasks.ts'
import { groups, tasks } from './tasks/all.ts'
import { attempt, documentOf, idsIn, use, type CallModel } from './tasks/task.ts'

let provider: ScriptedProvider
beforeAll(async () => {
  provider = await scriptedProvider()
})
afterAll(() => provider?.stop())

const calls =
  (wire: Wire): CallModel =>
  (messages, mode, signal) =>
    callModel(
      { wire, url: provider.url, model: 'scripted', key: 'sk-test' },
      { system: systemText(mode), tools: definitionsOf(toolsOf(mode)), messages, answerTokens: 1000, signal },
      { allowed: new Set([provider.host]) },
    )

describe('tasks of the copilot', () => {
  it('are sixty-six, in both languages, of all sorts', () => {
    expect(new Set(tasks.map(({ id }) => id)).size).toBe(66)
    for (const one of ['en', 'zh']) expect(tasks.filter(({ language }) => language === one).length).toBeGreaterThan(28)
    expect(Object.values(groups).every(group => group.length >= 6)).toBe(true)
  })

  for (const [group, all] of Object.entries(groups))
    it(`${group}: each is solved by its script and by no script that fails it`, async () => {
      for (const [i, task] of all.entries()) {
        const model = modelOf(documentOf(task))
        const [ids, scenario] = [idsIn(model), model.scenarios[0]!]
        const put = async (script: ReturnType<typeof task.solves>) => {
          // What comes after the script ends the turn.
          provider.play(...script, { text: 'Done.' })
          return attempt(task, calls(i % 2 === 0 ? 'openai' : 'anthropic'))
        }
        const solved = await put(task.solves(ids, scenario))
        const told = JSON.stringify({ end: solved.end, used: solved.used, said: solved.said }).slice(0, 3000)
        expect(task.grade(solved), `${task.id} ${told}`).toEqual([])
        expect(solved.tokens, task.id).toBeGreaterThan(0)
        const failed = await put(task.fails?.(ids, scenario) ?? [{ text: 'Hm.' }])
        expect(task.grade(failed), task.id).not.toEqual([])
      }
    })
})

describe('the command that puts the tasks to a model', () => {
  const run = async (...args: string[]) => {
    const lines: string[] = []
    const code = await copilotTasks(args, { KEY: 'sk-test-0123456789' }, line => void lines.push(line))
    return { code, lines, all: lines.join('\n') }
  }

  it('calls the endpoint in its format with the key of the variable, grades, and sums up', async () => {
    provider.play(use('check'), { text: '检查没有发现问题，无需修改。' })
    const { code, lines, all } = await run(
      '--endpoint',
      provider.url,
      '--model',
      'm7',
      '--wire',
      'anthropic',
      '--key-from',
      'KEY',
      '--tasks',
      'nothing-to-do',
    )
    expect(code).toBe(0)
    expect(JSON.parse(lines[0]!)).toMatchObject({ task: 'refuse-nothing-to-do', passed: true, tools: 1, wrong: [] })
    expect(JSON.parse(lines[1]!)).toMatchObject({ name: 'copilot/tasks', model: 'm7', passed: 1, of: 1, groups: { refuse: { passed: 1 } } })
    expect(provider.heard.at(-1)).toMatchObject({
      path: '/v1/messages',
      body: { model: 'm7' },
      headers: { 'x-api-key': 'sk-test-0123456789' },
    })
    expect(all).not.toContain('sk-test')
    provider.play({ text: 'No idea.' })
    const wrong = await run('--endpoint', provider.url, '--tasks', 'change-nurses', '--repeat', '2')
    expect(JSON.parse(wrong.lines[2]!)).toMatchObject({ passed: 0, of: 2 })
    expect(wrong.lines[0]).toContain('nothing was offered')
  })

  it('says what is wrong with its arguments, and when nothing answers', async () => {
    expect(await run('--endpoint', 'nowhere')).toMatchObject({ code: 2, all: expect.stringContaining('--endpoint takes') })
    expect(await run('--wires', 'x')).toMatchObject({ code: 2, all: expect.stringContaining('npm run bench copilot') })
    expect(await run('--endpoint', provider.url, '--wire', 'smoke')).toMatchObject({ code: 2 })
    expect(await run('--endpoint', provider.url, '--key-from', 'NONE')).toMatchObject({ code: 2, all: expect.stringContaining('NONE') })
    expect(await run('--endpoint', provider.url, '--repeat', '0')).toMatchObject({ code: 2 })
    expect(await run('--endpoint', provider.url, '--tasks', 'castle')).toMatchObject({ code: 2, all: expect.stringContaining('castle') })
    expect(await run('--endpoint', 'ftp://example.org')).toMatchObject({ code: 2 })
    provider.play({ status: 401, raw: '{"error":"no"}' })
    expect(await run('--endpoint', provider.url, '--tasks', 'change-nurses')).toMatchObject({
      code: 1,
      all: expect.stringContaining('key-refused'),
    })
  })
})
