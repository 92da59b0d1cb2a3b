// Shown under a formula field if its text can be visualised or filled in: the density of a distribution with its parameters, the items of a
// list or dict as a table.
import { useLingui } from '@lingui/react/macro'
import { useMemo } from 'react'
import { formulaName } from '../../../model-schema/kinds.ts'
import type { Field, Json } from '../../../model-schema/kinds/kind.ts'
import type { Element, Id, Model } from '../../../model-schema/model.ts'
import { pathTo } from '../../editor/grammar.ts'
import { useModelLater } from '../../editor/useEditor.ts'
import { CollectionTable } from './CollectionTable.tsx'
import { DrawCard, DrawOffer } from './DrawCard.tsx'
import { collectionIn, drawIn, plainNumber, type Collection } from './reading.ts'

type Props = { field: Field; element: Element; text: string; disabled: boolean; write: (text: string) => void }

export function Assist({ field, element, text, disabled, write }: Props) {
  const { t } = useLingui()
  const model = useModelLater()
  const draw = useMemo(() => drawIn(text, name => knownNumber(model, element.id, name)), [text, model, element.id])
  const collection = useMemo(() => collectionIn(text), [text])
  const wants = wantedCollection(field, element.fields)
  if (draw) return <DrawCard draw={draw} disabled={disabled} write={write} />
  if (collection && (wants !== null || collection.items.length > 0))
    return (
      <CollectionTable
        key={element.id}
        collection={wants === 'set' && collection.is === 'dict' && collection.items.length === 0 ? { is: 'set', items: [] } : collection}
        disabled={disabled}
        write={write}
      />
    )
  if (disabled) return null
  const bare = text.trim() === '' || plainNumber(text) !== null
  if (wants !== null && bare)
    return (
      <button
        type="button"
        className="h-field-tool"
        aria-label={t`Fill in as a table`}
        title={t`Fill in as a table`}
        onClick={() => write(wants === 'dict' ? '{}' : wants === 'set' ? 'set()' : '[]')}
      >
        <svg width="13" height="11" viewBox="0 0 13 11" aria-hidden>
          <path d="M.7.700h11.600v9.600H.7ZM.7 4h11.600M.7 7.200h11.600M5 4v6" fill="none" stroke="currentColor" strokeWidth="1.2" />
        </svg>
      </button>
    )
  return bare && isNumeric(field, element.fields) ? <DrawOffer now={plainNumber(text)} write={write} /> : null
}

/** The sort of collection a field is to hold, as far as the element says so. */
function wantedCollection({ id }: Field, { type, contents }: Readonly<Record<string, Json>>): Collection['is'] | null {
  if (id !== 'initial') return null
  if (type === 'list' || type === 'dict' || type === 'set') return type
  return contents === 'keyed' ? 'dict' : contents === 'items' ? 'list' : null
}

const isNumeric = ({ id, type }: Field, fields: Readonly<Record<string, Json>>): boolean =>
  type.as === 'formula' &&
  (type.result === 'number' || (id === 'initial' && (fields['type'] === 'value' || fields['contents'] === 'amount')))

/** The initial value of a name in its scope: that of the nearest variable with this name, going outwards, if it is a plain number. */
function knownNumber(model: Model, from: Id, name: string): number | null {
  for (const canvas of pathTo(model, from).toReversed())
    for (const id of canvas.children) {
      const variable = model.elements.get(id)
      const called = variable?.fields['name']
      if (variable?.kind !== 'variable' || typeof called !== 'string' || formulaName(called) !== name) continue
      const { initial } = variable.fields
      return typeof initial === 'string' ? plainNumber(initial) : null
    }
  return null
}
