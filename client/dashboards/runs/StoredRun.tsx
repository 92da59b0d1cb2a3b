// A run of an experiment as the one a dashboard shows: chosen from the experiment's table, and marked as not live.
import { ExperimentOutlined } from '@ant-design/icons'
import { Trans, useLingui } from '@lingui/react/macro'
import { Button, Popover } from 'antd'
import { Suspense, useState } from 'react'
import { useStore } from 'zustand'
import { setField, together } from '../../../model-schema/edit.ts'
import type { Id } from '../../../model-schema/model.ts'
import { formatNumber } from '../../charts/format.ts'
import { textField } from '../../run/fields.ts'
import type { Run } from '../../run/run.ts'
import { warn } from '../../ui/toast.ts'
import { importedPart } from '../../ui/loading/updates.ts'
import { tell, useBoard } from '../scope.ts'
import { isAsStored, measuredNow, storedRun, storedText, type Stored } from './stored.ts'

const RunPicker = importedPart(
  () => import('../../experiments/RunPicker.tsx'),
  module => module.RunPicker,
)

/** In the properties of an association: which run of which experiment it shows, and the way to another. */
export function ChooseStored({ id }: { id: Id }) {
  const { t } = useLingui()
  const { session, dashboard, editing } = useBoard()
  const [open, setOpen] = useState(false)
  const association = dashboard.associations.find(one => one.id === id)
  if (!association || association.modelFile === '') return null
  const now = association.source === 'stored' ? storedRun(association.stored) : null
  const choose = (stored: Stored): void => {
    setOpen(false)
    const text = storedText(stored)
    if (text === null) return void warn(t`This run sets too much to be noted in the file.`)
    together(session.doc, () => tell(setField(session.doc, id, 'stored', text)) && tell(setField(session.doc, id, 'source', 'stored')))
  }
  const run = now?.run ?? 0
  const name = now?.experiment ?? ''
  return (
    <>
      {now && (
        <p className="h-muted d-kept">
          <Trans>
            Run {run} of {name}.
          </Trans>
        </p>
      )}
      <Button
        className="d-choose-run"
        size="small"
        block
        icon={<ExperimentOutlined aria-hidden />}
        disabled={!editing}
        onClick={() => setOpen(true)}
      >
        <Trans>Show a run of an experiment…</Trans>
      </Button>
      {open && (
        <Suspense>
          <RunPicker
            user={session.target.user.id}
            local={session.target.local}
            model={association.modelFile}
            close={() => setOpen(false)}
            choose={choose}
          />
        </Suspense>
      )}
    </>
  )
}

/** Says that the run was made before, by an experiment, and is made again here; and whether it came out as it did there. */
export function StoredLine({ run, stored }: { run: Run; stored: Stored }) {
  const same = useStore(run, view => isAsStored(stored, view))
  const { run: number, experiment: name } = stored
  return (
    <Popover trigger={['click']} content={<Facts run={run} stored={stored} />}>
      <button type="button" className="d-standing d-stored" data-tone={same === false ? 'bad' : undefined}>
        {same === false ? (
          <Trans>
            Run {number} of {name}, made again: not as it was
          </Trans>
        ) : (
          <Trans>
            Run {number} of {name}, made again
          </Trans>
        )}
      </button>
    </Popover>
  )
}

function Facts({ run, stored }: { run: Run; stored: Stored }) {
  const { t, i18n } = useLingui()
  const same = useStore(run, view => isAsStored(stored, view))
  const { elements } = run.model.getState().model
  const shown = (value: unknown): string =>
    typeof value === 'number'
      ? formatNumber(value, i18n.locale)
      : value === null
        ? '–'
        : value === true
          ? t`on`
          : value === false
            ? t`off`
            : String(value)
  const set = Object.entries(stored.inputs).map(([variable, value]) => {
    const element = elements.get(variable)
    return { key: variable, name: element ? textField(element, 'name') : variable, value: shown(value) }
  })
  return (
    <div className="d-facts">
      <p className="h-muted">
        {same === false ? (
          <Trans>It did not come out as the experiment stored it: the model has changed since.</Trans>
        ) : same ? (
          <Trans>Made again in this page from its seed and values. It came out exactly as the experiment stored it.</Trans>
        ) : (
          <Trans>It is made again in this page from its seed and values.</Trans>
        )}
      </p>
      <table>
        <tbody>
          <tr>
            <th scope="row">{t`Seed`}</th>
            <td>{stored.seed}</td>
          </tr>
          {set.map(({ key, name, value }) => (
            <tr key={key}>
              <th scope="row">{name}</th>
              <td>{value}</td>
            </tr>
          ))}
          {stored.measured.map(({ label, value }, k) => {
            const now = measuredNow(run.getState(), k)
            return (
              <tr key={label}>
                <th scope="row">{label}</th>
                <td>
                  {same === false && now !== value ? (
                    <>
                      <del>{shown(value)}</del> {shown(now)}
                    </>
                  ) : (
                    shown(value)
                  )}
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}
