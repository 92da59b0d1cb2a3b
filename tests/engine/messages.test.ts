// What the command line says of models that are wrong: the messages that misled most when people wrote models from the reference alone.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { printFile } from '../../model-schema/file.ts'
import { main } from '../../sim-engine/cli.ts'
import { agents, compute, end, every, model, process, scenario, start, statistic, variable } from '../help/models.ts'
import type { Built } from '../help/models.ts'

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'holarchy-messages-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

function file(built: Built): string {
  const path = join(folder, 'model.holo')
  writeFileSync(path, printFile(built.file))
  return path
}

describe('messages that once misled say what is wrong, where and what to do', () => {
  const wolf = (program: string): Built =>
    model(
      scenario({ totalTicks: 5 }),
      variable('n', 0),
      agents(
        'Wolf',
        { initialNumber: '2' },
        variable('energy', 5),
        variable('tag', "'a'"),
        process('Live', start(every(1)), compute(program, 'think'), end()),
      ),
    )
  it.each<[name: string, built: Built, said: (string | RegExp)[]]>([
    [
      'a statistic that fails at the end',
      model(scenario({ totalTicks: 5 }), variable('n', 0), statistic('ratio', 'n +\n  1 / n', { sample: 'end' })),
      ['error 10018 statistic "ratio" expression 2:3: Division by zero. (tick 5, time 5)', '      1 / n', '      ^^^^^', /divisor/],
    ],
    [
      'a power written with ^',
      wolf('energy = 9.5 ^ 2'),
      [/ program 1:10: .*\^ takes the bits of whole numbers; write \*\* for a power$/, '    energy = 9.5 ^ 2'],
    ],
    [
      "another's private variable",
      wolf('one = choice(Wolf.individuals)\none.energy = 5'),
      [
        / program 2:5: .*"energy" can not be changed here: it is another's, and others may not change it$/,
        '    one.energy = 5',
        '        ^^^^^^',
        /in process "Live", in agent "Wolf"/,
        /Let others change "energy"/,
      ],
    ],
    [
      'the cell of individuals in no space',
      wolf('energy = cell.x'),
      [/ program 1:10: .*choose a space for the population$/, '    energy = cell.x'],
    ],
    [
      'text plus a number',
      wolf('tag += 1'),
      [/ program 1:1: .*text \+ number is not defined; convert with str\(\.\.\.\)$/, '    tag += 1', '    ^^^^^^^^'],
    ],
    [
      'a comparison written with =',
      wolf('if energy = 5:\n    n = 1'),
      [/ program 1:11: .*write "==" to compare$/, '    if energy = 5:', '              ^'],
    ],
    ['null', wolf('energy = null'), [/ program 1:10: .*did you mean "None"\?$/, '    energy = null']],
    [
      "another library's random()",
      wolf('energy = np.random.rand()'),
      [/ program 1:10: .*write random\(\) instead of np\.random\.rand/, '    energy = np.random.rand()'],
    ],
    [
      'an interval of 0',
      model(scenario({ totalTicks: 5 }), variable('n', 0), process('P', start(every(0)), compute('n += 1'), end())),
      [/^error 9018 start P-start1 every.*: The interval must be above 0/, /in process "P"/, /exponential/],
    ],
    [
      'a number in words',
      model(scenario({ totalTicks: 5 }), agents('A', { initialNumber: 'ten' }, process('P', start(), end()))),
      [/initialNumber 1:1: .*did you mean "10"\?$/, '    ten', '    ^^^'],
    ],
    [
      'an index that a loop gives, at run time',
      wolf('for i in range(3):\n    energy = [1, 2][i]'),
      [
        'error 10022 compute "think" program 2:14: Index out of range. (tick 1, time 1, Wolf 1)',
        '        energy = [1, 2][i]',
        /^ {17}\^+$/,
        '    in process "Live", in agent "Wolf"',
        /len/,
      ],
    ],
  ])('%s', (_, built, said) => {
    let err = ''
    const code = main(['run', file(built)], { out: () => undefined, err: text => (err += text) })
    // Warnings before it may say that nothing starts.
    const lines = err.slice(err.indexOf('error ')).split('\n')
    expect(code).toBe(1)
    said.forEach((want, i) => expect(lines[i], err).toEqual(typeof want === 'string' ? want : expect.stringMatching(want)))
  })
  it('a failed run tells its error before the results', () => {
    let both = ''
    const built = model(scenario({ totalTicks: 5 }), variable('n', 0), statistic('ratio', '1 / n', { sample: 'end' }))
    main(['run', file(built)], { out: text => (both += text), err: text => (both += text) })
    expect(both.indexOf('error 10018')).toBeGreaterThanOrEqual(0)
    expect(both.indexOf('statistics')).toBeGreaterThan(both.indexOf('error 10018'))
  })
})
