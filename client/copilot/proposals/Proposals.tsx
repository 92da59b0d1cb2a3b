// The proposals in the document: each element is accepted or rejected; every user of the document sees the same.
import { CheckOutlined, CloseOutlined, EditOutlined, ExperimentOutlined } from '@ant-design/icons'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { Button } from 'antd'
import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import { useStore } from 'zustand'
import { isRefusal } from '../../../model-schema/edit.ts'
import type { Id, Model } from '../../../model-schema/model.ts'
import {
  accept,
  isOutdated,
  PROPOSAL,
  reject,
  renew,
  titleOf,
  withdraw,
  type Delta,
  type Proposal,
  type Standing,
} from '../../../model-schema/proposals.ts'
import { useEditor, useModelLater } from '../../editor/useEditor.ts'
import { keepAccepted } from '../../history/accepted.ts'
import { useWords } from '../../i18n/locale.ts'
import { endWords } from '../../run/endWords.ts'
import type { Session } from '../../session.ts'
import { differencesIn, titleIn } from './deltas.ts'
import { DraftedFiles, openFilesOf } from './DraftedFiles.tsx'
import { Chip } from '../Chip.tsx'
import { reviewOf, showChange, useProposals, useStandings } from './review.ts'
import { takeFile } from './related.ts'
import { complain } from '../../ui/toast.ts'
import { subjectOf } from '../files/subject.ts'
import { talkOf } from '../talk.ts'
import { isBusy } from '../turns.ts'
import { english, say, verbatim, type Words } from '../../../model-schema/words.ts'

/** `amend`: begins a question that asks for another version of a proposal; null while no assistant can answer it. */
type Props = { session: Session; amend: ((proposal: Proposal) => void) | null }

export function Proposals({ session, amend }: Props) {
  const { proposals, verdicts } = useProposals(session)
  // Its fork still exists: amendments are made on it.
  const own = talkOf(session).toolbox.offered?.id
  return proposals.map(proposal => (
    <One key={proposal.id} session={session} proposal={proposal} verdicts={verdicts} amend={own === proposal.id ? amend : null} />
  ))
}

/** Rows of the list. */
const SHOWN = 200

/** Removed elements come first. */
const order = ['removed', 'changed', 'added'] as const
const inOrder = (deltas: readonly Delta[]): Delta[] => [...deltas].sort((a, b) => order.indexOf(a.sort) - order.indexOf(b.sort))

