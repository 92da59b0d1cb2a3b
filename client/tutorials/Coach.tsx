// A lesson next to the canvas: one step at a time, advancing by itself when the document shows that it is done.
import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { canvasKindOf } from '../editor/grammar.ts'
import { useEditor, useModelLater, useView } from '../editor/useEditor.ts'
import { useWords } from '../i18n/locale.ts'
import { useSeldom } from '../run/RunProvider.tsx'
import { lessons, stepAfter, type Lesson } from './lessons.ts'
import './coach.css'

export function Coach() {
  const id = useView(view => view.lesson)
  const lesson = lessons.find(one => one.id === id)
  return lesson ? <Steps key={lesson.id} lesson={lesson} /> : null
}

function Steps({ lesson }: { lesson: Lesson }) {
  const { t } = useLingui()
  const words = useWords()
  const editor = useEditor()
  const model = useModelLater()
  const canvas = useView(view => view.canvas)
  const { frame } = useSeldom(250)
  const tick = frame?.tick ?? 0
  const [at, setAt] = useState(0)
  const reached = stepAfter(lesson, at, { model, canvas: canvasKindOf(model, canvas) ?? 'root', tick })
  if (reached !== at) setAt(reached)
  const close = (): void => editor.view.setState({ lesson: null })
  const step = lesson.steps[at]
  const [shown, total] = [Math.min(at + 1, lesson.steps.length), lesson.steps.length]
  return (
    <aside className="h-coach" aria-label={words(lesson.title)} onPointerDown={event => event.stopPropagation()}>
      <header>
        <b>{words(lesson.title)}</b>
        <small className="h-num">
          {shown}/{total}
        </small>
        <button type="button" aria-label={t`Close the tutorial`} onClick={close}>
          ×
        </button>
      </header>
      <progress max={total} value={at} aria-label={t`Steps done`} />
      <p role="status">{step ? words(step.say) : t`Done. You have built and run it yourself.`}</p>
      {step && !step.done && (
        <button type="button" className="h-coach-next" onClick={() => setAt(at + 1)}>
          <Trans>Continue</Trans>
        </button>
      )}
      {!step && (
        <button type="button" className="h-coach-next" onClick={close}>
          <Trans>Close</Trans>
        </button>
      )}
    </aside>
  )
}
