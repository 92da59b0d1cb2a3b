// Queues, stocks and networks with known answers, built from steps: the corners that plain M/M/c leaves out.
// Tolerance: three standard errors over independent runs.
import { describe, expect, it } from 'vitest'
import {
  agents,
  boundary,
  call,
  compute,
  container,
  delay,
  end,
  event,
  from,
  message,
  model,
  operate,
  otherwise,
  parallel,
  passive,
  process,
  release,
  request,
  resource,
  scenario,
  start,
  statistic,
  subprocess,
  to,
  variable,
} from '../help/models.ts'
import type { Built } from '../help/models.ts'
import { begin } from '../help/runs.ts'

type Figures = ReturnType<ReturnType<typeof begin>['summary']>

/** The mean of a figure over seeds 1..8 is within three standard errors of the reference. */
function agrees(built: Built, reference: number, figure: (summary: Figures) => number): void {
  const values = Array.from({ length: 8 }, (_, k) => {
    const run = begin(built, { seed: k + 1 })
    run.advance()
    return figure(run.summary())
  })
  const average = values.reduce((sum, value) => sum + value, 0) / values.length
  const variance = values.reduce((sum, value) => sum + (value - average) ** 2, 0) / (values.length - 1)
  const error = Math.sqrt(variance / values.length)
  expect(Math.abs(average - reference), `${average} against ${reference}, standard error ${error}`).toBeLessThanOrEqual(3 * error)
}

const events = (totalTicks: number) => scenario({ ticking: false, totalTicks })
const arrivals = (mean: number | string) => start({ trigger: 'timer', every: `exponential(${mean})` })
const publicly = (name: string) => variable(name, 0, { public: true })
const ratio =
  (a: string, b: string) =>
  ({ publics }: Figures): number =>
    Number(publics[a]) / Number(publics[b])
/** What is done for ever. */
const always = (...steps: ReturnType<typeof start>[]) => subprocess('always', { repeat: 'while', while: 'True' }, start(), ...steps, end())

// F. Pollaczek (1930), A. Khinchine (1932).
describe('one server, any service', () => {
  it.each([
    ['0.8', 0],
    ['uniform(0, 1.6)', 1 / 3],
    ['exponential(0.4) if random() < 0.75 else exponential(2)', (2 * (0.75 * 0.4 ** 2 + 0.25 * 2 ** 2)) / 0.8 ** 2 - 1],
    ['gamma(0.5, 1.6)', 2],
  ])('%s', (service, squaredVariation) => {
    const built = model(
      events(40_000),
      resource('server', 1),
      process('Customer', arrivals(1), request('server'), delay(service), release('server'), end()),
    )
    agrees(built, (0.8 ** 2 * (1 + squaredVariation)) / (2 * 0.2), ({ containers }) => Number(containers['server']?.['meanWait']))
  })
})

// N. K. Jaiswal, Priority Queues (1968).
describe('preemption', () => {
  it('resumed: the second class waits for all of the first', () => {
    const customer = (k: number, rate: number) =>
      process(
        `Class ${k}`,
        arrivals(`1 / ${rate}`),
        variable('came', 'time'),
        request('server', 1, { preempt: 'resume', priority: String(k) }),
        delay('exponential(1)'),
        release('server'),
        compute(`n${k} += 1\nspent${k} += time - came`),
        end(),
      )
    const parts = ['n1', 'spent1', 'n2', 'spent2'].map(publicly)
    const built = model(events(15_000), resource('server', 1), ...parts, customer(1, 0.3), customer(2, 0.4))
    agrees(built, 1 / 0.7, ratio('spent1', 'n1'))
    agrees(built, (0.3 + 0.7) / (0.7 * 0.3), ratio('spent2', 'n2'))
  })
  it('restarted: the same work anew', () => {
    const built = model(
      events(20_000),
      resource('server', 1),
      ...['n', 'spent'].map(publicly),
      process(
        'High',
        arrivals(5),
        request('server', 1, { preempt: 'restart', priority: '1' }),
        delay('exponential(0.5)'),
        release('server'),
        end(),
      ),
      process(
        'Low',
        start(),
        subprocess(
          'always',
          { repeat: 'while', while: 'True' },
          start(),
          variable('began', 'time'),
          request('server', 1, { priority: '2' }),
          delay(1),
          release('server'),
          compute('n += 1\nspent += time - began'),
          end(),
        ),
        end(),
      ),
    )
    // exp(0.2) - 1 interruptions; what is lost by them is 5 each less the work, and each is a busy period of 0.5 / 0.9.
    agrees(built, (Math.exp(0.2) - 1) * (5 + 0.5 / 0.9), ratio('spent', 'n'))
  })
})