function One({ session, proposal, verdicts, amend }: Props & { proposal: Proposal; verdicts: number }) {
  const { t } = useLingui()
  const words = useWords()
  const editor = useEditor()
  const model = useModelLater()
  const access = useStore(session.access)
  const [now] = useState(() => Date.now())
  const outdated = isOutdated(proposal, now)
  const writable = access.writable && !outdated
  const [said, setSaid] = useState<Words | null>(null)
  const list = useRef<HTMLUListElement>(null)
  const standings = useStandings(session, proposal, model, verdicts)
  const looked = useStore(reviewOf(session), ({ proposal: of, at }) => (of === proposal.id ? at : null))
  const shown = inOrder(proposal.deltas).slice(0, SHOWN)
  const open = proposal.deltas.filter(({ id }) => standings.get(id)?.is === 'open').map(({ id }) => id)
  const take = (ids: readonly Id[]): void => {
    const result = editor.gesture(() => accept(session.doc, proposal, ids))
    if (isRefusal(result)) return void editor.tell(result)
    if (result.taken.length > 0) void keepAccepted(session, proposal)
    const [first] = result.kept
    setSaid(
      first
        ? first.why
        : result.along.length > 0
          ? say('Taken along because it is needed: {count}.', { count: result.along.length })
          : null,
    )
  }
  const files = openFilesOf(session, proposal)
  const takeAll = async (): Promise<void> => {
    if (open.length > 0) take(open)
    for (const file of files) {
      const why = await takeFile(session, proposal, file)
      if (why !== null) setSaid(verbatim(why))
      else if (file.content.is === 'change') setSaid(say('The changes of {file} wait where it is edited.', { file: file.name }))
    }
  }
  const turnDown = (id: Id): void => reject(session.doc, proposal, [id], standings.get(id)?.is === 'rejected' ? null : 'rejected')
  const go = (index: number): void => {
    const next = shown[Math.max(0, Math.min(shown.length - 1, index))]
    if (!next) return
    showChange(editor, session, proposal, next.id)
    list.current?.querySelector<HTMLElement>(`[data-delta="${next.id}"]`)?.focus()
  }
  const press = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const at = shown.findIndex(({ id }) => id === looked)
    const on = shown[at]
    const key = event.key.toLowerCase()
    if (key === 'j') go(at + 1)
    else if (key === 'k') go(at - 1)
    else if (key === 'a' && on && writable && standings.get(on.id)?.is === 'open') take([on.id])
    else if (key === 'r' && on && writable && standings.get(on.id)?.is !== 'taken') turnDown(on.id)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    // Keys work on the changes while one of them, or what belongs to it, has the focus.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <article className="h-proposal" aria-label={t`Proposal: ${words(titleOf(proposal))}`} onKeyDown={press}>
      <Head proposal={proposal} />
      {proposal.deltas.length > 0 && (
        <ul ref={list} aria-label={t`Changes: J next, K previous, A accept, R reject`}>
          {shown.map((delta, index) => (
            <Row
              key={delta.id}
              delta={delta}
              model={model}
              proposal={proposal}
              standing={standings.get(delta.id) ?? { is: 'open' }}
              writable={writable}
              isLooked={delta.id === looked}
              isFirst={looked === null && index === 0}
              look={() => go(index)}
              take={() => take([delta.id])}
              turnDown={() => turnDown(delta.id)}
            />
          ))}
        </ul>
      )}
      {outdated && (
        <p role="status">
          <Trans>
            This is older than {PROPOSAL.days} days: it was checked with a model that was another then. Let it stand again to decide on it.
          </Trans>
        </p>
      )}
      <Touched session={session} proposal={proposal} model={model} />
      {proposal.deltas.length > SHOWN && (
        <p>
          <Trans>And {proposal.deltas.length - SHOWN} more, taken in with “Accept all”.</Trans>
        </p>
      )}
      <DraftedFiles session={session} proposal={proposal} writable={writable} />
      {said && <p role="status">{words(said)}</p>}
      <div className="h-proposal-verdict">
        {open.length > 0 && subjectOf(session) === null && <Try session={session} proposal={proposal} />}
        {amend && (
          <Button size="small" icon={<EditOutlined aria-hidden />} onClick={() => amend(proposal)}>
            <Trans>Amend</Trans>
          </Button>
        )}
        {outdated && access.writable && (
          <>
            <Button size="small" onClick={() => withdraw(session.doc, proposal.id)}>
              <Trans>Remove</Trans>
            </Button>
            <Button size="small" onClick={() => renew(session.doc, proposal, Date.now())}>
              <Trans>Let it stand again</Trans>
            </Button>
          </>
        )}
        {writable && (
          <>
            <Button size="small" onClick={() => withdraw(session.doc, proposal.id)}>
              {open.length === 0 && files.length === 0 ? <Trans>Done</Trans> : <Trans>Reject all</Trans>}
            </Button>
            {(open.length > 0 || files.length > 0) && (
              <Button size="small" type="primary" onClick={() => void takeAll().catch(complain)}>
                <Trans>Accept all</Trans>
              </Button>
            )}
          </>
        )}
      </div>
    </article>
  )
}

/** Elements that are named as touched. */
const NAMED = 8

/** Elements that the proposal does not change, but that depend on what it changes. */
function Touched({ session, proposal, model }: { session: Session; proposal: Proposal; model: Model }) {
  const [touched, setTouched] = useState<readonly Id[]>([])
  useEffect(() => {
    if (proposal.deltas.length === 0 || subjectOf(session) !== null) return
    let isCurrent = true
    void import('./touches.ts').then(({ touchedBy }) => isCurrent && setTouched(touchedBy(proposal.deltas, model))).catch(complain)
    return () => void (isCurrent = false)
  }, [session, proposal, model])
  if (touched.length === 0) return null
  return (
    <p className="h-proposal-touched">
      <Trans>Also touches</Trans>{' '}
      {touched.slice(0, NAMED).map(id => (
        <Chip key={id} id={id} session={session} />
      ))}
      {touched.length > NAMED && <Trans>and {touched.length - NAMED} more</Trans>}
    </p>
  )
}

