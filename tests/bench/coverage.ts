// How often intervals of 95 % cover, over 10,000 experiments each: .95 within .01 is the aim; the standard error of a figure is .0022.
import {
  coverageOfBatchMeans,
  coverageOfReplications,
  coverageOfStopping,
  longRuns,
  sequential,
  systems,
} from '../help/experiments/coverage.ts'
import type { Figure } from './figure.ts'

const experiments = Number(process.env['EXPERIMENTS'] ?? 10_000)

export async function* coverageFigures(wanted: (name: string) => boolean): AsyncGenerator<Figure> {
  const note = `${experiments} experiments`
  for (const system of systems) {
    const name = `coverage/replications-${system.name}`
    if (wanted(name)) yield { name, value: coverageOfReplications(system, 30, experiments), unit: 'share', note: `${note} of 30 runs` }
  }
  for (const one of sequential) {
    const name = `coverage/until-narrow-${one.name}`
    if (!wanted(name)) continue
    const { coverage, runs } = await coverageOfStopping(one, experiments)
    yield { name, value: coverage, unit: 'share', note: `${note}, ${Math.round(runs)} runs on average` }
  }
  for (const one of longRuns) {
    const name = `coverage/batch-means-${one.name}`
    if (wanted(name)) yield { name, value: coverageOfBatchMeans(one, experiments), unit: 'share', note }
  }
}
