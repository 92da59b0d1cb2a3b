// Where a chart of fields gets its rows from: a run, an experiment's results on this device, or its own table.
import { useLingui } from '@lingui/react/macro'
import { liveQuery } from 'dexie'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { Plot } from '../../../model-schema/plot.ts'
import { useColumnWords } from '../../experiments/columnWords.ts'
import type { Run } from '../../run/run.ts'
import { noData, type Data } from './columns.ts'
import { liveData } from './live.ts'
import { resultsData } from './results.ts'

export type Given = {
  readonly data: Data
  readonly state: 'ready' | 'waiting' | 'no-run' | 'no-source' | 'no-results' | 'unreadable'
  /** Reports how long drawing took: growing data is then read no more often than it can be drawn. */
  readonly took: (ms: number) => void
}

/** Least and most milliseconds between two looks at a run. */
const lookMs = 100
const mostLookMs = 2000
/** Milliseconds between reads of a running experiment: each reads all its samples. */
const readMs = 3000

/** `user`: the user with results on this device that may be read. */
export function useData(plot: Plot, run: Run | null, user: string | null): Given {
  const live = useLive(plot, run)
  const results = useResults(plot, user)
  const table = useTable(plot)
  if (plot.source === 'table') return { ...table, took: nothing }
  if (plot.source === 'experiment') return { ...results, took: nothing }
  return live
}

const nothing = (): void => undefined

type ReadTable = (lines: readonly string[]) => Data

/** Reads the chart's own table. The parser is loaded with the first chart that has one. */
function useTable({ source, lines }: Plot): Omit<Given, 'took'> {
  const [read, setRead] = useState<ReadTable | null>(null)
  const isTable = source === 'table' && lines.length > 0
  useEffect(() => {
    if (!isTable || read !== null) return undefined
    let closed = false
    import('./csv.ts').then(
      ({ tableData }) => closed || setRead(() => tableData),
      error => console.warn('the reader of tables could not be loaded', error),
    )
    return () => void (closed = true)
  }, [isTable, read])
  const data = useMemo(() => (isTable && read !== null ? read(lines) : noData), [isTable, read, lines])
  return { data, state: !isTable ? 'no-source' : read === null ? 'waiting' : 'ready' }
}

function useLive(plot: Plot, run: Run | null): Given {
  const { t } = useLingui()
  const rest = useRef(lookMs)
  const [version, setVersion] = useState(0)
  const isLive = plot.source === 'model'
  useEffect(() => {
    if (!run || !isLive) return undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    let seen = -1
    const look = (): void => {
      timer = undefined
      const now = run.getState().series.get(plot.id)?.version ?? 0
      if (now === seen) return
      seen = now
      setVersion(count => count + 1)
    }
    const stop = run.subscribe(() => {
      timer ??= setTimeout(look, rest.current)
    })
    look()
    return () => {
      stop()
      clearTimeout(timer)
    }
  }, [run, isLive, plot.id])
  const took = useMemo(() => (ms: number) => void (rest.current = Math.min(mostLookMs, Math.max(lookMs, 4 * ms))), [])
  const words = { time: t`Time`, key: t`Item` }
  const spoken = Object.values(words).join()
  const buffer = run?.getState().series.get(plot.id)
  const described = run?.getState().loaded?.charts.find(chart => chart.id === plot.id)
  const data = useMemo(
    () =>
      isLive && buffer
        ? liveData(
            plot,
            buffer,
            words,
            described?.series.map(({ label }) => label),
          )
        : noData,
    // The buffer fills in place: `version` says so.
    // eslint-disable-next-line react-hooks/exhaustive-deps
    [plot, buffer, described, version, isLive, spoken],
  )
  return { data, state: run === null ? 'no-run' : data.rows === 0 ? 'waiting' : 'ready', took }
}

function useResults({ source, experimentFile, experimentEntry }: Plot, user: string | null): Omit<Given, 'took'> {
  const [read, setRead] = useState<{ of: string; data: Data; state: Given['state'] }>({ of: '', data: noData, state: 'waiting' })
  const words = useColumnWords()
  const spoken = Object.values(words).join()
  const asked = source === 'experiment' && experimentFile !== '' && user !== null
  const of = `${experimentFile} ${experimentEntry} ${user} ${spoken}`
  useEffect(() => {
    if (!asked || user === null) return undefined
    let closed = false
    let timer: ReturnType<typeof setTimeout> | undefined
    let seen = ''
    let last = -Infinity
    const tell = (state: Given['state'], data: Data = noData): void => {
      if (!closed) setRead({ of, state, data })
    }
    const begun = import('../../experiments/conduct/conductor.ts')
    const watch = liveQuery(async () => (await import('../../experiments/history.ts')).entriesOf(user, experimentFile)).subscribe({
      next: entries => {
        const entry = entries.find(({ id }) => experimentEntry === '' || id === experimentEntry)
        if (!entry) return tell('no-results')
        const key = `${entry.id} ${entry.runs} ${entry.ended}`
        if (key === seen) return
        clearTimeout(timer)
        timer = setTimeout(
          () => {
            seen = key
            last = performance.now()
            begun
              .then(({ Conductor }) => new Conductor({ user, docId: experimentFile, localRuns: null, steps: null }).read(entry))
              .then(found => (found ? tell('ready', resultsData(found, words)) : tell('unreadable')))
              .catch(() => tell('unreadable'))
          },
          Math.max(0, last + readMs - performance.now()),
        )
      },
      error: () => tell('unreadable'),
    })
    return () => {
      closed = true
      clearTimeout(timer)
      watch.unsubscribe()
    }
    // The words change with the language, which is in `of`.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [asked, of])
  if (!asked) return { data: noData, state: experimentFile === '' ? 'no-source' : 'no-results' }
  return read.of === of ? read : { data: noData, state: 'waiting' }
}
