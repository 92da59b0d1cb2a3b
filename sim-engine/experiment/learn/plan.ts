// From the fields of an experiment that learns to a plan that any worker can train by: plain data. What is wrong is found before.
import type { LearningParameter, LearningPlan } from '../../../model-schema/experiment.ts'
import { formulaName } from '../../../model-schema/kinds.ts'
import type { Id, Model } from '../../../model-schema/model.ts'
import { check, type CheckedModel } from '../../check.ts'
import { stepKey } from '../../check/names/keys.ts'
import type { NetworkPart, StepPart } from '../../check/parts.ts'
import { rowsOf } from '../../check/resolve.ts'
import { shapeOf } from '../../learn/network.ts'
import { readLayers } from '../../learn/net/shape.ts'
import type { Plain } from '../../messages.ts'
import { pointOf } from '../../run/decisions.ts'
import type { Prepared } from '../prepare.ts'
import { defaults, type LearningAlgorithm, type Settings } from './settings.ts'
import type { Schedule } from './training.ts'
import { english, say, type Words } from '../../../model-schema/words.ts'

/** All that a worker needs to train. */
export type TrainingPlan = {
  readonly model: Model
  readonly scenario: Id
  readonly inputs: Readonly<Record<Id, Plain>>
  readonly ticks: number | null
  readonly stepLimit: number | null
  /** Minutes after which it is stopped; it can go on after that. */
  readonly maxMinutes: number | null
  readonly schedule: Schedule
  readonly settings: Settings
}

type Wrong = (id: Id, words: Words, field?: string) => void

const continuous: ReadonlySet<string> = new Set(['ddpg', 'td3', 'sac'])
const discrete: ReadonlySet<string> = new Set(['qlearning', 'sarsa', 'dqn', 'discreteSac'])

/** The Decide steps that learning decides at. */
export const learningSteps = (checked: CheckedModel): StepPart[] =>
  checked.parts.steps.filter(step => step.kind.id === 'decide' && step.element.fields['learns'] !== false)

function networkNamed(checked: CheckedModel, name: string): NetworkPart | undefined {
  return checked.parts.networks.find(one => one.id === name || one.name === formulaName(name))
}

/** Finds what keeps a model from being learned in. */
export function checkLearning(id: Id, plan: LearningPlan, checked: CheckedModel, wrong: Wrong): void {
  const steps = learningSteps(checked)
  if (steps.length === 0) {
    wrong(id, say('The model has no Decide step that learns.'), 'modelFile')
    return
  }
  const points = steps.map(step => pointOf(step, []))
  for (const step of steps) {
    const rewarded = checked.formulas.has(stepKey(step, 'reward')) || rowsOf(step.element, 'parts').length > 0
    if (!rewarded) wrong(id, say('Decide step "{name}" has no reward.', { name: step.name || step.id }), 'modelFile')
    if (rowsOf(step.element, 'observation').length === 0)
      wrong(id, say('Decide step "{name}" observes nothing.', { name: step.name || step.id }), 'modelFile')
  }
  const [first, ...others] = points
  if (
    others.some(
      other =>
        other.choices !== first!.choices || other.actions.length !== first!.actions.length || other.seen.length !== first!.seen.length,
    )
  )
    wrong(
      id,
      say(
        'Decide steps that learn share a policy: they need as many observations and the same actions. Switch "Learns" off for the others.',
      ),
      'modelFile',
    )
  if (first!.choices === 0 && discrete.has(plan.policy))
    wrong(id, say('This algorithm chooses among whole-number actions (at most 4096 combinations).'), 'policy')
  if (first!.choices > 0 && continuous.has(plan.policy))
    wrong(id, say('This algorithm gives continuous actions: choose another one for whole numbers.'), 'policy')
  if (plan.network !== '') {
    const network = networkNamed(checked, plan.network)
    if (!network) wrong(id, say('The model has no neural network "{network}".', { network: plan.network }), 'network')
    else {
      const shape = shapeOf(network.element.fields)
      const outputs = first!.choices || first!.actions.length
      if ('layers' in shape && (shape.inputs !== first!.seen.length || shape.layers.at(-1)!.size !== outputs))
        wrong(
          id,
          say('The network has {inputs} inputs and {count} outputs; the decision has {count2} observations and {outputs} actions.', {
            inputs: shape.inputs,
            count: shape.layers.at(-1)!.size,
            count2: first!.seen.length,
            outputs,
          }),
          'network',
        )
    }
  }
  if (readLayers(plan.hidden, 'relu') === null) wrong(id, say('Hidden layers are sizes separated by commas, such as 64,64.'), 'hidden')
}

