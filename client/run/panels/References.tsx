// Where a variable, process, population or anything else with a name is used.
import { Trans, useLingui } from '@lingui/react/macro'
import { useDeferredValue, useMemo } from 'react'
import { useStore } from 'zustand'
import { fieldOf, kindOf } from '../../../model-schema/kinds.ts'
import type { Id } from '../../../model-schema/model.ts'
import { useWords } from '../../i18n/locale.ts'
import { textField } from '../fields.ts'
import { referencesTo, type Reference } from '../references.ts'
import { useRun } from '../RunProvider.tsx'
import './panels.css'

export function References({ element, onShow }: { element: Id | null; onShow?(element: Id, field?: string): void }) {
  const { t } = useLingui()
  const words = useWords()
  const run = useRun()
  const model = useStore(run.model, state => state.model)
  // The whole model is read for it: what a person does comes first.
  const settled = useDeferredValue(model)
  const found = useMemo(() => (element === null ? [] : referencesTo(settled, element)), [settled, element])
  const target = element === null ? undefined : model.elements.get(element)
  if (!target) {
    return (
      <p className="h-panel-hint">
        <Trans>Select a variable, a process or a population to see where it is used.</Trans>
      </p>
    )
  }
  const nameOf = (id: Id): string => {
    const one = model.elements.get(id)
    const kind = kindOf(one?.kind ?? '')
    const own = one ? textField(one, 'name') || (kind ? words(kind.label) : one.kind) : id
    const outer = one?.parent ? model.elements.get(one.parent) : undefined
    return outer && outer.kind !== 'scenario' ? `${textField(outer, 'name')} › ${own}` : own
  }
  const fieldName = ({ element: id, field }: Reference): string => {
    const kind = kindOf(model.elements.get(id)?.kind ?? '')
    const known = kind && fieldOf(kind, field.split('/')[0] ?? '')
    return known ? words(known.label) : ''
  }
  const how: Record<Reference['how'], string> = { reads: t`reads`, writes: t`writes`, refers: t`refers to it` }
  const name = nameOf(target.id)
  return (
    <div className="h-panel">
      <div className="h-panel-bar">
        <span>{found.length === 0 ? <Trans>Nothing refers to “{name}”.</Trans> : <Trans>Where {name} is used</Trans>}</span>
      </div>
      <div className="h-panel-scroll" role="region" aria-label={t`References`} tabIndex={0}>
        <table className="h-values h-references">
          <tbody>
            {found.map((one, k) => (
              <tr key={k}>
                <td>
                  <button
                    type="button"
                    className="h-link"
                    disabled={!onShow}
                    onClick={() => onShow?.(one.element, one.field.split('/')[0])}
                  >
                    {nameOf(one.element)}
                  </button>
                </td>
                <td>{fieldName(one)}</td>
                <td>{how[one.how]}</td>
                <td>
                  {one.line > 0 && <small>{one.line + 1}</small>} <code>{one.text}</code>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  )
}
