// Golden traces: whole small models, one line per step: time, agent, verb, step. `npm test -- -u` accepts changes.
import { describe, expect, it } from 'vitest'
import {
  agents,
  boundary,
  compute,
  create,
  delay,
  destroy,
  end,
  event,
  every,
  exclusive,
  from,
  gateway,
  log,
  message,
  model,
  otherwise,
  parallel,
  port,
  process,
  release,
  request,
  resource,
  scenario,
  start,
  to,
  variable,
  when,
} from '../../help/models.ts'
import type { Built } from '../../help/models.ts'
import { runOf } from '../../help/runs.ts'

const models: Record<string, Built> = {
  clinic: model(
    scenario({ ticking: false, totalTicks: 20 }),
    resource('nurse', 1),
    process(
      'Visit',
      start({ trigger: 'timer', first: '0', every: '2', maximum: '3' }),
      request('nurse'),
      delay(3, 'treatment'),
      release('nurse'),
      end(),
      boundary('treatment', 'timer', { delay: '2', interrupting: false }, 'reminder'),
      log('"late"', 'remind'),
      end(),
    ),
  ),
  births: model(
    scenario({ totalTicks: 3 }),
    agents(
      'Cell',
      { initialNumber: '2', order: 'fixed' },
      variable('energy', 'id + 1'),
      process(
        'Live',
        start(every(1)),
        compute('energy += 1', 'eat'),
        exclusive('fate'),
        when('energy > 3'),
        create('Cell', 1, { as: 'offspring', values: [{ property: 'energy', mode: 'dilute', value: '0.5' }] }, 'divide'),
        end(),
        from('fate'),
        when('energy < 2.4'),
        destroy({}, 'die'),
        end(),
        from('fate'),
        otherwise(),
        end(),
      ),
    ),
  ),
  letters: model(
    scenario({ ticking: false, totalTicks: 20 }),
    message('Letter', { payload: [{ name: 'n' }] }),
    agents(
      'Person',
      { initialNumber: '2', order: 'fixed' },
      process(
        'Write',
        start(),
        delay('id'),
        event('send', { message: 'Letter', range: 'Person', filter: 'id != actor.id', payload: [{ name: 'n', value: 'id * 10' }] }, 'post'),
        end(),
      ),
      process('Read', start({ trigger: 'message', message: 'Letter' }), port('n'), log('n', 'read'), end()),
    ),
  ),
  forks: model(
    scenario({ ticking: false, totalTicks: 20 }),
    process(
      'P',
      start(),
      parallel('fork'),
      delay(2, 'a'),
      gateway('synchronizing', 'sync'),
      log('"on"', 'on'),
      end(),
      from('fork'),
      delay(1, 'b'),
      parallel('again'),
      delay(3, 'c'),
      to('sync'),
      from('again'),
      log('"d"', 'd'),
      end(),
    ),
  ),
}

describe('golden traces', () => {
  it.each(Object.entries(models))('%s', async (name, built) => {
    const { trace, summary } = runOf(built, { seed: 1 })
    const left = summary.tokensLeft.map(({ process, step, count }) => `left\t${process}\t${step}\t${count}`)
    await expect([...trace, ...left, `end\t${summary.result.end}\t${summary.time}`, ''].join('\n')).toMatchFileSnapshot(
      `../../cases/run/${name}.txt`,
    )
  })
})
