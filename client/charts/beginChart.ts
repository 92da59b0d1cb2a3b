// A chart file of an experiment's results, begun from where they are looked at.
import { newId } from '../../model-schema/ids.ts'
import type { FileRow } from '../local/device.ts'
import { createFile } from '../local/files.ts'
import type { Place } from '../local/place.ts'

/** The chosen dimension is on the axis, results are measured. */
export function beginChart(
  place: Place,
  name: string,
  of: { experiment: string; decision: string | undefined; measure: string | undefined },
): Promise<FileRow> {
  const [page, run] = [newId(), newId()]
  return createFile(
    place,
    name,
    {
      format: 'holo',
      version: 1,
      title: name,
      elements: {
        [page]: { kind: 'chartFile', rank: 'a0', name },
        [run]: { kind: 'association', parent: page },
        [newId()]: {
          kind: 'plot',
          parent: run,
          geo: [0, 0, 12, 8],
          source: 'experiment',
          experimentFile: of.experiment,
          dimension: of.decision ?? '',
          metrics: of.measure === undefined ? [] : [{ field: of.measure, aggregate: 'auto', label: '', color: '', goal: 'min' }],
        },
      },
    },
    { kind: 'chart' },
  )
}
