// The properties of what is selected, drawn entirely from the metamodel; of the canvas itself when nothing is. A
// selection of several shows the fields they share and writes into all of them.
import { DeleteOutlined, EnterOutlined, HistoryOutlined } from '@ant-design/icons'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { Alert, Button, Tooltip } from 'antd'
import { Suspense, useEffect, useMemo, useRef, useState, type ReactNode } from 'react'
import { rename, setField, setText } from '../../model-schema/edit.ts'
import { kindOf } from '../../model-schema/kinds.ts'
import type { Field, Json } from '../../model-schema/kinds/kind.ts'
import type { Element, Id } from '../../model-schema/model.ts'
import { familyOf, iconOf } from '../canvas/icons.ts'
import { command, run, type CommandId } from '../editor/commands.ts'
import { canvasKindOf, mayEnter, wireTitleOf } from '../editor/grammar.ts'
import { useEditor, useModel, useScope, useView } from '../editor/useEditor.ts'
import { useWords } from '../i18n/locale.ts'
import { BreakpointButton } from '../run/BreakpointButton.tsx'
import { referenceOfElement } from '../reference/link.ts'
import type { Session } from '../session.ts'
import { complain } from '../ui/toast.ts'
import { besideOf, useBeside } from './beside.ts'
import { bind, follow } from './bind.ts'
import { Control } from './fields/Control.tsx'
import { FieldRows, Help, pressByKey } from './fields/FieldRows.tsx'
import { InputActions } from './InputActions.tsx'
import { KindIcon } from './KindIcon.tsx'
import { ProblemLine } from './ProblemLine.tsx'
import { useOpenSession } from './session.ts'
import { importedPart } from '../ui/loading/updates.ts'
import { toneOf, useElementProblems, useFieldProblems } from './problems.ts'
import { calledWith, isBlock, isTouched, sameContent, sections, shownFields, type SectionId, type Shown } from './visible.ts'
import './panels.css'
import { english, verbatim } from '../../model-schema/words.ts'

const ForkTools = importedPart(
  () => import('./chain/ForkTools.tsx'),
  module => module.ForkTools,
)
const NetworkTools = importedPart(
  () => import('./network/NetworkTools.tsx'),
  module => module.NetworkTools,
)

const Blame = importedPart(
  () => import('../history/Blame.tsx'),
  module => module.Blame,
)

export function Inspector() {
  const session = useOpenSession()
  const selection = useView(view => view.selection)
  const canvas = useView(view => view.canvas)
  const elements = useContents(selection.length > 0 ? selection : [canvas])
  const [first] = elements
  if (!first) return null
  const alike = elements.every(element => element.kind === first.kind)
  return (
    <FieldRows>
      <section className="h-inspector" aria-label={first.kind}>
        {elements.length === 1 ? <Head element={first} /> : <SeveralHead elements={elements} />}
        {elements.length === 1 && session && <Blamed session={session} element={first} />}
        {elements.length === 1 && first.kind === 'network' && (
          <Suspense fallback={null}>
            <NetworkTools key={`network ${first.id}`} element={first} />
          </Suspense>
        )}
        {elements.length === 1 && isFork(first) && (
          <Suspense fallback={null}>
            <ForkTools key={`fork ${first.id}`} element={first} />
          </Suspense>
        )}
        {elements.length === 1 && <InputActions key={`actions ${first.id}`} element={first} />}
        {alike && <Properties key={elements.length === 1 ? first.id : 'several'} elements={elements} />}
        {elements.length > 1 && <Arrange />}
      </section>
    </FieldRows>
  )
}

/** A blockchain environment that is forked from a real chain. */
const isFork = ({ kind, fields }: Element): boolean =>
  kind === 'blockchain' && fields['chain'] !== 'terra' && typeof fields['node'] === 'string' && fields['node'].trim() !== ''

/** Elements as their properties show them: the same list as long as they only moved. */
function useContents(ids: readonly Id[]): readonly Element[] {
  const kept = useRef<readonly Element[]>([])
  return useModel(model => {
    const now = ids.flatMap(id => model.elements.get(id) ?? [])
    const before = kept.current
    if (now.length === before.length && now.every((element, i) => sameContent(element, before[i]))) return before
    kept.current = now
    return now
  })
}

