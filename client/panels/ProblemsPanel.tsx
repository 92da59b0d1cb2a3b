// The list of the model's problems, errors first, grouped by element. A line shows the element and the field; a fix that needs one click is
// offered with it.
import { CheckCircleOutlined, LoadingOutlined } from '@ant-design/icons'
import { Trans, useLingui } from '@lingui/react/macro'
import { Button, Segmented } from 'antd'
import { memo, useMemo, useState } from 'react'
import { setField, setText } from '../../model-schema/edit.ts'
import { kindOf } from '../../model-schema/kinds.ts'
import type { Element } from '../../model-schema/model.ts'
import type { Problem } from '../../sim-engine/problems.ts'
import { iconOf } from '../canvas/icons.ts'
import type { Editor } from '../editor/editor.ts'
import { pathTo, titleOf, wireTitleOf } from '../editor/grammar.ts'
import { useEditor, useModelLater } from '../editor/useEditor.ts'
import { useWords } from '../i18n/locale.ts'
import { useRunView } from '../run/RunProvider.tsx'
import { KindIcon } from './KindIcon.tsx'
import { Why } from './ProblemLine.tsx'
import { toneOf, useModelProblems, type Tone } from './problems.ts'

export function ProblemsPanel() {
  const { t } = useLingui()
  const words = useWords()
  const model = useModelLater()
  const problems = useModelProblems()
  const [only, setOnly] = useState<'all' | Tone>('all')
  const groups = useMemo(() => {
    const listed = problems.filter(problem => only === 'all' || toneOf(problem) === only)
    const byElement = [...Map.groupBy(listed, problem => problem.at.id)]
    const worst = (list: readonly Problem[]): number =>
      list.some(problem => toneOf(problem) === 'error') ? 0 : list.some(problem => toneOf(problem) === 'todo') ? 1 : 2
    return byElement.sort(([, a], [, b]) => worst(a) - worst(b))
  }, [problems, only])
  const count = (tone: Tone): number => problems.filter(problem => toneOf(problem) === tone).length
  const [most, setMost] = useState(page)
  const unknown = useRunView(view => view.status === 'loading' && view.loaded === null)
  if (problems.length === 0 && unknown)
    return (
      <p className="h-panel-empty">
        <LoadingOutlined aria-hidden /> <Trans>Checking the model…</Trans>
      </p>
    )
  if (problems.length === 0)
    return (
      <p className="h-panel-empty">
        <CheckCircleOutlined aria-hidden /> <Trans>No problems: the model can run.</Trans>
      </p>
    )
  return (
    <div className="h-problems">
      <Segmented
        size="small"
        value={only}
        onChange={setOnly}
        options={[
          { value: 'all', label: t`All ${problems.length}` },
          { value: 'error', label: t`Errors ${count('error')}` },
          { value: 'todo', label: t`To do ${count('todo')}` },
          { value: 'warning', label: t`Warnings ${count('warning')}` },
        ]}
      />
      <ul>
        {groups.slice(0, most).map(([id, list]) => {
          const element = model.elements.get(id)
          const place = pathTo(model, id)
            .slice(1, -1)
            .map(outer => titleOf(outer, words))
            .join(' › ')
          const title = element ? wireTitleOf(model, element, words) : t`Deleted element`
          return <Group key={id} element={element} title={title} place={place} problems={list} />
        })}
      </ul>
      {groups.length > most && (
        <Button size="small" type="text" onClick={() => setMost(most + page)}>
          <Trans>Show more ({groups.length - most} elements)</Trans>
        </Button>
      )}
    </div>
  )
}

/** Elements with problems shown at once: with thousands, every edit would render thousands of lines. */
const page = 50

type GroupProps = { element: Element | undefined; title: string; place: string; problems: readonly Problem[] }

/** Rendered again only when its content has changed: an edit elsewhere leaves it unchanged. */
const Group = memo(function Group({ element, title, place, problems }: GroupProps) {
  const words = useWords()
  const { t } = useLingui()
  const editor = useEditor()
  const names: Record<Tone, string> = { error: t`Error`, warning: t`Warning`, todo: t`To do` }
  return (
    <li>
      <h4>
        {element && <KindIcon name={element.parent === null ? 'scenario' : iconOf(element.kind, element.fields)} size={14} />}
        {title}
        {place !== '' && <small>{place}</small>}
      </h4>
      <ul>
        {problems.map((problem, index) => {
          const field = kindOf(element?.kind ?? '')?.fields.find(one => one.id === problem.at.field)
          const quick = quickFix(problem, element?.fields[problem.at.field ?? ''])
          return (
            // Two problems of one place may read alike.
            // eslint-disable-next-line react/no-array-index-key
            <li key={index} data-severity={toneOf(problem)}>
              <button type="button" onClick={() => editor.reveal(problem.at.id, problem.at.field)} title={words(problem.fix)}>
                <span className="h-mark" role="img" aria-label={names[toneOf(problem)]} />
                <span>{words(problem.message)}</span>
                {field && <em>{words(field.label)}</em>}
              </button>
              {quick !== null && editor.writable && (
                <Button
                  size="small"
                  onClick={() => editor.tell(editor.gesture(() => setText(editor.doc, problem.at.id, problem.at.field ?? '', quick.text)))}
                >
                  <Trans>Change to “{quick.word}”</Trans>
                </Button>
              )}
              {problem.repair && editor.writable && (
                <Button size="small" onClick={() => repair(editor, problem)}>
                  {words(problem.repair.label)}
                </Button>
              )}
              <Why code={problem.code} />
            </li>
          )
        })}
      </ul>
    </li>
  )
})

/** Sets the field that the problem's repair names, as one step to undo. Does nothing for a problem without one. */
export function repair(editor: Editor, { repair: change }: Problem): void {
  if (change) editor.tell(editor.gesture(() => setField(editor.doc, change.id, change.field, change.value)))
}

/** A misspelt name put right; null when there is no such fix, or the formula has changed since. */
export function quickFix(problem: Problem, value: unknown): { text: string; word: string } | null {
  const { near, at } = problem
  if (near === undefined || at.field === undefined || at.from === undefined || at.to === undefined) return null
  if (typeof value !== 'string' || at.to > value.length) return null
  return { text: value.slice(0, at.from) + near + value.slice(at.to), word: near }
}
