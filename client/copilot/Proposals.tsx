// The proposals that stand in the document: each element of one is taken in or turned down; whoever has the document open sees the same.
import { CheckOutlined, CloseOutlined } from '@ant-design/icons'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { Button } from 'antd'
import { useEffect, useMemo, useState } from 'react'
import { useStore } from 'zustand'
import { isRefusal } from '../../model-schema/edit.ts'
import { kindOf } from '../../model-schema/kinds.ts'
import { say, type Words } from '../../model-schema/kinds/kind.ts'
import type { Id, Model } from '../../model-schema/model.ts'
import {
  accept,
  proposalsOf,
  reject,
  standingsOf,
  watchProposals,
  withdraw,
  type Delta,
  type Proposal,
  type Standing,
} from '../../model-schema/proposals.ts'
import { useEditor, useModelLater } from '../editor/useEditor.ts'
import { useWords } from '../i18n/locale.ts'
import type { Session } from '../session.ts'

export function Proposals({ session }: { session: Session }) {
  const [proposals, setProposals] = useState(() => proposalsOf(session.doc))
  const [verdicts, setVerdicts] = useState(0)
  useEffect(
    () =>
      watchProposals(session.doc, () => {
        setProposals(proposalsOf(session.doc))
        setVerdicts(count => count + 1)
      }),
    [session],
  )
  return proposals.map(proposal => <One key={proposal.id} session={session} proposal={proposal} verdicts={verdicts} />)
}

function One({ session, proposal, verdicts }: { session: Session; proposal: Proposal; verdicts: number }) {
  const { t } = useLingui()
  const words = useWords()
  const editor = useEditor()
  const model = useModelLater()
  const { writable } = useStore(session.access)
  const [said, setSaid] = useState<Words | null>(null)
  const standings = useMemo(
    () => standingsOf(session.doc, proposal),
    // What stands follows from the model and the verdicts.
    // eslint-disable-next-line react-hooks/exhaustive-deps
    [session, proposal, model, verdicts],
  )
  const open = proposal.deltas.filter(({ id }) => standings.get(id)?.is === 'open').map(({ id }) => id)
  const counted = (sort: Delta['sort']): number => proposal.deltas.filter(delta => delta.sort === sort).length
  const take = (ids: readonly Id[]): void => {
    const result = editor.gesture(() => accept(session.doc, proposal, ids))
    if (isRefusal(result)) return void editor.tell(result)
    const [first] = result.kept
    setSaid(
      first
        ? first.why
        : result.along.length > 0
          ? say(`Taken along because it is needed: ${result.along.length}.`, `一并采纳所需的 ${result.along.length} 项。`)
          : null,
    )
  }
  const { problems, run } = proposal.note
  return (
    <article className="h-proposal" aria-label={t`Proposal: ${proposal.title}`}>
      <h3>
        {proposal.title}
        <small>
          <Plural value={proposal.deltas.length} one="# change" other="# changes" />
        </small>
      </h3>
      <p className="h-proposal-by">
        {proposal.by.kind === 'guide' ? <Trans>by the guide</Trans> : <Trans>by {proposal.by.name}</Trans>}
        {proposal.why !== '' && proposal.by.kind !== 'guide' && <>: {proposal.why}</>}
      </p>
      <p className="h-proposal-sums">
        {counted('added') > 0 && (
          <span>
            <Trans>{counted('added')} new</Trans>
          </span>
        )}
        {counted('changed') > 0 && (
          <span>
            <Trans>{counted('changed')} changed</Trans>
          </span>
        )}
        {counted('removed') > 0 && (
          <span>
            <Trans>{counted('removed')} removed</Trans>
          </span>
        )}
        <span>
          <Trans>
            problems {problems.before} → {problems.after}
          </Trans>
        </span>
        {run && (
          <span>
            <Trans>
              trial run of {run.ticks} ticks, seed {run.seed}: {run.end}
            </Trans>
          </span>
        )}
      </p>
      <ul>
        {proposal.deltas.slice(0, 200).map(delta => (
          <Row
            key={delta.id}
            delta={delta}
            model={model}
            proposal={proposal}
            standing={standings.get(delta.id) ?? { is: 'open' }}
            writable={writable}
            take={() => take([delta.id])}
            turnDown={() => reject(session.doc, proposal, [delta.id], standings.get(delta.id)?.is === 'rejected' ? null : 'rejected')}
          />
        ))}
      </ul>
      {proposal.deltas.length > 200 && (
        <p>
          <Trans>And {proposal.deltas.length - 200} more, taken in with “Accept all”.</Trans>
        </p>
      )}
      {said && <p role="status">{words(said)}</p>}
      {writable && (
        <div className="h-proposal-verdict">
          <Button size="small" onClick={() => withdraw(session.doc, proposal.id)}>
            {open.length === 0 ? <Trans>Done</Trans> : <Trans>Reject all</Trans>}
          </Button>
          {open.length > 0 && (
            <Button size="small" type="primary" onClick={() => take(open)}>
              <Trans>Accept all</Trans>
            </Button>
          )}
        </div>
      )}
    </article>
  )
}

