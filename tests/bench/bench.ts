// `npm run bench [filter]`: measures and prints one JSON line a figure. Quote medians and ratios, not single times. Figures of learning also take
// `-- --only NAME --seeds N`.
import { parseArgs } from 'node:util'
import { bundleFigures } from './bundle.ts'
import { canvasFigures } from './canvas.ts'
import { chainFigures, hostileFigures } from './chain.ts'
import { checkFigures } from './check.ts'
import { copilotFigures } from './copilot.ts'
import { copilotTasks } from './copilot-tasks.ts'
import { costFigures } from './cost.ts'
import { coverageFigures } from './coverage.ts'
import { engineFigures } from './engine.ts'
import { experimentFigures } from './experiment.ts'
import { learningFigures } from './learning.ts'
import { median, print, type Figure } from './figure.ts'
import { hold } from './hold.ts'
import { serverFigures } from './server.ts'

if (process.argv[2] === 'copilot' && process.argv.length > 3)
  process.exit(await copilotTasks(process.argv.slice(3), process.env, line => console.log(line)))

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { only: { type: 'string' }, seeds: { type: 'string', default: '10' } },
})
const [filter = ''] = positionals
const { only } = values
const wanted = (name: string) => name.includes(filter) && (only === undefined || name.split('/').at(-1) === only)
const seeds = Number(values.seeds)
if (!Number.isInteger(seeds) || seeds < 1) throw new RangeError(`bench: --seeds is a whole number from 1 on, not ${values.seeds}`)

/** The event list alone, in nanoseconds a pop and schedule. */
function* kernelFigures(): Generator<Figure> {
  for (const n of [100, 10_000, 1_000_000]) {
    const name = `kernel/hold-${n}`
    if (!wanted(name)) continue
    const rounds = 1_000_000
    yield { name, value: median([1, 2, 3].map(seed => (hold(n, rounds, seed).ms * 1e6) / rounds)), unit: 'ns' }
  }
}

for (const figure of kernelFigures()) print(figure)
for await (const figure of checkFigures(wanted)) print(figure)
for (const figure of engineFigures(wanted)) print(figure)
for (const figure of costFigures(wanted)) print(figure)
for (const figure of copilotFigures(wanted)) print(figure)
for await (const figure of experimentFigures(wanted)) print(figure)
for await (const figure of learningFigures(wanted, seeds)) print(figure)
if (filter.startsWith('coverage')) for await (const figure of coverageFigures(wanted)) print(figure)
for await (const figure of chainFigures(wanted)) print(figure)
if (filter.startsWith('chain/hostile')) for await (const figure of hostileFigures(wanted)) print(figure)
for (const figure of bundleFigures(wanted)) print(figure)
for await (const figure of canvasFigures(wanted)) print(figure)
for await (const figure of serverFigures(wanted)) print(figure)