function Head({ element }: { element: Element }) {
  const { t } = useLingui()
  const words = useWords()
  const editor = useEditor()
  const kind = kindOf(element.kind)
  const problems = useElementProblems(element.id)
  const session = useOpenSession()
  const inside = useView(view => view.canvas) === element.id
  const label = kind ? words(kind.label) : element.kind
  const icon = element.parent === null ? 'scenario' : iconOf(element.kind, element.fields)
  const title = useModel(model => wireTitleOf(model, element, words))
  return (
    <header className="h-inspector-head">
      <div>
        <span className="h-inspector-icon" data-family={familyOf(icon) ?? undefined}>
          <KindIcon name={icon} size={18} />
        </span>
        <h2>
          {title}
          {title !== label && <small>{label}</small>}
        </h2>
        {kind && <Help title={label} text={words(kind.help)} more={referenceOfElement(kind.id)} />}
        {!inside && mayEnter(element) && (
          <Tooltip title={t`Open inside (Enter)`}>
            <Button type="text" icon={<EnterOutlined aria-hidden />} aria-label={t`Open inside`} onClick={() => editor.enter(element.id)} />
          </Tooltip>
        )}
        <BreakpointButton element={element} />
        {session && <BlameButton session={session} />}
        {!inside && editor.writable && (
          <Tooltip title={t`Delete (Del)`}>
            <Button type="text" icon={<DeleteOutlined aria-hidden />} aria-label={t`Delete`} onClick={() => editor.removeSelected()} />
          </Tooltip>
        )}
      </div>
      {!kind && (
        <Alert
          type="warning"
          showIcon
          title={<Trans>This element was made with a newer version. It is kept as it is and left out of runs.</Trans>}
        />
      )}
      {kind?.planned && <Alert type="info" showIcon title={<Trans>Not simulated yet.</Trans>} />}
      {problems.map(problem => (
        <ProblemLine key={`${problem.code} ${english(problem.message)}`} problem={problem} />
      ))}
    </header>
  )
}

/** Shows with the properties who changed them last. */
function BlameButton({ session }: { session: Session }) {
  const { t } = useLingui()
  const isOn = useBeside(session, beside => beside.blame)
  return (
    <Tooltip title={t`Who changed this last?`}>
      <Button
        type="text"
        icon={<HistoryOutlined aria-hidden />}
        aria-label={t`Who changed this last?`}
        aria-pressed={isOn}
        onClick={() => besideOf(session).setState({ blame: !isOn })}
      />
    </Tooltip>
  )
}

function Blamed({ session, element }: { session: Session; element: Element }) {
  if (!useBeside(session, beside => beside.blame)) return null
  return (
    <Suspense fallback={null}>
      <Blame key={element.id} session={session} element={element} />
    </Suspense>
  )
}

function SeveralHead({ elements }: { elements: readonly Element[] }) {
  const words = useWords()
  const counts = Map.groupBy(elements, element => element.kind)
  return (
    <header className="h-inspector-head">
      <h2>
        {isGroup(elements) ? (
          <Plural value={elements.length} one="Group of # element" other="Group of # elements" />
        ) : (
          <Plural value={elements.length} one="# element" other="# elements" />
        )}
        <small>{[...counts].map(([kind, list]) => `${words(kindOf(kind)?.label ?? verbatim(kind))} ${list.length}`).join(' · ')}</small>
      </h2>
    </header>
  )
}

/** Whether the elements are of one group; connectors go along with what they join. */
function isGroup(elements: readonly Element[]): boolean {
  const joined = elements.filter(({ kind }) => kindOf(kind)?.shape !== 'connector')
  return joined[0]?.groups?.some(group => joined.every(({ groups = [] }) => groups.includes(group))) === true
}

const arranging: readonly CommandId[] = [
  'alignLeft',
  'alignCentre',
  'alignRight',
  'alignTop',
  'alignMiddle',
  'alignBottom',
  'distributeAcross',
  'distributeDown',
]

function Arrange() {
  const scope = useScope()
  const words = useWords()
  const { t } = useLingui()
  return (
    <div className="h-arrange" role="group" aria-label={t`Arrange`}>
      {arranging.map(id => (
        <Tooltip key={id} title={words(command(id).words)}>
          <Button
            size="small"
            disabled={command(id).may(scope) !== true}
            aria-label={words(command(id).words)}
            icon={<ArrangeIcon id={id} />}
            onClick={() => run(id, scope)}
          />
        </Tooltip>
      ))}
    </div>
  )
}

const arrangeIcons: Partial<Record<CommandId, string>> = {
  alignLeft: 'M2 2v12M4 4h9v3H4ZM4 9.500h5v3H4Z',
  alignCentre: 'M8 1.500v13M3 4h10v3H3ZM5.500 9.500h5v3h-5Z',
  alignRight: 'M14 2v12M3 4h9v3H3ZM7 9.500h5v3H7Z',
  alignTop: 'M2 2h12M4 4h3v9H4ZM9.500 4h3v5h-3Z',
  alignMiddle: 'M1.500 8h13M4 3h3v10H4ZM9.500 5.500h3v5h-3Z',
  alignBottom: 'M2 14h12M4 3h3v9H4ZM9.500 7h3v5h-3Z',
  distributeAcross: 'M2 2v12M14 2v12M6.500 4h3v8h-3Z',
  distributeDown: 'M2 2h12M2 14h12M4 6.500h8v3H4Z',
}

function ArrangeIcon({ id }: { id: CommandId }) {
  return (
    <svg
      width="16"
      height="16"
      viewBox="0 0 16 16"
      aria-hidden="true"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.3"
      strokeLinejoin="round"
    >
      <path d={arrangeIcons[id] ?? ''} />
    </svg>
  )
}

