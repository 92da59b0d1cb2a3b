// The panel beside the canvas in which the guide is asked: what was said, and the proposals that stand in the document.
import { ArrowUpOutlined, LoadingOutlined, StopOutlined } from '@ant-design/icons'
import { Trans, useLingui } from '@lingui/react/macro'
import { Button, Input } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { useStore } from 'zustand'
import { suggestions, understood, type Answer, type Line } from '../../sim-engine/questions.ts'
import type { Id } from '../../model-schema/model.ts'
import { iconOf } from '../canvas/icons.ts'
import { titleOf } from '../editor/grammar.ts'
import { useEditor, useElement, useModelLater, useView } from '../editor/useEditor.ts'
import { useWords } from '../i18n/locale.ts'
import { KindIcon } from '../panels/KindIcon.tsx'
import type { Session } from '../session.ts'
import { Proposals } from './Proposals.tsx'
import { talkOf, type Turn } from './talk.ts'
import './copilot.css'

export function CopilotPanel({ session }: { session: Session }) {
  const { t } = useLingui()
  const words = useWords()
  const talk = talkOf(session)
  const { turns } = useStore(talk.store)
  const model = useModelLater()
  const selection = useView(view => view.selection)
  const [text, setText] = useState('')
  const end = useRef<HTMLDivElement>(null)
  const busy = turns.at(-1)?.answer === null && turns.at(-1)?.ended === null
  const count = turns.length
  const seen = useRef('')
  // What was said last is in view.
  useEffect(() => {
    const now = `${count} ${busy}`
    if (seen.current === now) return
    seen.current = now
    end.current?.scrollIntoView({ block: 'nearest' })
  }, [count, busy])
  const ask = (): void => {
    if (text.trim() === '' || busy) return
    talk.ask({ en: text.trim(), zh: text.trim() }, understood(text, model, [...selection]))
    setText('')
  }
  return (
    <section className="h-guide" aria-label={t`Guide`}>
      <div className="h-guide-talk" role="log" aria-live="polite" aria-busy={busy}>
        {turns.length === 0 && (
          <p className="h-guide-hint">
            <Trans>
              The guide explains, mends, runs and builds from patterns, on this device and without a network. Ask in your own words, or:
            </Trans>
          </p>
        )}
        {turns.map(turn => (
          <Said key={turn.id} turn={turn} session={session} />
        ))}
        {!busy && (turns.at(-1)?.answer?.next.length ?? 0) === 0 && (
          <div className="h-guide-next">
            {suggestions(model).map(({ words: said, ask: question }) => (
              <Button key={said.en} size="small" onClick={() => talk.ask(said, question)}>
                {words(said)}
              </Button>
            ))}
          </div>
        )}
        <Proposals session={session} />
        <div ref={end} />
      </div>
      <form
        className="h-guide-ask"
        onSubmit={event => {
          event.preventDefault()
          ask()
        }}
      >
        <Input.TextArea
          value={text}
          maxLength={2000}
          autoSize={{ minRows: 1, maxRows: 6 }}
          placeholder={t`Ask, or say what to make…`}
          aria-label={t`Ask the guide`}
          onChange={event => setText(event.target.value)}
          onKeyDown={event => {
            if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
            event.preventDefault()
            ask()
          }}
        />
        <div>
          <small>
            <Trans>nothing changes until you accept</Trans>
          </small>
          {busy ? (
            <Button icon={<StopOutlined />} aria-label={t`Stop`} onClick={() => talk.stop()} />
          ) : (
            <Button type="primary" htmlType="submit" icon={<ArrowUpOutlined />} aria-label={t`Ask`} disabled={text.trim() === ''} />
          )}
        </div>
      </form>
    </section>
  )
}

function Said({ turn, session }: { turn: Turn; session: Session }) {
  const words = useWords()
  return (
    <>
      <p className="h-guide-asked">{words(turn.asked)}</p>
      {turn.answer ? (
        <Told answer={turn.answer} session={session} />
      ) : turn.ended === 'stopped' ? (
        <p className="h-guide-hint">
          <Trans>Stopped.</Trans>
        </p>
      ) : turn.ended === 'failed' ? (
        <p className="h-guide-hint" role="alert">
          <Trans>The guide could not answer this. The model is as it was.</Trans>
        </p>
      ) : (
        <p className="h-guide-hint">
          <LoadingOutlined /> <Trans>Looking…</Trans>
        </p>
      )}
    </>
  )
}

function Told({ answer, session }: { answer: Answer; session: Session }) {
  const words = useWords()
  return (
    <div className="h-guide-told">
      {answer.lines.map((one, index) => (
        // Lines of an answer never change.
        // eslint-disable-next-line react/no-array-index-key
        <Sentence key={index} line={one} />
      ))}
      {answer.next.length > 0 && (
        <div className="h-guide-next">
          {answer.next.map(({ words: said, ask }) => (
            <Button key={said.en} size="small" onClick={() => talkOf(session).ask(said, ask)}>
              {words(said)}
            </Button>
          ))}
        </div>
      )}
    </div>
  )
}

function Sentence({ line }: { line: Line }) {
  const words = useWords()
  return (
    <p>
      {words(line.words)}{' '}
      {line.cites.slice(0, 6).map(id => (
        <Chip key={id} id={id} />
      ))}
    </p>
  )
}

/** An element that an answer rests on: goes there on the canvas. */
export function Chip({ id }: { id: Id }) {
  const { t } = useLingui()
  const editor = useEditor()
  const element = useElement(id)
  const words = useWords()
  if (!element)
    return (
      <del className="h-guide-chip">
        <Trans>Deleted element</Trans>
      </del>
    )
  const title = titleOf(element, words)
  return (
    <button type="button" className="h-guide-chip" title={t`Show on the canvas`} onClick={() => editor.reveal(id)}>
      <KindIcon name={element.parent === null ? 'scenario' : iconOf(element.kind, element.fields)} size={12} />
      {title}
    </button>
  )
}
