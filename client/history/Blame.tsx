// The author of the last change of each part of an element, shown with its properties: each line leads to the first version with the
// change.
import { Trans, useLingui } from '@lingui/react/macro'
import { Spin } from 'antd'
import { useEffect, useState } from 'react'
import { modelOfFile } from '../../model-schema/file.ts'
import { kindOf } from '../../model-schema/kinds.ts'
import type { Element } from '../../model-schema/model.ts'
import { useScope } from '../editor/useEditor.ts'
import { useWords } from '../i18n/locale.ts'
import { besideOf } from '../panels/beside.ts'
import { calledWith } from '../panels/visible.ts'
import type { Session } from '../session.ts'
import { When } from '../ui/When.tsx'
import { complain } from '../ui/toast.ts'
import { blameOf, type Blamed } from './blame.ts'
import { ByWhom } from './ByWhom.tsx'
import { useKnown } from './useKnown.ts'
import { Versions, type Version } from './versions.ts'
import './history.css'

export function Blame({ session, element }: { session: Session; element: Element }) {
  const { t } = useLingui()
  const { model: store } = useScope()
  const [versions] = useState(() => new Versions(session))
  const { known } = useKnown(session, versions)
  const [told, setTold] = useState<readonly Blamed[] | null>(null)
  useEffect(() => {
    if (!known) return undefined
    let current = true
    const contentOf = async (one: Version) => modelOfFile(await versions.content(one))
    blameOf(element.id, store.getState().model, known.versions, contentOf).then(lines => current && setTold(lines), complain)
    return () => {
      current = false
    }
    // `element` changes with its content, and with it the answer.
  }, [known, versions, element, store])
  return (
    <section className="h-blame" aria-label={t`Who changed this last`} aria-busy={told === null}>
      {told === null ? (
        <Spin size="small" />
      ) : (
        <ol>
          {told.map(line => (
            <Line
              key={line.what}
              session={session}
              element={element}
              line={line}
              latest={known?.versions[0] ?? null}
              oldest={known?.versions.at(-1) ?? null}
            />
          ))}
        </ol>
      )}
    </section>
  )
}

type LineProps = { session: Session; element: Element; line: Blamed; latest: Version | null; oldest: Version | null }

function Line({ session, element, line: { what, since }, latest, oldest }: LineProps) {
  const label = useLabel(element)(what)
  const known = since === 'before' || since === 'now' ? null : since
  const leads = since === 'before' ? oldest : known
  if (leads === null)
    return (
      <li>
        <b>{label}</b>
        <span>
          {latest === null ? (
            <Trans>no version has been kept yet</Trans>
          ) : (
            <Trans>
              since the last version, <When at={latest.at} />
            </Trans>
          )}
        </span>
      </li>
    )
  return (
    <li>
      <button type="button" onClick={() => besideOf(session).setState({ history: true, version: leads.id })}>
        <b>{label}</b>
        <span>
          {known === null ? (
            <Trans>
              before the oldest version, <When at={leads.at} />
            </Trans>
          ) : (
            <>
              {known.people.length > 0 && `${known.people.join(', ')} · `}
              <When at={known.at} />
            </>
          )}
        </span>
        {known?.origin && <Suggested origin={known.origin} />}
      </button>
    </li>
  )
}

function Suggested({ origin: { by, title } }: { origin: NonNullable<Version['origin']> }) {
  const words = useWords()
  return (
    <span>
      <ByWhom by={by} />: <em>{words(title)}</em>
    </span>
  )
}

/** The label of a changed field, as in the properties. */
function useLabel({ kind, fields }: Element): (what: string) => string {
  const { t } = useLingui()
  const words = useWords()
  return what => {
    const field = kindOf(kind)?.fields.find(one => one.id === what)
    if (field) return words(calledWith(field, fields))
    const wholes: Readonly<Record<string, string>> = { made: t`Made`, canvas: t`Canvas`, ends: t`Ends`, place: t`Place` }
    return wholes[what] ?? what
  }
}
