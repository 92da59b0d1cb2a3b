// Learning: each algorithm continues from what it saved to the same bits, finds what is known to be best, and says what is wrong.
import { describe, expect, test } from 'vitest'
import type { HoloElement } from '../../../model-schema/file.ts'
import { createLearner } from '../../../sim-engine/experiment/learn/algorithms.ts'
import type { Spaces } from '../../../sim-engine/experiment/learn/learner.ts'
import { lossOf } from '../../../sim-engine/experiment/learn/deep-q.ts'
import { EpisodeFailed } from '../../../sim-engine/experiment/learn/arena.ts'
import { createTraining } from '../../../sim-engine/experiment/learn/begin.ts'
import { trainingPlanOf } from '../../../sim-engine/experiment/learn/plan.ts'
import { hashOf } from '../../../sim-engine/experiment/learn/report.ts'
import { defaults, type LearningAlgorithm, type Settings } from '../../../sim-engine/experiment/learn/settings.ts'
import { Training, type Schedule } from '../../../sim-engine/experiment/learn/training.ts'
import { ValueScale } from '../../../sim-engine/experiment/learn/value-scale.ts'
import { Net } from '../../../sim-engine/learn/net/net.ts'
import { best, outputsOf, randomWeights } from '../../../sim-engine/learn/net/shape.ts'
import { stream, uniform } from '../../../sim-engine/kernel/random.ts'
import { recordOf } from '../../../sim-engine/kernel/snapshot.ts'
import { arenaOf, cartPole, pendulum } from '../../help/experiments/arenas.ts'
import { preparation, prepared } from '../../help/experiments.ts'
import {
  compute,
  delay,
  element,
  end,
  every,
  exclusive,
  from,
  model,
  otherwise,
  process,
  request,
  release,
  resource,
  scenario,
  start,
  variable,
  when,
  type Built,
  type Fields,
} from '../../help/models.ts'
import { english } from '../../../model-schema/words.ts'

const schedule: Schedule = {
  seed: 3,
  epochs: 3,
  episodesPerEpoch: 0,
  stepsPerEpoch: 300,
  rewardThreshold: null,
  trainingEnvironments: 3,
  testEnvironments: 2,
  testEpisodes: 4,
  mostDecisions: 1000,
}
const small: Partial<Settings> = {
  hidden: '8',
  rollout: 16,
  batch: 16,
  warmUp: 40,
  buffer: 400,
  passes: 2,
  trainEvery: 8,
  gradientSteps: 2,
  population: 6,
}
const poles: Spaces = { inputs: 4, choices: 2, actions: 1 }
const swings: Spaces = { inputs: 3, choices: 0, actions: 1 }

function trainingOf(algorithm: LearningAlgorithm, more: Partial<Settings> = {}, own: Partial<Schedule> = {}): Training {
  const isContinuous = ['ddpg', 'td3', 'sac'].includes(algorithm) || more.noise === 0.123
  const [spaces, rules] = isContinuous ? [swings, pendulum] : [poles, cartPole()]
  const all = { ...schedule, ...own }
  return new Training(all, createLearner({ ...defaults[algorithm], ...small, ...more }, spaces, all.seed, all), spaces, () =>
    arenaOf(rules),
  )
}

const finished = (training: Training): Training => {
  while (training.round());
  return training
}
const told = ({ rows, best }: Training): string => JSON.stringify([rows, best?.policy ? hashOf(best.policy) : best?.mean])

describe('learning: state', () => {
  const cases: [LearningAlgorithm, Partial<Settings>][] = [
    ...(Object.keys(defaults) as LearningAlgorithm[]).map((algorithm): [LearningAlgorithm, Partial<Settings>] => [algorithm, {}]),
    ['dqn', { dueling: true, prioritised: true, steps: 3, tau: 0.1 }],
    ['dqn', { quantiles: 5 }],
    ['dqn', { quantiles: 5, dueling: true, prioritised: true, double: false }],
    ['ppo', { noise: 0.123 }],
  ]
  test.each(cases)('learning: %s goes on after any round to the same policy to the bit %j', (algorithm, more) => {
    const whole = told(finished(trainingOf(algorithm, more)))
    const first = trainingOf(algorithm, more)
    for (let round = 0; round < 4; round++) first.round()
    const second = trainingOf(algorithm, more)
    second.load(structuredClone(first.save()))
    expect(told(finished(second))).toBe(whole)
    expect(told(finished(trainingOf(algorithm, more, { seed: 4 })))).not.toBe(whole)
  })

  test('learning: more epochs than before go on behind the last one', () => {
    const first = finished(trainingOf('ppo', { schedule: 'constant' }))
    expect(first.ending).toBe('epochs')
    const more = trainingOf('ppo', { schedule: 'constant' }, { epochs: 5 })
    more.load(first.save())
    expect(finished(more).rows.length).toBe(5)
    expect(told(more)).toBe(told(finished(trainingOf('ppo', { schedule: 'constant' }, { epochs: 5 }))))
    expect(() => trainingOf('ppo', {}, { trainingEnvironments: 4 }).load(first.save())).toThrow('another training')
  })
})

