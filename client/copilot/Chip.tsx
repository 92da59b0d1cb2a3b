// An element that a text names by its id in double brackets.
import { Trans, useLingui } from '@lingui/react/macro'
import { useEffect } from 'react'
import type { Id } from '../../model-schema/model.ts'
import { proposalsOf } from '../../model-schema/proposals.ts'
import { iconOf } from '../canvas/icons.ts'
import { titleOf } from '../editor/grammar.ts'
import { useEditor, useElement } from '../editor/useEditor.ts'
import { useWords } from '../i18n/locale.ts'
import { KindIcon } from '../panels/KindIcon.tsx'
import type { Session } from '../session.ts'
import './chip.css'

/** Splits a text: every second piece is an id. */
export const cited = /\[\[([\w-]{1,64})\]\]/

/** An element that an answer rests on: goes there on the canvas. One that is only suggested yet has a name and no place. */
export function Chip({ id, session }: { id: Id; session: Session }) {
  const { t } = useLingui()
  const editor = useEditor()
  // A chip that goes away while it is pointed at gets no event any more.
  useEffect(() => () => editor.pointTo(null), [editor])
  const element = useElement(id)
  const words = useWords()
  if (!element) {
    const name = suggestedName(session, id)
    if (name !== null) return <span className="h-guide-chip">{name}</span>
    return (
      <del className="h-guide-chip">
        <Trans>Deleted element</Trans>
      </del>
    )
  }
  const title = titleOf(element, words)
  return (
    <button
      type="button"
      className="h-guide-chip"
      title={t`Show on the canvas`}
      onClick={() => editor.reveal(id)}
      onPointerEnter={() => editor.pointTo(id)}
      onPointerLeave={() => editor.pointTo(null)}
      onFocus={() => editor.pointTo(id)}
      onBlur={() => editor.pointTo(null)}
    >
      <KindIcon name={element.parent === null ? 'scenario' : iconOf(element.kind, element.fields)} size={12} />
      {title}
    </button>
  )
}

function suggestedName({ doc }: Session, id: Id): string | null {
  for (const { deltas } of proposalsOf(doc)) {
    const delta = deltas.find(one => one.id === id)
    if (!delta) continue
    const name = delta.entries.find(({ at }) => at === 'data/name')?.after ?? delta.entries.find(({ at }) => at === 'kind')?.after
    return typeof name === 'string' && name !== '' ? name : id
  }
  return null
}