// C. Palm (1943): M/M/c with impatience; by the request itself, and by a border.
describe('impatience', () => {
  const [servers, load, leaving] = [10, 10, 0.5]
  const weights = [1]
  for (let n = 1; n < 300; n++) weights.push((weights[n - 1]! * load) / (Math.min(n, servers) + leaving * Math.max(0, n - servers)))
  const queue =
    weights.reduce((sum, weight, n) => sum + weight * Math.max(0, n - servers), 0) / weights.reduce((sum, weight) => sum + weight)
  const lost = (leaving * queue) / load
  it('given up at a request', () => {
    const built = model(
      events(4000),
      resource('agents', servers),
      ...['lost', 'all'].map(publicly),
      process(
        'Call',
        arrivals(0.1),
        compute('all += 1'),
        operate('request', 'agents', 1, { timeout: 'exponential(2)' }, 'wait'),
        delay('exponential(1)'),
        release('agents'),
        end(),
        from('wait'),
        otherwise(),
        compute('lost += 1'),
        end(),
      ),
    )
    agrees(built, lost, ratio('lost', 'all'))
  })
  it('ended by a border of the request', () => {
    const built = model(
      events(4000),
      resource('agents', servers),
      ...['lost', 'all'].map(publicly),
      process(
        'Call',
        arrivals(0.1),
        compute('all += 1'),
        request('agents'),
        delay('exponential(1)'),
        release('agents'),
        end(),
        boundary('Call-operate1', 'timer', { delay: 'exponential(2)' }),
        compute('lost += 1'),
        end(),
      ),
    )
    agrees(built, lost, ratio('lost', 'all'))
  })
})

it('two unequal servers, the fast one first (V. P. Singh, 1970)', () => {
  const built = model(
    events(20_000),
    resource('fast', 1),
    resource('slow', 1),
    ...['n', 'spent'].map(publicly),
    process(
      'Customer',
      arrivals('1 / 1.5'),
      variable('came', 'time'),
      operate('request', { items: [{ container: 'fast' }, { container: 'slow' }], alternatives: true }, 1, {}, 'get'),
      delay('exponential([0.5, 1][get.output])'),
      operate('release', '[fast, slow][get.output]'),
      compute('n += 1\nspent += time - came'),
      end(),
    ),
  )
  // Balance of the states 0, fast alone, slow alone, 2, 3, ... with p2 = 1.
  const slow = 2 / 2.5
  const fast = (slow + 1) / 1.5
  const none = (2 * fast + slow) / 1.5
  const inSystem = fast + slow + 2 / 0.5 + 0.5 / 0.5 ** 2
  agrees(built, inSystem / (none + fast + slow + 1 / 0.5) / 1.5, ratio('spent', 'n'))
})