function Properties({ elements }: { elements: readonly Element[] }) {
  const editor = useEditor()
  const shown = useMemo(() => shownFields(elements, editor.model), [elements, editor])
  return (
    <div className="h-fields">
      {sections(shown).map(section => (
        <Section key={section.id} id={section.id} shown={section.shown}>
          {section.shown.map(one => (
            <FieldRow key={one.field.id} elements={elements} {...one} />
          ))}
        </Section>
      ))}
    </div>
  )
}

/** Sections other than the basics fold; the last stays folded until something in it was set. */
function Section({ id, shown, children }: { id: SectionId; shown: readonly Shown[]; children: ReactNode }) {
  const { t } = useLingui()
  const touched = isTouched(shown)
  const [choice, setOpen] = useState<boolean | null>(null)
  const [untouched] = useState(!touched)
  const focus = useView(view => view.focusField?.field)
  const asked = focus !== undefined && shown.some(one => speaksOf(focus, one.field.id))
  const open = asked || (choice ?? (id !== 'advanced' || !untouched))
  if (id === 'basics') return <div className="h-section">{children}</div>
  const title = {
    selection: t`Whom it concerns`,
    changes: t`What it does`,
    timing: t`Timing`,
    appearance: t`Appearance`,
    advanced: t`Advanced`,
    basics: '',
  }[id]
  return (
    <div className="h-section">
      <button type="button" className="h-section-head" aria-expanded={open} onClick={() => setOpen(!open)}>
        <svg width="10" height="10" viewBox="0 0 10 10" aria-hidden="true">
          <path d="M3 1.500 6.500 5 3 8.500" fill="none" stroke="currentColor" strokeWidth="1.500" />
        </svg>
        {title}
        {touched && !open && <span className="h-dot" role="img" aria-label={t`Something is set here`} />}
      </button>
      {open && children}
    </div>
  )
}

function FieldRow({ field, value, elements }: Shown & { elements: readonly Element[] }) {
  const words = useWords()
  const editor = useEditor()
  const row = useRef<HTMLDivElement>(null)
  const [first] = elements
  const ids = elements.map(element => element.id)
  const problems = useFieldProblems(first?.id ?? null, field.id)
  const asked = useView(view => {
    const focus = view.focusField
    return focus !== null && focus.id === first?.id && speaksOf(focus.field, field.id) ? focus.field : null
  })
  const id = `field-${first?.id ?? ''}-${field.id}`
  const there = useModel(model => (field.there && first?.parent ? field.there[canvasKindOf(model, first.parent) ?? 'root'] : undefined))
  const { label, help } = there ?? { label: calledWith(field, first?.fields ?? {}), help: field.help }

  useEffect(() => {
    if (asked === null) return
    row.current?.scrollIntoView({ block: 'nearest' })
    // A cell of a table is called after its place: values/0/value.
    const cell = asked.slice(field.id.length).replaceAll('/', '-')
    document.getElementById(`${id}${cell}`)?.focus()
  }, [asked, id, field.id])

  const entered = useRef<Element | null>(null)

  if (!first) return null
  // A control's range follows the variable once what is typed is whole.
  const left = (): void => {
    if (first.kind === 'variable' && entered.current?.id === first.id) follow(editor, first.id, entered.current.fields)
    entered.current = null
  }
  const set = (next: Json): void => {
    if (field.id === 'name' && ids.length === 1) return void editor.setName(first.id, String(next ?? '').trim()).catch(complain)
    editor.gesture(() => {
      for (const one of ids) editor.tell(write(editor.doc, one, field, next))
      // What a control sets is an input.
      if (first.kind === 'controller' && field.id === 'target' && typeof next === 'string') bind(editor, first.id, next)
    })
  }
  return (
    <div
      ref={row}
      onFocus={() => (entered.current ??= first)}
      onBlur={event => !event.currentTarget.contains(event.relatedTarget) && left()}
      onKeyDown={pressByKey}
      className="h-field"
      data-block={isBlock(field) || undefined}
      data-problem={problems[0] && toneOf(problems[0])}
    >
      <span className="h-field-label" title={words(label)}>
        <label htmlFor={id}>{words(label)}</label>
        <Help title={words(label)} text={words(help)} more={referenceOfElement(first.kind)} />
      </span>
      <div className="h-field-value">
        <Control id={id} field={field} element={first} elements={ids} value={value} disabled={!editor.writable} set={set} />
      </div>
      {problems.map(problem => (
        <ProblemLine key={`${problem.code} ${problem.at.from ?? 0} ${english(problem.message)}`} problem={problem} />
      ))}
    </div>
  )
}

/** Whether a place (a field, or a cell of it) is in this field. */
const speaksOf = (place: string, field: string): boolean => place === field || place.startsWith(`${field}/`)

function write(doc: Parameters<typeof setField>[0], id: Id, field: Field, value: Json) {
  if (field.id === 'name') return rename(doc, id, String(value ?? ''))
  return field.type.as === 'formula' ? setText(doc, id, field.id, String(value ?? '')) : setField(doc, id, field.id, value)
}
