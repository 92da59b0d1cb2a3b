// Patterns of processes with queues.
import { compute, delay, end, every, fork, once, release, request, type Draft } from './draft.ts'

/** Of percent. */
const chance = (percent: number): string => String(Number((percent / 100).toPrecision(12)))
const random = (mean: number): string => `exponential(${mean})`

export const queues = {
  queue(draft: Draft, [servers, between, service]: readonly [number, number, number]) {
    draft.resource('Servers', servers)
    draft.process('Visit', [
      every(random(between), 'Arrive'),
      request('Servers', 'Take a server'),
      delay('Service', random(service)),
      release('Servers', 'Give back'),
      end('Leave'),
    ])
    draft.statistic('mean wait', 'Servers.mean_wait')
    draft.statistic('busy', 'Servers.utilization')
  },

  carwash(draft: Draft, [places, between, wash]: readonly [number, number, number]) {
    draft.resource('Bay', 1)
    draft.input('places', places, 1, 1000)
    draft.variable('cars', 0)
    draft.variable('turned', 0)
    const visit = draft.process('Wash', [
      every(random(between), 'Car arrives'),
      compute('Count', 'cars += 1'),
      fork('Yard full?'),
      request('Bay', 'Drive in'),
      delay('Washing', random(wash)),
      release('Bay', 'Drive out'),
      end('Clean'),
    ])
    draft.branch(visit, 2, [compute('Count turned', 'turned += 1'), end('Drives on')], { condition: 'Bay.in_use + Bay.queue >= places' })
    draft.statistic('turned away', 'turned / max(1, cars)')
    draft.statistic('mean wait', 'Bay.mean_wait')
  },

  calls(draft: Draft, [agents, between, talk, patience]: readonly [number, number, number, number]) {
    draft.resource('Agents', agents)
    draft.variable('calls', 0)
    draft.variable('lost', 0)
    const call = draft.process('Call', [
      every(random(between), 'Call'),
      compute('Count', 'calls += 1'),
      request('Agents', 'Wait for an agent', { timeout: random(patience) }),
      delay('Talk', random(talk)),
      release('Agents', 'Hang up'),
      end('Served'),
    ])
    draft.branch(call, 2, [compute('Count lost', 'lost += 1'), end('Gave up')], { default: true })
    draft.statistic('lost calls', 'lost / max(1, calls)')
    draft.statistic('mean wait', 'Agents.mean_wait')
    draft.statistic('busy', 'Agents.utilization')
  },

  priority(draft: Draft, [doctors, between, treatment, urgent]: readonly [number, number, number, number]) {
    draft.resource('Doctors', doctors)
    const share = urgent / 100
    for (const [name, part, priority] of [
      ['Urgent', share, 1],
      ['Others', 1 - share, 2],
    ] as const)
      draft.process(name, [
        every(random(Number((between / Math.max(part, 0.001)).toPrecision(6))), 'Arrive'),
        request('Doctors', 'See a doctor', { priority: String(priority) }),
        delay('Treatment', random(treatment)),
        release('Doctors', 'Done'),
        end('Leave'),
      ])
    draft.statistic('mean wait', 'Doctors.mean_wait')
    draft.statistic('busy', 'Doctors.utilization')
  },

  line(draft: Draft, [between, first, second]: readonly [number, number, number]) {
    draft.resource('Cutter', 1)
    draft.resource('Packer', 1)
    draft.variable('made', 0)
    draft.process('Part', [
      every(random(between), 'Part'),
      request('Cutter', 'To the cutter'),
      delay('Cut', random(first)),
      release('Cutter', 'Cut'),
      request('Packer', 'To the packer'),
      delay('Pack', random(second)),
      release('Packer', 'Packed'),
      compute('Count', 'made += 1'),
      end('Made'),
    ])
    draft.statistic('throughput', 'made / max(1, time)')
    draft.statistic('cutter busy', 'Cutter.utilization')
    draft.statistic('packer busy', 'Packer.utilization')
  },

  rework(draft: Draft, [between, work, faulty]: readonly [number, number, number]) {
    draft.resource('Worker', 1)
    draft.variable('done', 0)
    draft.variable('repeated', 0)
    const job = draft.process('Job', [
      every(random(between), 'Job'),
      request('Worker', 'Take a worker'),
      delay('Work', random(work)),
      release('Worker', 'Free the worker'),
      fork('Good?', { by: 'probability' }),
    ])
    const good = draft.branch(job, 4, [compute('Count', 'done += 1'), end('Good')], { weight: chance(100 - faulty) })
    const again = draft.branch(good, 4, [compute('Once more', 'repeated += 1')], { weight: chance(faulty) })
    draft.connect(again.steps.at(-1) ?? '', again.steps[1] ?? '')
    draft.statistic('rounds', '1 + repeated / max(1, done)')
    draft.statistic('mean wait', 'Worker.mean_wait')
  },

  batch(draft: Draft, [size, between, trip]: readonly [number, number, number]) {
    draft.place('container', { name: 'Waiting', initial: '0' })
    draft.variable('carried', 0)
    draft.input('last_departure', 100_000, 0, 1_000_000_000)
    const one = (operation: string, amount: string, otherwise: string) => ({
      operation,
      otherwise,
      items: [{ container: 'Waiting', amount, key: '' }],
    })
    draft.process('People', [
      every(random(between), 'Arrive'),
      ['operate', { name: 'Queue', ...one('put', '1', 'fail') }],
      end('In the queue'),
    ])
    const bus = draft.process('Bus', [
      once,
      ['operate', { name: 'Fill up', ...one('take', String(size), 'wait') }],
      delay('Trip', String(trip)),
      compute('Count', `carried += ${size}`),
      fork('Last trip?'),
    ])
    draft.connect(bus.steps[4] ?? '', bus.steps[1] ?? '', { default: true })
    draft.branch(bus, 4, [end('In the depot')], { condition: 'time >= last_departure' })
    draft.statistic('people waiting', 'Waiting.level', { aggregate: 'mean', kind: 'time', sample: 'event' })
    draft.statistic('trips', `carried / ${size}`)
  },

  machine(draft: Draft, [up, repair]: readonly [number, number]) {
    draft.variable('working', 'True')
    draft.input('lifetime', 100_000, 1, 1_000_000_000)
    const machine = draft.process('Machine', [
      once,
      delay('Works', random(up)),
      compute('Breaks down', 'working = False'),
      delay('Repair', random(repair)),
      compute('Works again', 'working = True'),
      fork('Worn out?'),
    ])
    draft.connect(machine.steps[5] ?? '', machine.steps[1] ?? '', { default: true })
    draft.branch(machine, 5, [compute('Scrap', 'working = False'), end('Scrapped')], { condition: 'time >= lifetime' })
    draft.statistic('availability', '1 if working else 0', { aggregate: 'mean', kind: 'time', sample: 'event' })
  },

  inventory(draft: Draft, [below, upTo, demand, lead]: readonly [number, number, number, number]) {
    draft.variable('stock', upTo)
    draft.variable('ordered', 0)
    draft.variable('orders', 0)
    draft.input('reorder_below', below, 0, 1000)
    draft.input('order_up_to', upTo, 1, 10_000)
    draft.process('Demand', [every(random(Number((1 / demand).toPrecision(6))), 'Customer'), compute('Sell', 'stock -= 1'), end()])
    const review = draft.process('Review', [
      every('1', 'Period begins'),
      fork('Too low?'),
      compute('Order', 'amount = order_up_to - stock - ordered\nordered += amount\norders += 1'),
      delay('Delivery', String(lead)),
      compute('Put on the shelf', 'stock += amount\nordered -= amount'),
      end('Delivered'),
    ])
    draft.variable('amount', 0, review.process)
    draft.statistic('mean stock', 'max(0, stock)', { aggregate: 'mean', kind: 'time', sample: 'event' })
    draft.statistic('mean owed', 'max(0, -stock)', { aggregate: 'mean', kind: 'time', sample: 'event' })
    draft.statistic('orders a period', 'orders / max(1, time)')
    draft.branch(review, 1, [end('Enough')], { condition: 'stock + ordered >= reorder_below' })
  },
} as const
