// The panel of the guide and the language model: the conversation, and the proposals in the document. The questions for models and for
// other files are passed in.
import { ArrowUpOutlined, StopOutlined } from '@ant-design/icons'
import { Trans, useLingui } from '@lingui/react/macro'
import { useQueryClient } from '@tanstack/react-query'
import { Button, Input, Segmented } from 'antd'
import type { TextAreaRef } from 'antd/es/input/TextArea'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { useStore } from 'zustand'
import { verbatim } from '../../model-schema/words.ts'
import type { Mode } from '../../sim-engine/copilot/doors/dialogue.ts'
import type { Question } from '../../sim-engine/copilot/doors/questions.ts'
import { useEditor, useView } from '../editor/useEditor.ts'
import { besideOf } from '../panels/beside.ts'
import type { Proposal } from '../../model-schema/proposals.ts'
import type { Session } from '../session.ts'
import { complain } from '../ui/toast.ts'
import { choice, choose, trust, useModels, type ModelInfo } from './models.ts'
import { Others } from './Others.tsx'
import { Proposals } from './proposals/Proposals.tsx'
import { Budget, Whom } from './Whom.tsx'
import { Said } from './Said.tsx'
import { talkOf, type Chosen } from './talk.ts'
import { KeptWithFile, Talks } from './talks/Talks.tsx'
import { isBusy } from './turns.ts'
import './copilot.css'

type Props = {
  session: Session
  /** The question for the guide in a user's text. */
  understood: (text: string) => Question
  /** Shown before the first question, with suggested questions. */
  opening: ReactNode
  toAsk: ReactNode
  /** Questions to begin with, to a language model. */
  toBegin: (mode: Mode) => readonly string[]
}

export function Panel({ session, understood, opening, toAsk, toBegin }: Props) {
  const { t } = useLingui()
  const editor = useEditor()
  const queries = useQueryClient()
  const talk = talkOf(session)
  const { turns } = useStore(talk.store)
  const models = useModels(session)
  const chosen = useStore(choice)
  const { writable } = useStore(session.access)
  const to = models.data?.providers.find(({ id }) => id === chosen.model)
  // The text of a published model may instruct a language model (prompt injection): it proposes changes only where the user allows that for the file.
  const isForeign = models.data?.isFromMarket === true && !chosen.trusted.has(session.docId)
  const mode = !writable || isForeign ? 'ask' : chosen.mode
  const busy = isBusy(turns)
  const { log, end } = useFollowed(turns)
  const [draft, setDraft] = useState({ count: 0, text: '' })
  const amend = ({ title }: Proposal): void => setDraft(({ count }) => ({ count: count + 1, text: t`Change your proposal “${title}”: ` }))
  const ask = (put: (chosen: Chosen, at: { canvas: string; selection: readonly string[] }) => Promise<void>): void => {
    if (!to) return
    const file = models.data?.file
    void put({ id: to.id, label: to.label, mode, ...(file === undefined ? {} : { file }) }, editor.view.getState())
      .catch(complain)
      .finally(() => void queries.invalidateQueries({ queryKey: ['copilot-models'] }))
  }
  const goOn = to ? (): void => ask((chosen, at) => talk.goOn(chosen, at)) : null
  const say = (text: string): void => {
    if (busy || text.trim() === '') return
    if (to) ask((chosen, at) => talk.say(text.trim(), chosen, at))
    else talk.ask(verbatim(text.trim()), understood(text))
  }
  return (
    <section className="h-guide" aria-label={t`Copilot`}>
      <div className="h-guide-head">
        <Whom models={models.data} chosen={to?.id ?? null} disabled={busy} />
        <Talks session={session} disabled={busy} />
      </div>
      {to && <Budget model={to} />}
      <KeptWithFile session={session} disabled={busy} />
      <div className="h-guide-talk" ref={log} role="log" aria-live="polite" aria-busy={busy}>
        {turns.length === 0 && (to ? <OfModel model={to} /> : opening)}
        {turns.map((turn, index) => (
          <Said key={turn.id} turn={turn} session={session} isLast={index === turns.length - 1 && !busy} again={say} goOn={goOn} />
        ))}
        <span ref={end} />
        {!busy && (to ? turns.length === 0 && <ToBegin say={say} offered={toBegin(mode)} /> : toAsk)}
        <Proposals session={session} amend={to && !busy && mode === 'propose' ? amend : null} />
      </div>
      <Others session={session} />
      <AskForm
        key={draft.count}
        begin={draft.text}
        session={session}
        to={to}
        mode={mode}
        writable={writable}
        isForeign={isForeign}
        busy={busy}
        say={say}
        stop={() => talk.stop()}
        ready={() => to && !busy && void talk.toolbox.prepare(to.label)}
      />
    </section>
  )
}

