// The panel beside the canvas in which the guide or a language model is asked: what was said, and the proposals that stand in the document.
import { ArrowUpOutlined, DownOutlined, StopOutlined } from '@ant-design/icons'
import { Trans, useLingui } from '@lingui/react/macro'
import { useQueryClient } from '@tanstack/react-query'
import { Button, Dropdown, Input, Segmented } from 'antd'
import type { TextAreaRef } from 'antd/es/input/TextArea'
import { useEffect, useRef, useState } from 'react'
import { useStore } from 'zustand'
import type { Mode } from '../../sim-engine/copilot/doors/dialogue.ts'
import { making, suggestions, understood, type Making, type Moment, type Question } from '../../sim-engine/copilot/doors/questions.ts'
import { useEditor, useModelLater, useView } from '../editor/useEditor.ts'
import { useWords } from '../i18n/locale.ts'
import { besideOf } from '../panels/beside.ts'
import type { Proposal } from '../../model-schema/proposals.ts'
import type { Session } from '../session.ts'
import { useRun } from '../run/RunProvider.tsx'
import { complain } from '../ui/toast.ts'
import { choice, choose, useModels, type ModelInfo } from './models.ts'
import { PatternForm } from './PatternForm.tsx'
import { Proposals } from './proposals/Proposals.tsx'
import { Budget, Whom } from './Whom.tsx'
import { Said } from './Said.tsx'
import { talkOf, type Chosen } from './talk.ts'
import { KeptWithFile, Talks } from './Talks.tsx'
import { isBusy } from './turns.ts'
import './copilot.css'
import { english, say as sayWords, verbatim, type Words } from '../../model-schema/words.ts'

export function CopilotPanel({ session }: { session: Session }) {
  const { t } = useLingui()
  const editor = useEditor()
  const queries = useQueryClient()
  const talk = talkOf(session)
  const { turns } = useStore(talk.store)
  const models = useModels(session)
  const chosen = useStore(choice)
  const { writable } = useStore(session.access)
  const to = models.data?.providers.find(({ id }) => id === chosen.model)
  const mode = writable ? chosen.mode : 'ask'
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
  const moment = useMoment()
  const say = (text: string): void => {
    if (busy || text.trim() === '') return
    if (to) ask((chosen, at) => talk.say(text.trim(), chosen, at))
    else talk.ask(verbatim(text.trim()), understood(text, editor.model, [...editor.view.getState().selection], moment()))
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
        {turns.length === 0 && <Opening model={to} />}
        {turns.map((turn, index) => (
          <Said key={turn.id} turn={turn} session={session} isLast={index === turns.length - 1 && !busy} again={say} goOn={goOn} />
        ))}
        <span ref={end} />
        {!busy && (to ? turns.length === 0 && <ToBegin say={say} mode={mode} /> : <ToAsk session={session} moment={moment} />)}
        <Proposals session={session} amend={to && !busy && mode === 'propose' ? amend : null} />
      </div>
      <AskForm
        key={draft.count}
        begin={draft.text}
        session={session}
        to={to}
        mode={mode}
        writable={writable}
        busy={busy}
        say={say}
        stop={() => talk.stop()}
        ready={() => to && !busy && void talk.toolbox.prepare(to.label)}
      />
    </section>
  )
}

/** What was said last stays in view, its question above it as long as both fit, unless somebody has scrolled up to read. */
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

function Opening({ model }: { model: ModelInfo | undefined }) {
  return (
    <p className="h-guide-hint">
      {model ? (
        <Trans>
          {model.label} reads the model with tools, tries changes on a copy, checks and runs them, and suggests them to you. It is sent your
          words and the parts of the model that it reads.
        </Trans>
      ) : (
        <Trans>
          The guide explains, mends, runs and builds from patterns, on this device and without a network. Ask in your own words, or:
        </Trans>
      )}
    </p>
  )
}