describe('learning: scale of the values', () => {
  test('learning: a new scale keeps what the network says of values, and is the spread of the returns', () => {
    const shape = {
      inputs: 2,
      layers: [
        { size: 5, activation: 'tanh' },
        { size: 1, activation: 'linear' },
      ],
    } as const
    const net = new Net(shape)
    net.weights = randomWeights(shape, 3)
    const scale = new ValueScale()
    const values = (): number[] => [0, 0.3, 1].map(x => scale.spread * net.predict([x, 1 - x])[0]!)
    for (const returns of [
      [900, 1000, 1100, 1200],
      [-3, -2, -1, 0],
    ]) {
      const before = values()
      scale.observe(returns, net)
      values().forEach((value, k) => expect(value).toBeCloseTo(before[k]!, 5))
    }
    const one = new ValueScale()
    one.observe([900, 1000, 1100, 1200], net)
    expect(one.spread).toBeCloseTo(Math.sqrt(12500))
    const same = new ValueScale()
    same.observe([7, 7, 7], net)
    expect(same.spread).toBe(1e-4)
  })
})

describe('learning: hand-coded environments', () => {
  test('learning: PPO balances the pole of CartPole-v1, also where a step is worth 1000', () => {
    const settings: Partial<Settings> = {
      hidden: '64,64',
      learningRate: 1e-3,
      gamma: 0.98,
      lambda: 0.8,
      rollout: 32,
      passes: 20,
      batch: 256,
      rewardScale: 1000,
    }
    const training = finished(
      trainingOf('ppo', settings, {
        epochs: 15,
        stepsPerEpoch: 4096,
        rewardThreshold: 475,
        trainingEnvironments: 8,
        testEpisodes: 30,
        testEnvironments: 10,
        seed: 1,
      }),
    )
    expect(training.ending).toBe('threshold')
    expect(training.decisions).toBeLessThanOrEqual(60_000)
  })
})

describe('learning: quantiles of the return', () => {
  test('learning: the loss of quantiles is that of a case by hand, and changes by what it says', () => {
    // Of 0 and 2 against 1 and 4, at levels 1/4 and 3/4: (.25 * .5 + .25 * 3.5) / 2 and (.25 * .5 + .75 * 1.5) / 2.
    const { loss, by, mean, error } = lossOf([0, 2], [1, 4], true)
    expect(loss).toBeCloseTo(0.5 + 0.625, 12)
    expect(by[0]).toBeCloseTo(-0.25, 12)
    expect(by[1]).toBeCloseTo((0.25 - 0.75) / 2, 12)
    expect([mean, error]).toEqual([1, -1.5])
    const near = [0.3, 0.9, 1.4]
    near.forEach((value, i) => {
      const at = (moved: number): number =>
        lossOf(
          near.map((own, k) => (k === i ? value + moved : own)),
          [0.2, 0.7, 3],
          true,
        ).loss
      expect(lossOf(near, [0.2, 0.7, 3], true).by[i]).toBeCloseTo((at(1e-6) - at(-1e-6)) / 2e-6, 5)
    })
  })

  test('learning: they come to rest at the quantiles of what comes', () => {
    const goals = Array.from({ length: 100 }, (_, k) => k / 10)
    const values = [5, 5, 5, 5]
    for (let step = 0; step < 4000; step++) lossOf(values, goals, true).by.forEach((by, i) => (values[i]! -= 0.1 * by))
    // Huber's loss rounds the corners off: within its width of the levels 1/8, 3/8, 5/8 and 7/8.
    values.forEach((value, i) => expect(Math.abs(value - 10 * ((2 * i + 1) / 8))).toBeLessThan(0.5))
  })

  test.each([{ dueling: false }, { dueling: true }])(
    'learning: the policy that a model gets acts as the learning one %j',
    ({ dueling }) => {
      const learner = createLearner({ ...defaults.dqn, ...small, quantiles: 7, dueling }, poles, 5, { ...schedule })
      const net = new Net(learner.policy()!.shape)
      net.weights = learner.policy()!.weights
      expect(outputsOf(net.shape)).toBe(poles.choices)
      const chance = stream(7, 0, 'test')
      for (let k = 0; k < 200; k++) {
        const seen = Array.from({ length: poles.inputs }, () => 2 * uniform(chance) - 1)
        expect(best(net.predict(seen))).toBe(learner.best(seen, null, chance, 0).action)
      }
    },
  )

  test('learning: QR-DQN balances the pole of CartPole-v1', () => {
    const { warmUp, trainEvery, gradientSteps, buffer, batch, hidden } = defaults.dqn
    const usual = { hidden, warmUp, trainEvery, gradientSteps, buffer, batch, quantiles: 10 }
    const most = { epochs: 25, stepsPerEpoch: 2000, trainingEnvironments: 8, testEnvironments: 10, testEpisodes: 30, mostDecisions: 500 }
    const training = finished(trainingOf('dqn', usual, { ...most, rewardThreshold: 475, seed: 3 }))
    expect(training.ending).toBe('threshold')
    expect(training.decisions).toBeLessThanOrEqual(50_000)
  })
})

