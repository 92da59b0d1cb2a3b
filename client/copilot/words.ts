// What happened in a talk, in words: how a turn ended, and what a tool was used for.
import { plural, t } from '@lingui/core/macro'
import type { TurnEnd } from '../../sim-engine/copilot/doors/dialogue.ts'

/** How a turn ended, with what to do; null when it ended as it should. `again`: whether the same question may do better. */
export function wordsOfEnd({ why, detail }: { why: TurnEnd; detail: string }): { text: string; again: boolean } | null {
  const said = (text: string, again = true): { text: string; again: boolean } => ({ text, again })
  switch (why) {
    case 'answered':
    case 'asked':
    case 'offered':
      return null
    case 'stopped':
      return said(t`Stopped. The model is as it was.`)
    case 'cut':
      return said(t`The page went away meanwhile. What had come is kept.`)
    case 'calls':
      return said(t`It used as many tools as one question allows. Ask again to go on from here.`)
    case 'tokens':
    case 'budget-turn':
      return said(t`This question used up its tokens. Ask again to go on from here.`)
    case 'repeating':
      return said(t`It went round in circles and was ended. Say it in another way, or choose another model.`, false)
    case 'length':
      return said(t`The answer was cut off at its greatest length. Ask again to go on.`)
    case 'too-long':
      return said(t`The answer did not end and was cut off.`)
    case 'budget-day':
      return said(t`Your tokens for today are used up. Tomorrow there are more; the guide goes on, and so does a model of your own.`, false)
    case 'budget-money':
      return said(t`The money for this model is used up for now. Whoever pays for it can raise the limit; the guide goes on.`, false)
    case 'budget-plan':
      return said(t`The tokens of the subscription are used up for this month. The guide goes on, and so does a model of your own.`, false)
    case 'no-tools':
      return said(
        t`This model does not manage to use tools. Ask it to explain what you tell it, or choose another model to read and build.`,
        false,
      )
    case 'key-refused':
      return said(t`The provider refuses the key of this model. Enter a new one in the settings.`, false)
    case 'model-unknown':
      return said(t`The provider does not know this model. Correct its name in the settings.`, false)
    case 'busy':
      return said(t`Too much goes on at once just now. Wait a moment, then ask again.`)
    case 'unreachable':
      return said(t`The model cannot be reached. Ask again later, or check its address in the settings.`)
    case 'refused-address':
      return said(t`This server does not call that address. Its operator can allow it.`, false)
    case 'malformed':
      return detail === '' ? said(t`The provider answered something unreadable.`) : said(t`The provider answered with an error: ${detail}`)
    case 'context-full':
      return said(t`The talk is too long for this model. Begin a new one.`, false)
    case 'plan':
      return said(t`The current subscription does not include the copilot. A model of your own works with every subscription.`, false)
    case 'signed-out':
      return said(t`You are signed out. Sign in, then ask again.`)
    case 'gone':
      return said(t`This model is no longer connected, or its key has to be entered again.`, false)
    case 'offline':
      return said(t`The server cannot be reached. The guide works without a network.`)
  }
}

/** An amount of US dollars. */
export const dollars = (amount: number, language: string): string =>
  new Intl.NumberFormat(language, { style: 'currency', currency: 'USD', maximumFractionDigits: amount > 0 && amount < 0.1 ? 4 : 2 }).format(
    amount,
  )

type Given = Readonly<Record<string, unknown>>

export function plainOf(json: string): Given {
  try {
    const value: unknown = JSON.parse(json || '{}')
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
  } catch {
    return {} // the arguments from a model need not be JSON; then there is no text for them
  }
}

const count = (value: unknown): number => (Array.isArray(value) ? value.length : 0)
const text = (value: unknown): string => (typeof value === 'string' ? value.slice(0, 80) : '')

/** What a tool is used for, in one line. */
export function wordsOfTool(name: string, given: Given): string {
  switch (name) {
    case 'outline':
      return t`Reads the outline`
    case 'read':
      return t`Reads ${plural(count(given['ids']), { one: '# element', other: '# elements' })}`
    case 'find':
      return t`Looks for “${text(given['text'])}”`
    case 'kind':
      return given['id'] === undefined ? t`Looks up the kinds of elements` : t`Looks up the kind ${text(given['id'])}`
    case 'reference':
      return t`Looks up “${text(given['query'])}”`
    case 'explain':
      return t`Explains an element`
    case 'check':
      return t`Checks the model`
    case 'changes':
      return t`Compares`
    case 'repair':
      return t`Repairs`
    case 'pattern':
      return given['id'] === undefined ? t`Looks up patterns` : t`Builds from the pattern ${text(given['id'])}`
    case 'edit':
      return t`Makes ${plural(count(given['calls']), { one: '# edit', other: '# edits' })} on a copy`
    case 'experiment_file':
      return t`Drafts an experiment`
    case 'chart':
      return t`Drafts a chart`
    case 'dashboard':
      return t`Drafts a dashboard`
    case 'undo':
      return t`Takes the last edits back`
    case 'run':
      return t`Runs the model`
    case 'replicate':
      return t`Runs the model ${plural(Number(given['runs']) || 0, { one: '# time', other: '# times' })}`
    case 'experiment':
      return t`Compares ${plural(count(given['values']), { one: '# value', other: '# values' })} of ${text(given['name'])}`
    case 'matters':
      return t`Looks which inputs matter`
    case 'validate':
      return t`Tests a claim about ${text(given['measure'])}`
    case 'compare':
      return t`Compares “${text(given['a'])}” and “${text(given['b'])}”`
    case 'trace':
      return t`Follows what happens at “${text(given['element'])}”`
    case 'result':
      return t`Looks at result ${Number(given['number'])} again`
    case 'ask':
      return t`Asks you`
    case 'offer':
      return t`Suggests: ${text(given['title'])}`
    default:
      return name.slice(0, 60)
  }
}

/** The outcome of a tool, in a few words; empty if there is no short text. */
export function wordsOfOutcome(name: string, result: Given): string {
  const problems = result['problems']
  if (name === 'check') return plural(count(problems), { 0: 'no problems', one: '# problem', other: '# problems' })
  if (name === 'edit' || name === 'offer' || name === 'pattern') {
    if (typeof problems !== 'object' || problems === null) return ''
    return t`problems ${Number(Reflect.get(problems, 'before'))} → ${Number(Reflect.get(problems, 'after'))}`
  }
  if (name === 'experiment_file' || name === 'chart' || name === 'dashboard')
    return problems === undefined ? '' : plural(count(problems), { 0: 'no problems', one: '# problem', other: '# problems' })
  if (name === 'run' || name === 'trace') return t`${Number(result['ticks'])} ticks, seed ${Number(result['seed'])}: ${text(result['end'])}`
  if (name === 'matters') return t`${Number(result['runs'])} runs, seeds ${text(result['seeds'])}`
  if (name === 'replicate' || name === 'experiment' || name === 'compare')
    return result['seeds'] === 'none' ? t`nothing is measured` : t`seeds ${text(result['seeds'])}`
  if (name === 'validate') {
    const [mean, low, high] = [Number(result['mean']), Number(result['low']), Number(result['high'])]
    return t`${text(result['verdict'])}: ${mean} (${low} … ${high})`
  }
  return ''
}