/** Keeps the latest turn in view, its question above it as long as both fit, unless the user has scrolled up to read. */
function useFollowed(turns: unknown) {
  const log = useRef<HTMLDivElement>(null)
  const end = useRef<HTMLSpanElement>(null)
  const placed = useRef(0)
  const follows = useRef(true)
  useEffect(() => {
    const node = log.current
    if (!node) return
    const note = (): void => void (follows.current = node.scrollTop > placed.current - 60)
    node.addEventListener('scroll', note, { passive: true })
    return () => node.removeEventListener('scroll', note)
  }, [])
  useEffect(() => {
    const node = log.current
    const asked = node?.querySelectorAll('.h-guide-asked')
    const last = asked?.item(asked.length - 1)
    if (!node || !end.current || !last || !turns || !follows.current) return
    const { top, bottom } = node.getBoundingClientRect()
    const question = last.getBoundingClientRect().top - top - 8
    const said = end.current.getBoundingClientRect().bottom - bottom
    placed.current = Math.min(node.scrollTop + Math.max(question, said), node.scrollHeight - node.clientHeight)
    node.scrollTo({ top: placed.current })
  }, [turns])
  return { log, end }
}

function OfModel({ model }: { model: ModelInfo }) {
  return (
    <p className="h-guide-hint">
      <Trans>
        {model.label} reads the model with tools, tries changes on a copy, checks and runs them, and suggests them to you. It is sent your
        words and the parts of the model that it reads.
      </Trans>
    </p>
  )
}

function ToBegin({ say, offered }: { say: (text: string) => void; offered: readonly string[] }) {
  return (
    <div className="h-guide-next">
      {offered.map(one => (
        <Button key={one} size="small" onClick={() => say(one)}>
          {one}
        </Button>
      ))}
    </div>
  )
}

type AskProps = {
  /** The initial text of the field. */
  begin: string
  session: Session
  to: ModelInfo | undefined
  mode: Mode
  writable: boolean
  /** Whether the model is from the market, and may only be asked about as long as nothing else is chosen. */
  isForeign: boolean
  busy: boolean
  say: (text: string) => void
  stop: () => void
  /** Called when the user starts to type. */
  ready: () => void
}

function AskForm({ begin, session, to, mode, writable, isForeign, busy, say, stop, ready }: AskProps) {
  const { t } = useLingui()
  const [text, setText] = useState(begin)
  const hasSelection = useView(view => view.selection.length > 0)
  const field = useRef<TextAreaRef>(null)
  // Opening the copilot focuses its field, except on a touch screen, where that would bring up the keyboard.
  useEffect(() => {
    const focus = (): void => void (matchMedia('(pointer: fine)').matches && field.current?.focus())
    focus()
    return besideOf(session).subscribe(({ side }) => side === 'copilot' && focus())
  }, [session])
  const send = (): void => {
    if (busy) return
    say(text)
    setText('')
  }
  return (
    <form
      className="h-guide-ask"
      onSubmit={event => {
        event.preventDefault()
        send()
      }}
    >
      <Input.TextArea
        ref={field}
        value={text}
        maxLength={4000}
        autoSize={{ minRows: 1, maxRows: 8 }}
        placeholder={hasSelection ? t`Ask about what is selected…` : t`Ask, or say what to make…`}
        aria-label={to ? t`Ask ${to.label}` : t`Ask the guide`}
        onChange={event => {
          if (text === '') ready()
          setText(event.target.value)
        }}
        onKeyDown={event => {
          if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
          event.preventDefault()
          send()
        }}
      />
      <div>
        {to && (
          <Segmented<Mode>
            size="small"
            value={mode}
            disabled={busy || !writable}
            onChange={next => (next === 'propose' ? trust(session.docId) : choose({ mode: next }))}
            aria-label={t`What it may do`}
            options={[
              { value: 'ask', label: t`Ask`, title: t`It reads and runs the model` },
              { value: 'propose', label: t`Propose`, title: t`It also suggests changes` },
            ]}
          />
        )}
        <small>
          {mode === 'ask' && to ? (
            isForeign ? (
              <Trans>from the market: reads only</Trans>
            ) : (
              <Trans>reads only</Trans>
            )
          ) : (
            <Trans>nothing changes until you accept</Trans>
          )}
        </small>
        {busy ? (
          <Button icon={<StopOutlined aria-hidden />} aria-label={t`Stop`} onClick={stop} />
        ) : (
          <Button
            type="primary"
            htmlType="submit"
            icon={<ArrowUpOutlined aria-hidden />}
            aria-label={t`Send`}
            disabled={text.trim() === ''}
          />
        )}
      </div>
    </form>
  )
}
