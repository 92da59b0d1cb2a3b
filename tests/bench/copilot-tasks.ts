// `npm run bench copilot -- --endpoint URL`: puts the tasks of the copilot (tests/copilot/tasks) to a language model, and prints a JSON line a task and one
// with the sums. What it says holds for that model on that day.
import { parseArgs } from 'node:util'
import { definitionsOf } from '../../sim-engine/copilot/doors/tools.ts'
import { systemText, toolsOf } from '../../sim-engine/copilot/doors/dialogue.ts'
import { refusalOf } from '../../sim-engine/outbound.ts'
import { callModel, wires, type Endpoint } from '../../sync-server/copilot/wires.ts'
import { groups } from '../copilot/tasks/all.ts'
import { attempt, type CallModel, type Task } from '../copilot/tasks/task.ts'

const usage = `npm run bench copilot -- --endpoint URL [--model NAME] [--wire ${wires.join('|')}] [--key-from VARIABLE] [--text] [--tasks WORD] [--repeat N]`

/** Seconds a task may take, and tokens of one answer. */
const LIMITS = { seconds: 600, answerTokens: 8000, repeats: 20 } as const

type Wanted = { readonly endpoint: Endpoint; readonly tasks: readonly (Task & { group: string })[]; readonly repeat: number }

/** What the arguments ask for, or what is wrong with them. The key is read from a variable: arguments appear in lists of processes. */
function wantedBy(args: readonly string[], variables: Readonly<Record<string, string | undefined>>): Wanted | string {
  let values
  try {
    values = parseArgs({
      args: [...args],
      options: {
        endpoint: { type: 'string' },
        model: { type: 'string', default: 'default' },
        wire: { type: 'string', default: 'openai' },
        'key-from': { type: 'string' },
        text: { type: 'boolean', default: false },
        tasks: { type: 'string', default: '' },
        repeat: { type: 'string', default: '1' },
      },
    }).values
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
  const { endpoint: url, model, 'key-from': from } = values
  const wire = wires.find(one => one === values.wire)
  if (url === undefined || !URL.canParse(url)) return '--endpoint takes the address of a language model, up to the version'
  if (!wire) return `--wire takes ${wires.join(' or ')}`
  if (from !== undefined && variables[from] === undefined) return `--key-from: there is no variable ${from}`
  const repeat = Number(values.repeat)
  if (!Number.isInteger(repeat) || repeat < 1 || repeat > LIMITS.repeats) return `--repeat takes a whole number from 1 to ${LIMITS.repeats}`
  const tasks = Object.entries(groups).flatMap(([group, all]) =>
    all.filter(({ id }) => id.includes(values.tasks)).map(task => ({ ...task, group })),
  )
  if (tasks.length === 0) return `--tasks: no task has "${values.tasks}" in its id`
  const key = from === undefined ? '' : (variables[from] ?? '')
  return { endpoint: { wire, url, model, key, tools: values.text ? 'text' : 'calls' }, tasks, repeat }
}

/** Runs the command. 0: it was measured; 1: the model could not be called; 2: wrong arguments. */
export async function copilotTasks(
  args: readonly string[],
  variables: Readonly<Record<string, string | undefined>>,
  print: (line: string) => void,
): Promise<0 | 1 | 2> {
  const wanted = wantedBy(args, variables)
  if (typeof wanted === 'string') {
    print(`${wanted}\n${usage}`)
    return 2
  }
  const { endpoint, tasks, repeat } = wanted
  // The person who types the address may call it, also on this machine.
  const rules = { allowed: new Set([new URL(endpoint.url).host]) }
  const refused = refusalOf(endpoint.url, rules)
  if (refused !== null) {
    print(refused)
    return 2
  }
  const call: CallModel = (messages, mode, signal) =>
    callModel(
      endpoint,
      { system: systemText(mode), tools: definitionsOf(toolsOf(mode)), messages, answerTokens: LIMITS.answerTokens, signal },
      rules,
    )
  const sums = new Map<string, { passed: number; of: number }>()
  let [tokens, answered] = [0, 0]
  for (const task of tasks)
    for (let round = 1; round <= repeat; round++) {
      const began = performance.now()
      const result = await attempt(task, call, AbortSignal.timeout(LIMITS.seconds * 1000))
      const wrong = task.grade(result)
      const sum = sums.get(task.group) ?? { passed: 0, of: 0 }
      sums.set(task.group, { passed: sum.passed + (wrong.length === 0 ? 1 : 0), of: sum.of + 1 })
      tokens += result.tokens
      if (result.said !== '' || result.used.length > 0) answered++
      const { end, used } = result
      const seconds = Math.round((performance.now() - began) / 100) / 10
      print(
        JSON.stringify({
          task: task.id,
          round,
          passed: wrong.length === 0,
          end,
          tools: used.length,
          tokens: result.tokens,
          seconds,
          wrong,
        }),
      )
    }
  const all = [...sums.values()]
  const total = (of: 'passed' | 'of'): number => all.reduce((sum, one) => sum + one[of], 0)
  print(
    JSON.stringify({
      name: 'copilot/tasks',
      model: endpoint.model,
      wire: endpoint.wire,
      passed: total('passed'),
      of: total('of'),
      groups: Object.fromEntries(sums),
      tokens,
    }),
  )
  return answered > 0 ? 0 : 1
}
