// The result of a training in one sentence, and its limits in another.
import type { EpochRow, TrainingReport } from '../../../sim-engine/experiment.ts'
import { say, type Words } from '../../../model-schema/words.ts'
import type { Finding } from '../results/finding.ts'

export type Learned = {
  readonly rows: readonly EpochRow[]
  readonly report: Pick<TrainingReport, 'compared'> | null
  readonly decisions: number
  /** The return at which the task is solved. */
  readonly threshold: number | null
}

export const bestOf = (rows: readonly EpochRow[]): EpochRow | null =>
  rows.reduce<EpochRow | null>((known, row) => (known === null || row.test.mean > known.test.mean ? row : known), null)

/** Null before the first epoch. `figure` writes a number. */
export function learnedFinding({ rows, report, decisions, threshold }: Learned, figure: (value: number) => string): Finding | null {
  const best = bestOf(rows)
  if (best === null) return null
  const { mean, half } = best.test
  // What the model does by itself is more to be compared with than chance.
  const other = report?.compared.find(({ name }) => name === 'model') ?? report?.compared[0]
  return {
    title: titleOf(figure(mean), other, figure),
    more: [
      half > 0
        ? say('Between {low} and {high} with {level}% confidence.', {
            low: figure(mean - half),
            high: figure(mean + half),
            level: figure(95),
          })
        : null,
      threshold === null
        ? null
        : mean >= threshold
          ? say('The threshold of {threshold} is reached.', { threshold: figure(threshold) })
          : say('The threshold of {threshold} is not reached.', { threshold: figure(threshold) }),
      say('{epochs, plural, one {# epoch} other {# epochs}}, {decisions} decisions.', {
        epochs: rows.length,
        decisions: figure(decisions),
      }),
    ].filter(one => one !== null),
  }
}

function titleOf(mean: string, other: TrainingReport['compared'][number] | undefined, figure: (value: number) => string): Words {
  if (!other) return say('The best policy so far returns {mean} an episode.', { mean })
  const values = { mean, by: figure(Math.abs(other.difference)) }
  const isOwn = other.name === 'model'
  if (Math.abs(other.difference) <= other.half)
    return isOwn
      ? say('The learned policy returns {mean} an episode, no clear gain over the model’s own.', values)
      : say('The learned policy returns {mean} an episode, no clear gain over deciding at random.', values)
  if (other.difference < 0)
    return isOwn
      ? say('The learned policy returns {mean} an episode, {by} less than the model’s own.', values)
      : say('The learned policy returns {mean} an episode, {by} less than deciding at random.', values)
  return isOwn
    ? say('The learned policy returns {mean} an episode, {by} more than the model’s own.', values)
    : say('The learned policy returns {mean} an episode, {by} more than deciding at random.', values)
}