// H. Takagi, Analysis of Polling Systems (1986): two symmetric queues, each served until it is empty.
it('polling: exhaustive service', () => {
  const source = (k: number) => process(`Source ${k}`, arrivals('1 / 0.35'), operate('put', `line${k}`, '[time]'), end())
  const turn = (k: number) =>
    subprocess(
      `turn${k}`,
      { repeat: 'while', while: `len(line${k}.items) > 0` },
      start(),
      operate('take', `line${k}`, 1, {}, `next${k}`),
      compute(`n += 1\nwaited += time - next${k}.output[0]`),
      delay('exponential(1)'),
      end(),
    )
  const built = model(
    events(20_000),
    container('line0', { contents: 'items' }),
    container('line1', { contents: 'items' }),
    ...['n', 'waited'].map(publicly),
    source(0),
    source(1),
    process('Server', start(), always(turn(0), delay('exponential(0.5)'), turn(1), delay('exponential(0.5)')), end()),
  )
  agrees(built, 0.25 + (2 * 0.35 * 2 + 0.5 * (2 - 0.7)) / (2 * 0.3), ratio('waited', 'n'))
})

it('clients that ask one server by message and wait for its answer are machines with one repairman', () => {
  const built = model(
    events(5000),
    publicly('n'),
    message('Ask', { payload: [{ name: 'who', type: 'entity' }] }),
    message('Reply', { payload: [{ name: 'number', type: 'number' }] }),
    agents(
      'Client',
      { initialNumber: '6' },
      variable('number', 0),
      process(
        'Use',
        start(),
        always(
          delay('exponential(5)'),
          compute('number += 1'),
          event('send', { message: 'Ask', range: 'Server', payload: [{ name: 'who', value: 'self' }] }),
          event('receive', { message: 'Reply', correlation: 'message["number"] == number' }),
          compute('n += 1'),
        ),
        end(),
      ),
    ),
    agents(
      'Server',
      { form: 'individual' },
      process(
        'Serve',
        start(),
        always(
          event('receive', { message: 'Ask' }, 'asked'),
          delay('exponential(1)'),
          event('send', {
            message: 'Reply',
            range: '[asked.output["who"]]',
            payload: [{ name: 'number', value: 'asked.output["who"].number' }],
          }),
        ),
        end(),
      ),
    ),
  )
  let [weight, total] = [1, 1]
  for (let k = 0; k < 6; k++) total += weight *= (6 - k) / 5
  agrees(built, 1 - 1 / total, ({ publics }) => Number(publics['n']) / 5000)
})

// C. Palm (1938): what is on order is Poisson whatever the lead time.
it('a stock that orders one for one', () => {
  const built = model(
    events(20_000),
    container('stock', { initial: '8', negative: true }),
    ...['n', 'met'].map(publicly),
    process(
      'Demand',
      arrivals(0.5),
      compute('n += 1\nif stock.level >= 1:\n    met += 1'),
      operate('take', 'stock'),
      delay('lognormal(log(3) - 0.5, 1)'),
      operate('put', 'stock'),
      end(),
    ),
    statistic('owed', 'max(0, -stock.level)', { kind: 'time', sample: 'event' }),
  )
  let [chance, met, owed] = [Math.exp(-6), 0, 0]
  for (let k = 0; k < 60; chance *= 6 / ++k) {
    if (k < 8) met += chance
    owed += Math.max(0, k - 8) * chance
  }
  agrees(built, met, ratio('met', 'n'))
  agrees(built, owed, ({ statistics }) => Number(statistics['owed']))
})

it('a project: one step, two at the same time, one step', () => {
  const built = model(
    events(1e9),
    ...['n', 'spent'].map(publicly),
    process('Work', start(passive), delay('exponential(3)'), end()),
    process(
      'Project',
      start({ trigger: 'timer', every: '1', maximum: '4000' }),
      variable('came', 'time'),
      delay('exponential(1)'),
      parallel('fork'),
      delay('exponential(2)'),
      parallel('join'),
      delay('exponential(1)'),
      compute('n += 1\nspent += time - came'),
      end(),
      from('fork'),
      call('Work'),
      to('join'),
    ),
  )
  agrees(built, 1 + (2 + 3 - 1 / (1 / 2 + 1 / 3)) + 1, ratio('spent', 'n'))
})