/** Questions to begin with, to a language model. */
function ToBegin({ say, mode }: { say: (text: string) => void; mode: Mode }) {
  const { t } = useLingui()
  const isEmpty = useModelLater().elements.size <= 3
  const offered =
    isEmpty && mode === 'propose'
      ? [t`Build an SIR model of an epidemic among 1,000 people`, t`Build a clinic with two nurses and measure the wait`]
      : [t`Explain this model`, t`What is wrong, and how is it repaired?`, t`Which input matters most for the results?`]
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

/** Gives where the run stands that the person looks at; the end of one that was not begun. */
function useMoment(): () => Moment {
  const run = useRun()
  return () => {
    const { frame, seedUsed, inputs, result } = run.getState()
    const failed = result?.end === 'failed' ? ({ failed: true } as const) : {}
    if (!frame || (frame.time <= 0 && result?.end !== 'failed')) return {}
    return { scenario: run.scenario, time: frame.time, inputs, ...(seedUsed === null ? {} : { seed: seedUsed }), ...failed }
  }
}

/** What may be asked of the guide, unless its last answer says what is next. */
function ToAsk({ session, moment }: { session: Session; moment: () => Moment }) {
  const words = useWords()
  const model = useModelLater()
  const talk = talkOf(session)
  const { turns } = useStore(talk.store)
  const [pattern, setPattern] = useState<Making | null>(null)
  const selected = useView(view => (view.selection.length === 1 ? view.selection[0] : undefined))
  const last = turns.at(-1)
  if (last?.is === 'guide' && (last.answer?.next.length ?? 0) > 0) return null
  const put = (said: Words, question: Question): void => {
    const asked = question.about === 'make' ? making.find(one => one.ask.pattern === question.pattern) : undefined
    const now = moment()
    if (asked && asked.numbers.length > 0) setPattern(asked)
    else talk.ask(said, question.about === 'fix' && now.failed ? { ...question, moment: now } : question)
  }
  if (pattern)
    return (
      <PatternForm
        key={pattern.ask.pattern}
        pattern={pattern}
        close={() => setPattern(null)}
        build={numbers => {
          setPattern(null)
          talk.ask(pattern.words, { ...pattern.ask, numbers })
        }}
      />
    )
  const name = selected === undefined ? '' : String(model.elements.get(selected)?.fields['name'] ?? '')
  const ofSelected: ReturnType<typeof suggestions> =
    selected === undefined || name === ''
      ? []
      : [
          { words: sayWords('Explain “{name}”', { name }), ask: { about: 'explain', id: selected } },
          { words: sayWords('Why is “{name}” as it is?', { name }), ask: { about: 'why', id: selected, moment: moment() } },
        ]
  return (
    <div className="h-guide-next">
      {[...ofSelected, ...suggestions(model)].map(({ words: said, ask: question }) => (
        <Button key={english(said)} size="small" onClick={() => put(said, question)}>
          {words(said)}
        </Button>
      ))}
      <Dropdown
        trigger={['click']}
        menu={{
          className: 'h-guide-patterns',
          items: making.map(({ ask, title }) => ({ key: ask.pattern, label: words(title) })),
          onClick: ({ key }) => {
            const chosen = making.find(({ ask }) => ask.pattern === key)
            if (chosen) put(chosen.words, chosen.ask)
          },
        }}
      >
        <Button size="small">
          <Trans>Build from a pattern</Trans> <DownOutlined aria-hidden />
        </Button>
      </Dropdown>
    </div>
  )
}

type AskProps = {
  /** What stands in the field at first. */
  begin: string
  session: Session
  to: ModelInfo | undefined
  mode: Mode
  writable: boolean
  busy: boolean
  say: (text: string) => void
  stop: () => void
  /** Somebody has begun to write. */
  ready: () => void
}

function AskForm({ begin, session, to, mode, writable, busy, say, stop, ready }: AskProps) {
  const { t } = useLingui()
  const [text, setText] = useState(begin)
  const hasSelection = useView(view => view.selection.length > 0)
  const field = useRef<TextAreaRef>(null)
  // Whoever asks for the copilot wants to write; on a touch screen that would bring up the keyboard.
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
            onChange={next => choose({ mode: next })}
            aria-label={t`What it may do`}
            options={[
              { value: 'ask', label: t`Ask`, title: t`It reads and runs the model` },
              { value: 'propose', label: t`Propose`, title: t`It also suggests changes` },
            ]}
          />
        )}
        <small>{mode === 'ask' && to ? <Trans>reads only</Trans> : <Trans>nothing changes until you accept</Trans>}</small>
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
