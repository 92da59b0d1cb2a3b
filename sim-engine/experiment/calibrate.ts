// How far the outputs of runs are from measured data.
import { log } from '../kernel/math.ts'
import { aggregated } from './aggregate.ts'
import type { Prepared } from './prepare.ts'
import type { Sample } from './protocol.ts'

export type Loss = {
  /** Over the data that is fitted, all series by their weights. */
  readonly fitted: number
  /** The same over the data held out; NaN when there is none. */
  readonly heldOut: number
}

/** The loss of the mean of several replications at each time of the data. NaN when no replication has a value for one of the times. */
export function lossOf({ experiment, measured }: Prepared, samples: readonly Sample[]): Loss {
  let fitted = 0
  let heldOut = NaN
  experiment.series.forEach(({ data, weight, sigma }, s) => {
    data.forEach((point, i) => {
      const column = measured.series[s]! + i
      const model = aggregated(
        samples.map(sample => sample.values[column]!),
        'mean',
      )
      const error = model - point.value
      const term =
        experiment.loss === 'mae'
          ? (weight * Math.abs(error)) / data.length
          : experiment.loss === 'sse'
            ? weight * error * error
            : weight * (0.5 * (error / sigma) ** 2 + log(sigma) + 0.9189385332046727)
      if (point.heldOut) heldOut = (Number.isNaN(heldOut) ? 0 : heldOut) + term
      else fitted += term
    })
  })
  return { fitted, heldOut }
}