/** Naor's queue: each arrival is let in or sent away; 10 for each served, 1 a unit of time for each in the queue. */
function admission(fields: Fields = {}): Built {
  return model(
    scenario({ totalTicks: 400 }),
    variable('accept', 1),
    variable('waiting', 0),
    variable('earned', 0),
    variable('before', 0),
    variable('since', 0),
    resource('server', 1),
    process(
      'Arrivals',
      start(every('exponential(1 / 0.9)')),
      compute('earned -= waiting * (time - since)\nsince = time'),
      element('decide', 'Admit', {
        observation: [{ name: 'queue', value: 'min(waiting, 12)', low: 0, high: 12 }],
        actions: [{ variable: 'accept', low: 0, high: 1, whole: true }],
        reward: 'earned - before',
        ...fields,
      }),
      compute('before = earned\nearned += 10 * accept'),
      exclusive('let in'),
      when('accept == 1'),
      compute('waiting += 1'),
      request('server'),
      delay('exponential(1)'),
      release('server'),
      compute('earned -= waiting * (time - since)\nsince = time\nwaiting -= 1'),
      end(),
      from('let in'),
      otherwise(),
      end(),
    ),
  )
}
const study = (fields: Partial<HoloElement> = {}): Partial<HoloElement> => ({ type: 'learning', ...fields })

describe('learning: models', () => {
  test('learning: Q-learning finds the threshold of an admission queue, in the model, and again after a stop', () => {
    const plan = trainingPlanOf(
      prepared(
        admission().model,
        study({
          policy: 'qlearning',
          alpha: 0.01,
          gamma: 0.95,
          epochs: 8,
          stepsPerEpoch: 15_000,
          testEpisodes: 20,
          explorationEnd: 0.3,
          maxDecisions: 100_000,
        }),
        {},
      ),
    )
    const training = createTraining(plan)
    for (let round = 0; round < 3_000; round++) training.round()
    const again = createTraining(plan)
    again.load(structuredClone(training.save()))
    finished(training)
    expect(told(finished(again))).toBe(told(training))
    const policy = training.best!.policy!
    expect(policy.shape.layers.at(-1)!.size).toBe(2)
    const draws = stream(1, 0, 'test')
    const admits = Array.from({ length: 9 }, (_, queue) => training.learner.best([(2 * queue) / 12 - 1], null, draws, 0).action)
    // Known to be best: in while fewer than 4 are there (Naor 1969).
    const threshold = admits.indexOf(0)
    expect(threshold).toBeGreaterThanOrEqual(3)
    expect(threshold).toBeLessThanOrEqual(5)
  })

  test('learning: what is missing is said before anything is run', () => {
    const problems = (built: Built, fields: Partial<HoloElement>): string[] =>
      preparation(built.model, study(fields), {}).problems.map(({ at, words }) => `${at.field}: ${english(words)}`)
    expect(problems(admission(), {})).toEqual([])
    expect(problems(admission({ learns: false }), {})[0]).toContain('no Decide step')
    expect(problems(admission({ reward: '' }), {})[0]).toContain('no reward')
    expect(problems(admission({ observation: [] }), {})[0]).toContain('observes nothing')
    expect(problems(admission(), { policy: 'sac' })[0]).toContain('continuous')
    expect(problems(admission(), { network: 'nobody' })[0]).toContain('no neural network')
    expect(problems(admission(), { hidden: 'many' })[0]).toContain('Hidden layers')
    expect(problems(admission({ actions: [{ variable: 'accept', low: 0, high: 1, whole: false }] }), { policy: 'dqn' })[0]).toContain(
      'whole-number',
    )
  })

  test('learning: a model that fails, rewards that are no numbers and episodes without a decision end it with their reason', () => {
    const begun =
      (fields: Fields): (() => unknown) =>
      () =>
        finished(createTraining(trainingPlanOf(prepared(admission(fields).model, study({ epochs: 1, stepsPerEpoch: 100 }), {}))))
    expect(begun({ reward: '1 / (waiting - waiting)' })).toThrow(/zero|division/i)
    expect(begun({ actions: [{ variable: 'accept', low: 0, high: 1, whole: true, allowed: '[]' }] })).toThrow('Action')
    const never = model(
      scenario({ totalTicks: 5 }),
      variable('a', 0),
      process(
        'P',
        start({ trigger: 'timer', first: '100', every: '' }),
        element('decide', 'D', { observation: [{ name: 'x', value: '1', low: 0, high: 1 }], actions: [{ variable: 'a' }], reward: '1' }),
        end(),
      ),
    )
    expect(() => createTraining(trainingPlanOf(prepared(never.model, study(), {})))).toThrow('Nothing was decided')
  })
})