/** Runs the model without and with the proposal before it is accepted; the guide describes the differences. */
function Try({ session, proposal }: { session: Session; proposal: Proposal }) {
  const talk = talkOf(session)
  const busy = useStore(talk.store, ({ turns }) => isBusy(turns))
  const asked = say('Try “{proposal}”', { proposal: titleOf(proposal) })
  return (
    <Button
      size="small"
      icon={<ExperimentOutlined aria-hidden />}
      disabled={busy}
      onClick={() => talk.ask(asked, { about: 'try', proposal: proposal.id })}
    >
      <Trans>Try</Trans>
    </Button>
  )
}

function Head({ proposal }: { proposal: Proposal }) {
  const words = useWords()
  const { problems, run } = proposal.note
  const counted = (sort: Delta['sort']): number => proposal.deltas.filter(delta => delta.sort === sort).length
  return (
    <>
      <h2>
        {words(titleOf(proposal))}
        <small>
          {proposal.deltas.length > 0 && <Plural value={proposal.deltas.length} one="# change" other="# changes" />}
          {proposal.files && proposal.deltas.length > 0 && ', '}
          {proposal.files && <Plural value={proposal.files.length} one="# file" other="# files" />}
        </small>
      </h2>
      <p className="h-proposal-by">
        {proposal.by.kind === 'guide' ? <Trans>by the guide</Trans> : <Trans>by {proposal.by.name}</Trans>}
        {proposal.why !== '' && proposal.by.kind !== 'guide' && <>: {proposal.why}</>}
      </p>
      <p className="h-proposal-sums">
        {counted('removed') > 0 && (
          <span>
            <Trans>{counted('removed')} removed</Trans>
          </span>
        )}
        {counted('changed') > 0 && (
          <span>
            <Trans>{counted('changed')} changed</Trans>
          </span>
        )}
        {counted('added') > 0 && (
          <span>
            <Trans>{counted('added')} new</Trans>
          </span>
        )}
        {proposal.deltas.length > 0 && (
          <span>
            <Trans>
              problems {problems.before} → {problems.after}
            </Trans>
          </span>
        )}
        {run && (
          <span>
            <Trans>
              trial run of {run.ticks} ticks, seed {run.seed}: {words(endWords(run.end))}
            </Trans>
          </span>
        )}
      </p>
    </>
  )
}

type RowProps = {
  delta: Delta
  model: Model
  proposal: Proposal
  standing: Standing
  writable: boolean
  /** Whether this is the change looked at; whether Tab comes to it when none is. */
  isLooked: boolean
  isFirst: boolean
  look: () => void
  take: () => void
  turnDown: () => void
}

function Row({ delta, model, proposal, standing, writable, isLooked, isFirst, look, take, turnDown }: RowProps) {
  const { t } = useLingui()
  const words = useWords()
  const title = words(titleIn(delta, model, proposal))
  return (
    <li data-sort={delta.sort} data-standing={standing.is} aria-current={isLooked ? 'true' : undefined}>
      <span
        className="h-proposal-sign"
        role="img"
        aria-label={delta.sort === 'added' ? t`New` : delta.sort === 'removed' ? t`Removed` : t`Changed`}
      >
        {delta.sort === 'added' ? '+' : delta.sort === 'removed' ? '−' : '~'}
      </span>
      <span className="h-proposal-what">
        <button type="button" data-delta={delta.id} tabIndex={isLooked || isFirst ? 0 : -1} onClick={look}>
          {title}
        </button>
        {standing.is === 'blocked' ? <small>{words(standing.why)}</small> : <Differences delta={delta} model={model} />}
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
              icon={<CheckOutlined aria-hidden />}
              disabled={standing.is === 'blocked'}
              aria-label={t`Accept ${title}`}
              onClick={take}
            />
            <Button
              size="small"
              type="text"
              icon={<CloseOutlined aria-hidden />}
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

function Differences({ delta, model }: { delta: Delta; model: Model }) {
  const words = useWords()
  const { kind, rows } = differencesIn(delta, model)
  if (rows.length === 0) return <small>{words(kind)}</small>
  return rows.map(({ label, before, after }) => (
    <small key={english(label)}>
      {words(label)}
      {before !== null && after !== null && (
        <>
          {': '}
          <del>{before}</del> <ins>{after}</ins>
        </>
      )}
    </small>
  ))
}
