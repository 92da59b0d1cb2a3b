// Patterns of amounts that change each tick.
import { compute, eachTick, end, type Draft } from './draft.ts'

const process = (draft: Draft, name: string, step: string, program: string) =>
  draft.process(name, [eachTick, compute(step, program), end()])

export const amounts = {
  sir(draft: Draft, [people, contact, recovery]: readonly [number, number, number]) {
    draft.variable('susceptible', people - 1)
    draft.variable('infected', 1)
    draft.variable('recovered', 0)
    draft.input('contact_rate', contact, 0, 5)
    draft.input('recovery_rate', recovery, 0, 1)
    process(
      draft,
      'Spread',
      'Infect and recover',
      'infections = contact_rate * susceptible * infected / (susceptible + infected + recovered)\nrecoveries = recovery_rate * infected\nsusceptible -= infections\ninfected += infections - recoveries\nrecovered += recoveries',
    )
    draft.chart('Epidemic', 'susceptible', 'infected', 'recovered')
  },

  growth(draft: Draft, [first, capacity, rate]: readonly [number, number, number]) {
    draft.variable('population', first)
    draft.input('capacity', capacity, 1, 1_000_000)
    draft.input('growth_rate', rate, 0, 1)
    process(draft, 'Growth', 'Grow', 'population += growth_rate * population * (1 - population / capacity)')
    draft.chart('Population', 'population')
  },

  bass(draft: Draft, [people, innovation, imitation]: readonly [number, number, number]) {
    draft.variable('adopters', 0)
    draft.variable('people', people)
    draft.input('innovation', innovation, 0, 0.5)
    draft.input('imitation', imitation, 0, 1)
    process(draft, 'Adoption', 'Adopt', 'adopters += (innovation + imitation * adopters / people) * (people - adopters)')
    draft.statistic('share', 'adopters / people')
    draft.chart('Adoption', 'adopters')
  },

  lotka(draft: Draft, [prey, predators]: readonly [number, number]) {
    draft.variable('prey', prey)
    draft.variable('predators', predators)
    draft.input('births', 0.1, 0, 1)
    draft.input('hunting', 0.005, 0, 0.1)
    draft.input('benefit', 0.2, 0, 1)
    draft.input('deaths', 0.05, 0, 1)
    process(
      draft,
      'Live',
      'Hunt and breed',
      'hunted = min(prey, hunting * prey * predators)\nprey += births * prey - hunted\npredators += benefit * hunted - deaths * predators',
    )
    draft.chart('Populations', 'prey', 'predators')
  },

  pool(draft: Draft, [depth, fee, size]: readonly [number, number, number]) {
    draft.variable('gold', depth)
    draft.variable('cash', depth)
    draft.input('fee', fee, 0, 5)
    draft.input('trade_size', size, 0, depth)
    process(
      draft,
      'Market',
      'Trade',
      'paid = uniform(0, trade_size)\nnet = paid * (1 - fee / 100)\nif bernoulli(0.5):\n    bought = gold * net / (cash + net)\n    cash += paid\n    gold -= bought\nelse:\n    bought = cash * net / (gold + net)\n    gold += paid\n    cash -= bought',
    )
    draft.statistic('price', 'cash / gold')
    draft.statistic('product', 'cash * gold')
    draft.chart('Pool', 'gold', 'cash')
  },

  thermostat(draft: Draft, [wanted, outside]: readonly [number, number]) {
    draft.variable('temperature', outside)
    draft.variable('heating', 'False')
    draft.input('wanted', wanted, -50, 100)
    draft.input('outside', outside, -50, 100)
    process(
      draft,
      'Control',
      'Heat or cool down',
      'if temperature < wanted - 0.5:\n    heating = True\nelif temperature > wanted + 0.5:\n    heating = False\ntemperature += 0.02 * (outside - temperature) + (1 if heating else 0)',
    )
    draft.statistic('time heated', '1 if heating else 0', { aggregate: 'mean' })
    draft.chart('Room', 'temperature')
  },
} as const
