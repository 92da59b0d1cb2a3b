// The linked model: chosen once from one's own models, then shown with its scenario and how far it has moved on since.
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { Button, Select } from 'antd'
import { useEffect, useMemo, useState } from 'react'
import { useStore } from 'zustand'
import { changesSince } from '../../../model-schema/experiment.ts'
import type { FileRow } from '../../local/device.ts'
import { linkModel } from '../../local/files.ts'
import { wordsOfSessionError } from '../../ui/notices.ts'
import { complain } from '../../ui/toast.ts'
import { useFiles, usePlace } from '../../workspace/usePlace.ts'
import { renewLink, scenarioName, scenarioOf, storeOf, useLinked, writeLink } from '../linked.ts'
import { useExperiment } from '../scope.ts'

export function LinkCard() {
  const { experiment } = useExperiment()
  return experiment.modelFile === '' ? <Choose /> : <Chosen />
}

function Choose() {
  const { t } = useLingui()
  const { session, root, writable, teamCode } = useExperiment()
  const place = usePlace(session.target.local ? 'device' : teamCode)
  const files = useFiles(place)
  const [file, setFile] = useState('')
  const [scenario, setScenario] = useState<string | null>(null)
  const linked = useLinked(session, file)
  const { model } = useStore(storeOf(linked))
  const models = (files ?? []).filter(
    one => one.kind === 'model' && one.trashedAt === null && sameHome(one, session.target.local, teamCode),
  )
  const chosen = linked.state === 'open' ? (scenario ?? model.scenarios[0] ?? null) : null
  const link = (): void => {
    if (place === null || chosen === null) return
    writeLink(session, root.id, file, chosen, model)
    linkModel(place, session.docId, file).catch(complain)
  }
  if (!writable)
    return (
      <p className="x-hint">
        <Trans>No model is linked yet.</Trans>
      </p>
    )
  return (
    <div className="x-grid" id={`place-${root.id}-modelFile`}>
      <label className="h-field x-field">
        <span className="h-field-label">{t`Model`}</span>
        <Select
          className="h-wide"
          showSearch={{ optionFilterProp: 'label' }}
          placeholder={t`Choose one of your models`}
          aria-label={t`Model`}
          {...(file === '' ? {} : { value: file })}
          loading={files === undefined}
          notFoundContent={t`There is no model here yet. Make one in the workspace, or open a sample.`}
          onChange={(next: string) => {
            setFile(next)
            setScenario(null)
          }}
          options={models.map(one => ({ value: one.id, label: one.name }))}
        />
      </label>
      {file !== '' && (
        <label className="h-field x-field">
          <span className="h-field-label">{t`Model scenario`}</span>
          <Select
            className="h-wide"
            aria-label={t`Model scenario`}
            loading={linked.state === 'opening'}
            {...(chosen === null ? {} : { value: chosen })}
            onChange={setScenario}
            options={model.scenarios.map(id => ({ value: id, label: scenarioName(model, id) }))}
          />
        </label>
      )}
      {linked.state === 'failed' && (
        <p className="h-problem" data-severity="error">
          {wordsOfSessionError(linked.code).text}
        </p>
      )}
      <p className="x-hint">
        <Trans>You can’t link another model later. Changes to this one are followed.</Trans>
      </p>
      <Button type="primary" disabled={chosen === null} onClick={link}>
        <Trans>Link this model</Trans>
      </Button>
    </div>
  )
}

const sameHome = (file: FileRow, local: boolean, team: string): boolean => local || file.team === team || team === ''

function Chosen() {
  const { t } = useLingui()
  const { session, root, experiment, linked, model, writable, teamCode } = useExperiment()
  const place = usePlace(session.target.local ? 'device' : teamCode)
  const files = useFiles(place)
  const name = files?.find(file => file.id === experiment.modelFile)?.name ?? t`Model`
  const changes = useMemo(() => (model ? changesSince(experiment.linked, model) : 0), [experiment.linked, model])
  const scenario = model ? scenarioOf(model, experiment.modelScenario) : null
  // A copy of an experiment says the same model; its use is noted when it is first opened.
  const unnoted =
    writable &&
    files !== undefined &&
    files.some(({ id }) => id === experiment.modelFile) &&
    files.find(({ id }) => id === session.docId)?.model === null
  useEffect(() => {
    if (unnoted && place) linkModel(place, session.docId, experiment.modelFile).catch(complain)
  }, [unnoted, place, session, experiment.modelFile])
  return (
    <div className="x-link" id={`place-${root.id}-modelFile`}>
      <div>
        <Link to="/modeling/$teamCode/$modelId" params={{ teamCode, modelId: experiment.modelFile }}>
          {name}
        </Link>
        <span className="h-muted" id={`place-${root.id}-modelScenario`}>
          {linked.state === 'opening'
            ? t`Opening…`
            : t`Scenario: ${scenario && model ? scenarioName(model, scenario) : experiment.modelScenario}`}
        </span>
      </div>
      {linked.state === 'failed' && (
        <p className="h-problem" data-severity="error" role="note">
          {wordsOfSessionError(linked.code).text}
        </p>
      )}
      {changes > 0 && (
        <div className="x-changes">
          <span>
            <Plural value={changes} one="# change since it was linked" other="# changes since it was linked" />
          </span>
          {writable && model && (
            <Button size="small" onClick={() => renewLink(session, root.id, model)}>
              <Trans>Mark as seen</Trans>
            </Button>
          )}
        </div>
      )}
      <p className="x-hint">
        <Trans>Changes to the model are followed. Another experiment is needed for another model.</Trans>
      </p>
    </div>
  )
}
