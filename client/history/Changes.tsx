// The list of differences: each element with what changed about it, values before and after, texts word by word. Ticked ones
// can be brought back by themselves.
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { Checkbox } from 'antd'
import { useMemo, useState } from 'react'
import type { Id, Model } from '../../model-schema/model.ts'
import { iconOf } from '../canvas/icons.ts'
import { pathTo, titleOf, wireTitleOf } from '../editor/grammar.ts'
import { useWords } from '../i18n/locale.ts'
import { KindIcon } from '../panels/KindIcon.tsx'
import type { Change, FieldChange } from '../../model-schema/changes.ts'
import { textDiff } from './textdiff.ts'
import { valueText } from './values.ts'

/** More are shown when asked for: a rewritten model has thousands. */
const page = 200

type Props = {
  changes: readonly Change[]
  before: Model
  after: Model
  /** Chosen to be brought back; null where that can't be. */
  chosen: ReadonlySet<Id> | null
  choose: (ids: ReadonlySet<Id>) => void
  show: (id: Id) => void
}

export function Changes({ changes, before, after, chosen, choose, show }: Props) {
  const { t } = useLingui()
  const [most, setMost] = useState(page)
  const counts = useMemo(() => Object.groupBy(changes, change => change.sort), [changes])
  if (changes.length === 0)
    return (
      <p className="h-history-none">
        <Trans>Nothing differs.</Trans>
      </p>
    )
  const left = changes.length - most
  const all = chosen !== null && chosen.size === changes.length
  return (
    <>
      <div className="h-history-counts">
        {chosen && (
          <Checkbox
            checked={all}
            indeterminate={chosen.size > 0 && !all}
            onChange={() => choose(new Set(all ? [] : changes.map(change => change.id)))}
            aria-label={t`Choose all`}
          />
        )}
        <span data-sort="added">
          <Plural value={counts.added?.length ?? 0} one="# added" other="# added" />
        </span>
        <span data-sort="removed">
          <Plural value={counts.removed?.length ?? 0} one="# removed" other="# removed" />
        </span>
        <span data-sort="changed">
          <Plural value={counts.changed?.length ?? 0} one="# changed" other="# changed" />
        </span>
      </div>
      <ul className="h-changes" data-choosing={chosen !== null || undefined} aria-label={t`What differs`}>
        {changes.slice(0, most).map(change => (
          <li key={change.id} data-sort={change.sort}>
            <One
              change={change}
              before={before}
              after={after}
              chosen={chosen?.has(change.id) ?? null}
              choose={on => {
                const next = new Set(chosen)
                if (on) next.add(change.id)
                else next.delete(change.id)
                choose(next)
              }}
              show={() => show(change.id)}
            />
          </li>
        ))}
      </ul>
      {left > 0 && (
        <button type="button" className="h-history-more" onClick={() => setMost(most + page)}>
          <Plural value={left} one="# more" other="# more" />
        </button>
      )}
    </>
  )
}

type OneProps = {
  change: Change
  before: Model
  after: Model
  chosen: boolean | null
  choose: (on: boolean) => void
  show: () => void
}

function One({ change, before, after, chosen, choose, show }: OneProps) {
  const { t } = useLingui()
  const words = useWords()
  const element = change.after ?? change.before
  if (!element) return null
  const model = change.after ? after : before
  const title = wireTitleOf(model, element, words)
  const place = pathTo(model, element.id)
    .slice(0, -1)
    .map(outer => titleOf(outer, words))
    .join(' › ')
  const sort = { added: t`Added`, removed: t`Removed`, changed: t`Changed` }[change.sort]
  return (
    <>
      <div className="h-change-head">
        {chosen !== null && (
          <Checkbox checked={chosen} onChange={event => choose(event.target.checked)} aria-label={t`Bring back ${title}`} />
        )}
        <button type="button" onClick={show}>
          <KindIcon name={element.parent === null ? 'scenario' : iconOf(element.kind, element.fields)} size={15} />
          <b>{title}</b>
          <span className="h-change-sort">{sort}</span>
          {place !== '' && <small>{place}</small>}
        </button>
      </div>
      {change.reparented && (
        <p className="h-change-note">
          <Trans>Went to another canvas</Trans>
        </p>
      )}
      {change.reconnected && (
        <p className="h-change-note">
          <del>{change.before && wireTitleOf(before, change.before, words)}</del>{' '}
          <ins>{change.after && wireTitleOf(after, change.after, words)}</ins>
        </p>
      )}
      {change.moved && !change.reparented && (
        <p className="h-change-note">
          <Trans>Moved or resized</Trans>
        </p>
      )}
      {change.fields.map(field => (
        <FieldLine key={field.id} change={field} before={before} after={after} />
      ))}
    </>
  )
}

function FieldLine({ change, before, after }: { change: FieldChange; before: Model; after: Model }) {
  const { t } = useLingui()
  const words = useWords()
  const speech = { words, yes: t`on`, no: t`off`, picture: t`a picture`, gone: t`something that is gone` }
  const was = valueText(change.field, change.before, before, speech)
  const is = valueText(change.field, change.after, after, speech)
  const type = change.field?.type.as
  const code = type === 'formula' || type === 'rows'
  const label = change.field ? words(change.field.label) : change.id
  const alike = code || type === 'rich' || type === 'text' || type === 'name' || type === 'refs'
  const parts = alike ? textDiff(was, is) : textDiff('', '')
  return (
    <div className="h-change-field">
      <small>{label}</small>
      <div className={code ? 'h-change-code' : 'h-change-value'}>
        {alike ? (
          parts.map((part, i) => {
            // A part has no identity but its place.
            const key = `${i} ${part.as}`
            if (part.as === 'removed') return <del key={key}>{part.text}</del>
            if (part.as === 'added') return <ins key={key}>{part.text}</ins>
            return <span key={key}>{part.text}</span>
          })
        ) : (
          <>
            {was !== '' && <del>{was}</del>} {is !== '' && <ins>{is}</ins>}
          </>
        )}
        {was === is && <span className="h-muted">{t`changed`}</span>}
      </div>
    </div>
  )
}
