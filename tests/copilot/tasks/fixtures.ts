// The models that tasks are about.
import {
  agents,
  boundary,
  compute,
  delay,
  end,
  every,
  exclusive,
  from,
  log,
  model,
  operate,
  otherwise,
  parallel,
  process,
  resource,
  scenario,
  start,
  statistic,
  to,
  variable,
  weight,
  when,
  type Built,
  type Fields,
  type Part,
} from '../../help/models.ts'

const takes = (name: string, what: string, fields: Fields = {}): Part => operate('request', what, 1, fields, name)
const gives = (name: string, what: string): Part => operate('release', what, 1, {}, name)

/** Patients wait for one of two nurses: an M/M/2 queue, arrivals 1, services of 1.2 on average. Options put a fault in. */
export const ward = ({ duration = 'exponential(1.2)', extra = [] as readonly Part[], releases = 'Nurses', nurses = 2 } = {}): Built =>
  model(
    scenario({ totalTicks: 400 }),
    resource('Nurses', nurses),
    process(
      'Visit',
      start(every('exponential(1)', { first: '0' })),
      takes('Wait for a nurse', 'Nurses'),
      delay(duration, 'Treatment'),
      gives('Let the nurse go', releases),
      end(),
    ),
    statistic('mean wait', 'Nurses.mean_wait'),
    statistic('busy', 'Nurses.utilization'),
    ...extra,
  )

/** Two processes that take two resources in opposite order. */
export const docks = (): Built => {
  const course = (name: string, first: string, second: string): Part =>
    process(
      name,
      start(every(100, { first: '0' })),
      takes(`${name} takes ${first}`, first),
      delay(1, `${name} drives`),
      takes(`${name} takes ${second}`, second),
      delay(1, `${name} loads`),
      gives(`${name} leaves ${second}`, second),
      gives(`${name} leaves ${first}`, first),
      end(),
    )
  return model(
    scenario({ totalTicks: 50 }),
    resource('Dock', 1),
    resource('Forklift', 1),
    course('Truck', 'Dock', 'Forklift'),
    course('Loader', 'Forklift', 'Dock'),
  )
}

/** Orders: most are standard, some are checked by hand; what each costs is counted. */
export const orders = (share = 0.7): Built =>
  model(
    scenario({ totalTicks: 500 }),
    variable('standard', 0),
    variable('special', 0),
    process(
      'Order',
      start(every(1)),
      exclusive('Which sort?', { by: 'probability' }),
      weight(share),
      compute('standard += 1', 'Count standard'),
      end(),
      from('Which sort?'),
      weight(Number((1 - share).toFixed(3))),
      compute('special += 1', 'Count special'),
      end(),
    ),
    statistic('special share', 'special / max(1, standard + special)', { sample: 'end' }),
  )

/** Water in a tank: flows in, flows out by a share. It settles at inflow / outflow. */
export const tank = ({ program = 'level += inflow - outflow * level', inflow = 5 } = {}): Built =>
  model(
    scenario({ totalTicks: 300 }),
    variable('level', 0),
    variable('inflow', inflow, { public: true, min: 0, max: 20 }),
    variable('outflow', 0.1, { public: true, min: 0, max: 1 }),
    process('Flow', start(every(1)), compute(program, 'Fill and drain'), end()),
    statistic('water', 'level', { sample: 'end' }),
  )

/** Two checks of a document at the same time; a decision after both. */
export const checks = (join: 'parallel' | 'exclusive' = 'parallel'): Built =>
  model(
    scenario({ totalTicks: 100 }),
    variable('decisions', 0),
    process(
      'Application',
      start(every(10)),
      parallel('Both'),
      delay(2, 'Check income'),
      join === 'parallel' ? parallel('Together') : exclusive('Together'),
      compute('decisions += 1', 'Decide'),
      end(),
      from('Both'),
      delay(5, 'Check identity'),
      to('Together'),
    ),
    statistic('decided', 'decisions', { sample: 'end' }),
  )

/** A population that grows by a tenth each tick. */
export const herd = (): Built =>
  model(
    scenario({ totalTicks: 20 }),
    agents(
      'Sheep',
      { initialNumber: '10' },
      variable('energy', 5),
      process('Live', start(every(1)), compute('energy += 1', 'Graze'), log('energy', 'Tell'), end()),
    ),
    variable('rain', 3, { public: true }),
    statistic('mean energy', 'energy', { over: 'Sheep', aggregate: 'mean', sample: 'end' }),
  )

/** A token waits for something that a time limit ends. */
export const support = (): Built =>
  model(
    scenario({ totalTicks: 200 }),
    variable('patience', 30, { public: true }),
    variable('lost', 0),
    process(
      'Ticket',
      start(every(10)),
      delay('exponential(20)', 'Answer'),
      end(),
      boundary('Answer', 'timer', { delay: 'patience' }, 'Too late'),
      compute('lost += 1', 'Count lost'),
      end(),
    ),
    statistic('lost tickets', 'lost', { sample: 'end' }),
  )

/** Routes depend on age. */
export const triage = (): Built =>
  model(
    scenario({ totalTicks: 60 }),
    variable('old', 0),
    variable('young', 0),
    variable('age', 40),
    process(
      'Arrival',
      start(every(1)),
      compute('age = uniform(0, 100)', 'Read the age'),
      exclusive('Old enough?'),
      when('age >= 65'),
      compute('old += 1', 'Count old'),
      end(),
      from('Old enough?'),
      otherwise(),
      compute('young += 1', 'Count young'),
      end(),
    ),
    statistic('share old', 'old / max(1, old + young)', { sample: 'end' }),
  )
