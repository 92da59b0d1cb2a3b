// A training from its plan, ready for its first round: the model is compiled, and a first episode shows what is observed.
import type { CheckedModel } from '../../check.ts'
import { compile } from '../../compile.ts'
import { limits } from '../../learn/net/shape.ts'
import { pointOf } from '../../run/decisions.ts'
import { createLearner } from './algorithms.ts'
import { modelArena, type Arena } from './arena.ts'
import type { Spaces } from './learner.ts'
import { Place } from './place.ts'
import { checkedOf, learningSteps, type TrainingPlan } from './plan.ts'
import { Training } from './training.ts'
import { say, Told } from '../../../model-schema/words.ts'

/** Whether the model has a policy of its own that is worth comparing with. */
export function hasOwnPolicy({ model, scenario }: TrainingPlan): boolean {
  return learningSteps(checkedOf(model, scenario)).every(
    step => step.element.fields['policy'] !== undefined && step.element.fields['policy'] !== 'random',
  )
}

/** What a model cannot be trained for, found by a first episode. */
class NothingToLearn extends Told {
  override readonly name = 'NothingToLearn'
}

/** A training ready for its first round. Throws NothingToLearn, or EpisodeFailed when the first episode fails. */
export function createTraining(plan: TrainingPlan): Training {
  const { schedule, settings, model, scenario, inputs, ticks, stepLimit } = plan
  const checked = checkedOf(model, scenario)
  const program = compile(checked)
  const arena = (): Arena => modelArena({ program, inputs, ticks, stepLimit })
  const { deciders, ...seen } = spacesOf(checked, schedule.seed, arena)
  const others = Math.max(0, Math.min(deciders, Math.floor(limits.inputs / seen.inputs)) - 1)
  const spaces = settings.algorithm === 'mappo' ? { ...seen, others } : seen
  return new Training(schedule, createLearner(settings, spaces, schedule.seed, schedule), spaces, arena)
}

/** The numbers of observations, actions and deciders, from an episode in which nothing is learned. */
function spacesOf(checked: CheckedModel, seed: number, arena: () => Arena): Spaces & { deciders: number } {
  const [first] = learningSteps(checked)
  const point = pointOf(first!, [])
  let inputs = -1
  const place = new Place(arena(), { seed, role: 'test', number: 0, most: 20 })
  const deciders = new Set<number>()
  place.one(0, (seen, _allowed, _draws, decider) => {
    deciders.add(decider)
    if (inputs >= 0 && inputs !== seen.length)
      throw new NothingToLearn(say('The number of observations changes: they need to be as many each time.'))
    inputs = seen.length
    return { action: point.choices > 0 ? 0 : point.actions.map(() => 0), likelihood: 0 }
  })
  if (inputs < 0) throw new NothingToLearn(say('Nothing was decided in a first episode: no token came to a Decide step.'))
  return { inputs, choices: point.choices, actions: point.actions.length, deciders: deciders.size }
}
