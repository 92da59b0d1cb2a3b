// How the engine runs each process of the model, and which steps keep it from running faster, in plain words.
import { Trans, useLingui } from '@lingui/react/macro'
import { useEffect } from 'react'
import { useStore } from 'zustand'
import type { Id } from '../../../model-schema/model.ts'
import { wireTitleOf } from '../../editor/grammar.ts'
import { useWords } from '../../i18n/locale.ts'
import { useRun, useRunView } from '../RunProvider.tsx'

export function HowItRuns({ filter, onShow }: { filter: string; onShow?: ((element: Id) => void) | undefined }) {
  const { t } = useLingui()
  const words = useWords()
  const run = useRun()
  const explained = useRunView(view => view.explained)
  const isLoaded = useRunView(view => !['loading', 'problems', 'broken'].includes(view.status))
  const model = useStore(run.model, state => state.model)
  const isMissing = isLoaded && explained === null
  useEffect(() => {
    if (isMissing) run.explain()
  }, [isMissing, run])
  if (!explained)
    return (
      <p className="h-panel-hint">
        {isLoaded ? <Trans>Looking at the processes…</Trans> : <Trans>How the model runs is shown once it has no problems.</Trans>}
      </p>
    )
  const titleOf = (id: Id, name: string): string => {
    const element = model.elements.get(id)
    return element ? wireTitleOf(model, element, words) : name
  }
  const wanted = filter.toLowerCase()
  const shown = explained.filter(({ process, steps }) =>
    [process, ...steps.map(({ element, step }) => titleOf(element, step))].some(name => name.toLowerCase().includes(wanted)),
  )
  const link = (id: Id, name: string) => (
    <button type="button" className="h-link" disabled={!onShow} onClick={() => onShow?.(id)}>
      {name}
    </button>
  )
  if (explained.length === 0)
    return (
      <p className="h-panel-hint">
        <Trans>This model has no processes.</Trans>
      </p>
    )
  return (
    <table className="h-values h-runs" aria-label={t`How each process runs`}>
      <thead>
        <tr>
          <th scope="col">
            <Trans>Process or step</Trans>
          </th>
          <th scope="col">
            <Trans>How it runs</Trans>
          </th>
        </tr>
      </thead>
      {shown.map(({ element, process, runs, steps }) => (
        <tbody key={element}>
          <tr>
            <th scope="rowgroup">{link(element, process || titleOf(element, ''))}</th>
            <td>{words(runs)}</td>
          </tr>
          {steps.map(({ element: id, step, why }) => (
            <tr key={id} className="h-runs-step">
              <td>{link(id, titleOf(id, step))}</td>
              <td>{words(why)}</td>
            </tr>
          ))}
        </tbody>
      ))}
    </table>
  )
}