describe('learning: bad input', () => {
  const begun = (fields: Fields, more: Partial<HoloElement> = {}): Training =>
    createTraining(trainingPlanOf(prepared(admission(fields).model, study({ epochs: 2, stepsPerEpoch: 400, hidden: '8', ...more }), {})))
  /** The problem of the episode that failed, with the training as it is then. */
  const failing = (training: Training): EpisodeFailed => {
    try {
      while (training.round());
    } catch (error) {
      if (error instanceof EpisodeFailed) return error
      throw error
    }
    throw new Error('it did not fail')
  }
  const seeing = (value: string): Fields => ({ observation: [{ name: 'queue', value, low: 0, high: 12 }] })
  const late = (value: string): string => `${value} if time > 300 else 1`

  test('learning: observations and rewards that are no finite numbers name their place, and what was learned stays', () => {
    for (const fields of [seeing(late('1e308 * 10')), { reward: late('1e308 * 10') }]) {
      const training = begun(fields, { trainingEnvironments: 2 })
      const before = training.save()
      const { problem } = failing(training)
      expect(problem).toMatchObject({ code: 10015, at: { id: 'Arrivals-Admit' } })
      const again = begun(fields, { trainingEnvironments: 2 })
      again.load(structuredClone(before))
      expect(told(again)).toBe(told(training))
    }
  })

  test('learning: a reward that is no finite number only when the run is over says where, too', () => {
    const { problem } = failing(begun({ reward: '1e308 * 10 if time >= 400 else 1' }, { trainingEnvironments: 1 }))
    expect(problem).toMatchObject({ code: 10015, at: { id: 'Arrivals-Admit' } })
  })

  test('learning: an action set that becomes empty ends it with 10065, observations of another number with 10066', () => {
    const allowed = [{ variable: 'accept', low: 0, high: 1, whole: true, allowed: late('[]').replace('else 1', 'else [0, 1]') }]
    expect(failing(begun({ actions: allowed })).problem.code).toBe(10065)
    const list = late('[1, 2]').replace('else 1', 'else [1]')
    expect(failing(begun(seeing(list))).problem.code).toBe(10066)
  })

  test('learning: one of 64 environments that fails is told with its seed, and what was saved before goes on', () => {
    // Only some episodes come to a queue that long.
    const training = begun({ reward: '1 / (8 - min(waiting, 8))' }, { trainingEnvironments: 64, rollout: 4, stepsPerEpoch: 100_000 })
    let kept = training.save()
    let rounds = 0
    const failed = ((): EpisodeFailed => {
      for (;;) {
        try {
          training.round()
          rounds++
          kept = training.save()
        } catch (error) {
          if (error instanceof EpisodeFailed) return error
          throw error
        }
      }
    })()
    expect(rounds).toBeGreaterThan(0)
    expect(failed.problem.code).toBe(10018)
    expect(Number.isInteger(failed.seed)).toBe(true)
    const again = begun({}, { trainingEnvironments: 64, rollout: 4, stepsPerEpoch: 100_000 })
    again.load(structuredClone(kept))
    expect(again.decisions).toBe(recordOf(kept)['decisions'])
    expect(again.decisions).toBeGreaterThanOrEqual(rounds * 64 * 4)
    again.round()
    expect(again.decisions).toBeGreaterThan(Number(recordOf(kept)['decisions']))
  })

  test('learning: an environment that never ends is cut short after the most decisions, or stopped by the limit of its run', () => {
    const training = begun({}, { maxDecisions: 20, trainingEnvironments: 2, stepsPerEpoch: 100 })
    finished(training)
    expect(training.rows.at(-1)!.test.length).toBeLessThanOrEqual(20)
    expect(training.episodes).toBeGreaterThan(5)
  })
})
