// The copilot panel of a model: questions about the model, the selection, and its run.
import { DownOutlined } from '@ant-design/icons'
import { Trans, useLingui } from '@lingui/react/macro'
import { Button, Dropdown } from 'antd'
import { useState } from 'react'
import { useStore } from 'zustand'
import type { Mode } from '../../sim-engine/copilot/doors/dialogue.ts'
import { making, suggestions, understood, type Making, type Moment, type Question } from '../../sim-engine/copilot/doors/questions.ts'
import { useEditor, useModelLater, useView } from '../editor/useEditor.ts'
import { useWords } from '../i18n/locale.ts'
import type { Session } from '../session.ts'
import { useRun } from '../run/RunProvider.tsx'
import { Panel } from './Panel.tsx'
import { PatternForm } from './PatternForm.tsx'
import { talkOf } from './talk.ts'
import { english, say as sayWords, type Words } from '../../model-schema/words.ts'

export function CopilotPanel({ session }: { session: Session }) {
  const { t } = useLingui()
  const editor = useEditor()
  const moment = useMoment()
  const isEmpty = useModelLater().elements.size <= 3
  const toBegin = (mode: Mode): readonly string[] =>
    isEmpty && mode === 'propose'
      ? [t`Build an SIR model of an epidemic among 1,000 people`, t`Build a clinic with two nurses and measure the wait`]
      : [t`Explain this model`, t`What is wrong, and how is it repaired?`, t`Which input matters most for the results?`]
  return (
    <Panel
      session={session}
      understood={text => understood(text, editor.model, [...editor.view.getState().selection], moment())}
      opening={
        <p className="h-guide-hint">
          <Trans>
            The guide explains, mends, runs and builds from patterns, on this device and without a network. Ask in your own words, or:
          </Trans>
        </p>
      }
      toAsk={<ToAsk session={session} moment={moment} />}
      toBegin={toBegin}
    />
  )
}

/** Returns the moment the user's run is at; that of a run not started: its end. */
function useMoment(): () => Moment {
  const run = useRun()
  return () => {
    const { frame, seedUsed, inputs, result } = run.getState()
    const failed = result?.end === 'failed' ? ({ failed: true } as const) : {}
    if (!frame || (frame.time <= 0 && result?.end !== 'failed')) return {}
    return { scenario: run.scenario, time: frame.time, inputs, ...(seedUsed === null ? {} : { seed: seedUsed }), ...failed }
  }
}

/** Suggested questions for the guide, unless its last answer suggests the next step. */
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
