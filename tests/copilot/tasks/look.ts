// Files about a model: experiments, charts and dashboards, made as files that the person takes in. Graded by what the engine makes of them.
import { dashboardOf, modelWithCards } from '../../../model-schema/dashboard.ts'
import { experimentOf, type Experiment } from '../../../model-schema/experiment.ts'
import { fileOfDraft, type DraftKind } from '../../../model-schema/file-drafts.ts'
import { modelOfFile } from '../../../model-schema/file.ts'
import { check } from '../../../sim-engine/check.ts'
import { prepare } from '../../../sim-engine/experiment.ts'
import { english } from '../../../model-schema/words.ts'
import { tank, ward } from './fixtures.ts'
import { changesNothing, offer, put, row, set, use, type Call, type Result, type Task } from './task.ts'

/** The only file of a kind that was offered, about the model with the rest taken in. */
function fileIn({ proposal, after }: Result, kind: DraftKind) {
  const [draft, ...more] = (proposal?.files ?? []).filter(one => one.kind === kind)
  const file = draft && more.length === 0 ? fileOfDraft(draft, 'model', after) : null
  return file && modelOfFile(file)
}

/** What is wrong with the experiment that was offered. */
function studies(result: Result, wrong: (experiment: Experiment) => readonly string[]): string[] {
  const file = fileIn(result, 'experiment')
  const experiment = file && experimentOf(file)
  if (!experiment) return ['no experiment was offered']
  const { problems } = prepare(experiment, result.after)
  return [...problems.flatMap(({ severity, words }) => (severity === 'error' ? [english(words)] : [])), ...wrong(experiment)]
}

/** What is wrong with the chart or dashboard that was offered: all that the model says of its cards, and kinds of cards that are missing. */
function shows(result: Result, kind: 'chart' | 'dashboard', ...kinds: readonly string[]): string[] {
  const file = fileIn(result, kind)
  const page = file && dashboardOf(file)
  if (!page) return [`no ${kind} was offered`]
  const cards = [...file.elements.values()]
  const missing = kinds.filter(one => !cards.some(card => card.kind === one)).map(one => `there is no ${one}`)
  const faults = page.associations.flatMap(one => {
    const shown = modelWithCards(one, result.after)
    return shown
      ? check(shown.model, shown.scenario).problems.flatMap(({ severity, message }) => (severity === 'error' ? [english(message)] : []))
      : ['no scenario']
  })
  return [...missing, ...faults]
}

const drafts = (tool: string, name: string, ...calls: readonly Call[]) => use(tool, { name, calls })
const expects = (holds: boolean, why: string): string[] => (holds ? [] : [why])
const line = (field: string): Call => put('plot', 'run', { type: 'line', dimension: '@time', metrics: [{ field }] })

export const look: readonly Task[] = [
  {
    id: 'look-experiment',
    language: 'en',
    asks: 'Make an experiment file that runs the ward thirty times and records the mean wait.',
    on: ward,
    solves: () => [
      drafts(
        'experiment_file',
        'Thirty runs',
        set('root', 'type', 'monteCarlo'),
        set('root', 'replications', 30),
        put('response', 'root', { name: 'wait', expression: 'mean_wait' }),
      ),
      offer('Thirty runs of the ward'),
    ],
    fails: () => [
      drafts('experiment_file', 'Thirty runs', put('response', 'root', { name: 'wait', expression: 'patience' })),
      offer('Thirty runs'),
    ],
    grade: result =>
      studies(result, ({ type, replications, responses }) => [
        ...expects(type === 'monteCarlo' && replications === 30, 'it does not run thirty times'),
        ...expects(
          responses.some(({ expression }) => expression.includes('mean_wait')),
          'the mean wait is not recorded',
        ),
      ]),
  },
  {
    id: 'look-experiment-exploration',
    language: 'zh',
    asks: '建立一个实验文件：让 inflow 从 0 到 20 变化，记录最后的水位。',
    on: tank,
    solves: () => [
      drafts(
        'experiment_file',
        'inflow 的影响',
        set('root', 'type', 'exploration'),
        set('root', 'design', 'factorial'),
        put('decision', 'root', { variable: 'inflow', domain: 'continuous', min: 0, max: 20 }),
        put('response', 'root', { name: 'water', expression: 'level' }),
      ),
      offer('inflow 的影响'),
    ],
    grade: result =>
      studies(result, ({ type, decisions, responses }) => {
        const [{ variable, domain } = { variable: '', domain: null }] = decisions
        const spans = domain !== null && (domain.as === 'continuous' || domain.as === 'discrete') && domain.min === 0 && domain.max === 20
        return [
          ...expects(type === 'exploration', 'it is no exploration'),
          ...expects(/inflow/.test(variable) && spans, 'inflow does not go from 0 to 20'),
          ...expects(responses.length > 0, 'nothing is recorded'),
        ]
      }),
  },
  {
    id: 'look-chart',
    language: 'en',
    asks: 'Make a chart file of the level of the tank over time.',
    on: tank,
    solves: () => [drafts('chart', 'Level', line('level')), offer('Level over time')],
    fails: () => [drafts('chart', 'Level', line('depth')), offer('Level over time')],
    grade: result => shows(result, 'chart', 'plot'),
  },
  {
    id: 'look-dashboard',
    language: 'zh',
    asks: '为水箱做一个仪表板：水位的图、调整 inflow 的滑块、一段说明。',
    on: tank,
    solves: ids => [
      drafts(
        'dashboard',
        '水箱',
        line('level'),
        put('controller', 'run', { type: 'slider', target: ids('inflow'), min: 0, max: 20 }),
        put('note', 'root'),
      ),
      offer('水箱的仪表板'),
    ],
    grade: result => shows(result, 'dashboard', 'plot', 'controller', 'note'),
  },
  {
    id: 'look-with-model',
    language: 'en',
    asks: 'Count the visits in a variable "visits", and make a chart file of it over time.',
    on: tank,
    solves: (_, scenario) => [
      use('edit', { calls: [put('variable', scenario, { name: 'visits', initial: '0' }), ...countingVisits(scenario)] }),
      drafts('chart', 'Visits', line('visits')),
      offer('Visits and their chart'),
    ],
    grade: result => [
      ...expects(
        [...result.after.elements.values()].some(({ fields }) => fields['name'] === 'visits'),
        'there is no "visits"',
      ),
      ...shows(result, 'chart', 'plot'),
    ],
  },
  {
    id: 'look-only-asked',
    language: 'zh',
    mode: 'ask',
    asks: '我应该用哪种实验来找最合适的护士人数？只解释，不要创建任何文件。',
    on: ward,
    solves: () => [{ text: '用优化实验，或者用参数探索比较几个人数。我没有创建文件。' }],
    fails: () => [{ text: '好。' }],
    grade: result => [...changesNothing(result), ...expects(/优化|探索/.test(result.said), '没有说用哪种实验')],
  },
]

const countingVisits = (scenario: string): Call[] => [
  ...row(2, scenario, 'Visits', ['start', { trigger: 'timer', every: '1' }], ['compute', { program: 'visits += 1' }], ['end']),
]