const named: Partial<Record<LearningParameter, keyof Settings>> = { lookahead: 'steps', candidates: 'population' }

/** The algorithm that is taken where none is chosen. */
function algorithmOf({ policy, epochs, stepsPerEpoch }: LearningPlan, choices: number): LearningAlgorithm {
  if (policy !== 'auto') return policy
  return choices > 0 || epochs * stepsPerEpoch > 200_000 ? 'ppo' : 'sac'
}

/** The setting that a parameter of an experiment fills. */
export const settingOf = (parameter: LearningParameter): keyof Settings => named[parameter] ?? (parameter as keyof Settings)

/** The plan of a prepared experiment. */
export function trainingPlanOf({ experiment, runnable, inputsOf, space }: Prepared): TrainingPlan {
  const plan = experiment.learning
  if (!plan) throw new RangeError('learn: no experiment that learns')
  const { model, scenario } = runnable.alternatives[0]!
  const checked = checkedOf(model, scenario)
  const [first] = learningSteps(checked)
  const { choices } = pointOf(first!, [])
  const algorithm = algorithmOf(plan, choices)
  const own = defaults[algorithm]
  const network = plan.network === '' ? undefined : networkNamed(checked, plan.network)
  const fields = network?.element.fields
  const parameters = Object.fromEntries(
    Object.entries(plan.parameters).flatMap(([id, value]) => (value === null ? [] : [[settingOf(id as LearningParameter), value]])),
  ) as Partial<Settings>
  const layers = fields?.['layers']
  return {
    model,
    scenario,
    inputs: space.domains.length === 0 ? inputsOf([] as never).inputs : {},
    ticks: runnable.ticks,
    stepLimit: runnable.stepLimit,
    maxMinutes: experiment.maxMinutes,
    schedule: {
      seed: experiment.seed,
      epochs: plan.epochs,
      episodesPerEpoch: plan.episodesPerEpoch,
      stepsPerEpoch: plan.stepsPerEpoch,
      rewardThreshold: plan.rewardThreshold,
      trainingEnvironments: plan.trainingEnvironments,
      testEnvironments: plan.testEnvironments,
      testEpisodes: plan.testEpisodes,
      mostDecisions: plan.maxDecisions,
    },
    settings: {
      ...own,
      ...parameters,
      hidden: typeof layers === 'string' ? layers : plan.hidden === '' ? own.hidden : plan.hidden,
      activation: (fields?.['activation'] as Settings['activation'] | undefined) ?? own.activation,
      schedule: plan.rateSchedule === 'default' ? own.schedule : plan.rateSchedule,
      discounting: plan.byTime ? 'time' : 'decision',
      double: plan.double,
      dueling: plan.dueling,
      prioritised: plan.prioritised,
      normaliseReturns: own.normaliseReturns && plan.normaliseReturns,
    },
  }
}

/** Throws RangeError when the model has problems: the preparation of the experiment checked it. */
export function checkedOf(model: Model, scenario: Id): CheckedModel {
  const checked = check(model, scenario)
  if (!checked.ok) throw new RangeError(`learn: ${english(checked.problems[0]?.message) ?? 'the model has problems'}`)
  return checked.checked
}
