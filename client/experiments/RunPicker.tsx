// Chooses one run of an experiment: the experiment, its entry - on this device or on the server -, the row of its table.
import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Modal, Select, Spin } from 'antd'
import { useLiveQuery } from 'dexie-react-hooks'
import { useMemo, useState } from 'react'
import { experimentOf } from '../../model-schema/experiment.ts'
import { device } from '../local/device.ts'
import { useColumnWords } from './columnWords.ts'
import { Conductor } from './conduct/conductor.ts'
import type { ConductedRuns } from './conduct/turn.ts'
import { entriesOf, samplesOf, type Entry } from './history.ts'
import { remoteKey } from './limits.ts'
import { picked, type PickedRun } from './picked.ts'
import { fetchResult, remoteOf } from './remote.ts'
import { columnsOf } from './results/columns.ts'
import { useNumber } from './results/useNumber.ts'
import { Table } from './results/Table.tsx'
import { defined } from '../ui/defined.ts'
import './experiments.css'

type Props = {
  user: string
  /** Files of this device alone: nothing is on the server. */
  local: boolean
  /** The model file with the experiments to offer. */
  model: string
  close(): void
  choose(run: PickedRun): void
}

export function RunPicker({ user, local, model, close, choose }: Props) {
  const { t, i18n } = useLingui()
  const number = useNumber()
  const when = (at: string): string => new Date(at).toLocaleString(i18n.locale, { dateStyle: 'medium', timeStyle: 'short' })
  const [file, setFile] = useState<string | null>(null)
  const [entry, setEntry] = useState<string | null>(null)
  const experiments = useLiveQuery(async () => {
    const files = await device.files.where('user').equals(user).toArray()
    return files
      .filter(one => one.kind === 'experiment' && one.model === model && one.trashedAt === null)
      .toSorted((a, b) => (a.updatedAt < b.updatedAt ? 1 : -1))
  }, [user, model])
  const chosenFile = file ?? experiments?.[0]?.id ?? null
  const entries = useEntries(user, local ? null : chosenFile, chosenFile)
  const chosen = entries?.find(({ id }) => id === entry) ?? entries?.[0] ?? null
  const read = useQuery({
    queryKey: ['experiment-entry', chosenFile, chosen?.id, chosen?.runs],
    queryFn: () => found(user, chosenFile ?? '', chosen?.local ?? null, chosen?.id ?? ''),
    enabled: chosen !== null,
    retry: false,
    gcTime: 0,
    networkMode: 'always',
  })
  const words = useColumnWords()
  const table = read.data ?? null
  const columns = useMemo(
    () => (table ? columnsOf(table.prepared, table.results, words) : []),
    // The words change with the language, which does not change under an open dialog.
    // eslint-disable-next-line react-hooks/exhaustive-deps
    [table],
  )
  const isOther = table !== null && table.prepared.experiment.modelFile !== model
  return (
    <Modal open title={t`Show a run of an experiment`} width={880} footer={null} onCancel={close}>
      <div className="x-picker">
        <div className="x-line">
          <Select
            aria-label={t`Experiment`}
            showSearch={{ optionFilterProp: 'label' }}
            loading={experiments === undefined}
            {...(chosenFile === null ? {} : { value: chosenFile })}
            placeholder={t`Choose an experiment`}
            notFoundContent={t`There are no experiments with this model yet.`}
            options={(experiments ?? []).map(({ id, name }) => ({ value: id, label: name }))}
            onChange={(next: string) => {
              setFile(next)
              setEntry(null)
            }}
          />
          {entries && entries.length > 0 && (
            <Select
              aria-label={t`Entry`}
              {...defined({ value: chosen?.id })}
              options={entries.map(({ id, startedAt, runs, local: here }) => ({
                value: id,
                label: here ? t`${when(startedAt)}, ${number(runs)} runs` : t`${when(startedAt)}, ${number(runs)} runs, on the server`,
              }))}
              onChange={setEntry}
            />
          )}
        </div>
        {experiments?.length === 0 ? (
          <p className="x-hint">{t`There are no experiments with this model yet.`}</p>
        ) : entries?.length === 0 ? (
          <p className="x-hint">{t`Nothing was run of this experiment yet, or what was run is not on this device.`}</p>
        ) : read.isError || read.data === null || isOther ? (
          <p className="x-hint" role="alert">
            {isOther ? t`This was run with another model.` : t`This version cannot read the result, or it is out of reach.`}
          </p>
        ) : table ? (
          <>
            <p className="x-hint">
              <Trans>
                An experiment stores each run’s seed, values and results. The page makes the run you choose again from them, and checks that
                it comes out the same.
              </Trans>
            </p>
            <Table shown={{ ...table, columns, version: 0 }} openLabel={t`Show this run`} open={run => choose(picked(table, run))} />
          </>
        ) : (
          <Spin />
        )}
      </div>
    </Modal>
  )
}

type Listed = { id: string; startedAt: string; runs: number; local: Entry | null }

/**
 * The entries of an experiment, the latest first: those on this device, then those only on the server. Undefined while the device is read.
 */
function useEntries(user: string, remote: string | null, file: string | null): Listed[] | undefined {
  const here = useLiveQuery(async () => (file === null ? [] : entriesOf(user, file)), [user, file])
  // Out of reach, there is what is here.
  const there = useQuery({
    queryKey: remoteKey(remote ?? ''),
    queryFn: () => remoteOf(remote ?? ''),
    enabled: remote !== null,
    retry: false,
    networkMode: 'always',
  })
  if (file === null || here === undefined || (remote !== null && here.length === 0 && there.isPending)) return undefined
  const known = new Set(here.map(({ id }) => id))
  return [
    ...here.map(entry => ({ id: entry.id, startedAt: entry.startedAt, runs: entry.runs, local: entry })),
    ...(there.data?.results ?? [])
      .filter(({ id }) => !known.has(id))
      .map(({ id, startedAt, runs }) => ({ id, startedAt, runs, local: null })),
  ]
}

/** Null when this version can't make sense of it. */
async function found(user: string, file: string, entry: Entry | null, id: string): Promise<ConductedRuns | null> {
  const conductor = new Conductor({ user, docId: file, localRuns: null, steps: null })
  if (entry) return conductor.read(entry, await samplesOf(entry.id))
  const fetched = await fetchResult(file, id)
  const experiment = fetched && experimentOf(fetched.entry.study)
  return fetched && experiment ? conductor.read({ id, experiment, model: fetched.entry.model }, fetched.samples) : null
}