type RowProps = {
  delta: Delta
  model: Model
  proposal: Proposal
  standing: Standing
  writable: boolean
  take: () => void
  turnDown: () => void
}

function Row({ delta, model, proposal, standing, writable, take, turnDown }: RowProps) {
  const { t } = useLingui()
  const words = useWords()
  const editor = useEditor()
  const title = words(titleIn(delta, model, proposal))
  const there = model.elements.has(delta.id)
  return (
    <li data-sort={delta.sort} data-standing={standing.is}>
      <span
        className="h-proposal-sign"
        role="img"
        aria-label={delta.sort === 'added' ? t`New` : delta.sort === 'removed' ? t`Removed` : t`Changed`}
      >
        {delta.sort === 'added' ? '+' : delta.sort === 'removed' ? '−' : '~'}
      </span>
      <span className="h-proposal-what">
        {there ? (
          <button type="button" onClick={() => editor.reveal(delta.id)}>
            {title}
          </button>
        ) : (
          title
        )}
        <small>{standing.is === 'blocked' ? words(standing.why) : words(detailOf(delta, model))}</small>
      </span>
      {standing.is === 'taken' ? (
        <small>
          <Trans>taken in</Trans>
        </small>
      ) : (
        writable && (
          <>
            <Button
              size="small"
              type="text"
              icon={<CheckOutlined />}
              disabled={standing.is === 'blocked'}
              aria-label={t`Accept ${title}`}
              onClick={take}
            />
            <Button
              size="small"
              type="text"
              icon={<CloseOutlined />}
              aria-label={standing.is === 'rejected' ? t`Reopen ${title}` : t`Reject ${title}`}
              aria-pressed={standing.is === 'rejected'}
              onClick={turnDown}
            />
          </>
        )
      )}
    </li>
  )
}

const valueOf = ({ entries }: Delta, at: string): unknown => {
  const entry = entries.find(one => one.at === at)
  return entry?.after ?? entry?.before
}

function titleIn(delta: Delta, model: Model, proposal: Proposal): Words {
  const kind = String(valueOf(delta, 'kind') ?? model.elements.get(delta.id)?.kind ?? '')
  const label = kindOf(kind)?.label ?? say(kind, kind)
  const name = valueOf(delta, 'data/name') ?? model.elements.get(delta.id)?.fields['name']
  if (typeof name === 'string' && name !== '') return say(name, name)
  const conn = valueOf(delta, 'conn')
  if (typeof conn !== 'object' || conn === null) return label
  const end = (side: 'from' | 'to'): string => {
    const held = (conn as { [key: string]: unknown })[side]
    const id = typeof held === 'object' && held !== null && 'id' in held ? String(held.id) : ''
    const other = proposal.deltas.find(one => one.id === id)
    return String((other && valueOf(other, 'data/name')) ?? model.elements.get(id)?.fields['name'] ?? '') || '·'
  }
  return say(`${end('from')} → ${end('to')}`, `${end('from')} → ${end('to')}`)
}

/** What becomes of it, in one line: the kind of a new one, the fields that differ and their new values. */
function detailOf(delta: Delta, model: Model): Words {
  const kind = kindOf(String(valueOf(delta, 'kind') ?? model.elements.get(delta.id)?.kind ?? ''))
  if (delta.sort !== 'changed') return kind?.label ?? say('', '')
  const parts = delta.entries.map(({ at, after }) => {
    const field = kind?.fields.find(one => one.id === at.slice(at.indexOf('/') + 1))
    const value = typeof after === 'string' ? after : after === undefined || after === null ? '–' : JSON.stringify(after)
    const label =
      field?.label ??
      (at === 'geo' ? say('Place', '位置') : at === 'conn' ? say('Ends', '端点') : at === 'tree' ? say('Canvas', '画布') : say(at, at))
    return { en: `${label.en}${field ? `: ${value.slice(0, 80)}` : ''}`, zh: `${label.zh}${field ? `：${value.slice(0, 80)}` : ''}` }
  })
  return say(parts.map(({ en }) => en).join('; '), parts.map(({ zh }) => zh).join('；'))
}
