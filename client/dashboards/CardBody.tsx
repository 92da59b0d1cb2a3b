// The content of a card: the same charts, views and controls as on a model's canvas, in their run; texts and images. Off-screen it keeps
// its state and does nothing.
import { Trans, useLingui } from '@lingui/react/macro'
import { Activity, lazy, Suspense, useEffect, useRef, useState } from 'react'
import { needsRun, type Item } from '../../model-schema/dashboard.ts'
import { setField } from '../../model-schema/edit.ts'
import type { Id } from '../../model-schema/model.ts'
import { useStore } from 'zustand'
import type { Problem } from '../../sim-engine/problems.ts'
import { plainOf } from '../../model-schema/rich.ts'
import { kindOf } from '../../model-schema/kinds.ts'
import { ChartCard } from '../charts/ChartCard.tsx'
import { PlotCard } from '../charts/PlotCard.tsx'
import { useWords } from '../i18n/locale.ts'
import { ProblemLine } from '../panels/ProblemLine.tsx'
import { Card, CardHint } from '../run/Card.tsx'
import { textField } from '../run/fields.ts'
import { RunScope } from '../run/RunProvider.tsx'
import { WorldView } from '../run/WorldView.tsx'
import { ControlCard } from './ControlCard.tsx'
import { tell, useBoard } from './scope.ts'
import { verbatim } from '../../model-schema/words.ts'

const RichField = lazy(() => import('../panels/rich/RichField.tsx'))

export function CardBody({ item }: { item: Item }) {
  const { runs, session, editing } = useBoard()
  const { element, association } = item
  if (element.kind === 'image') return <Picture item={item} />
  if (element.kind === 'note') return <Note item={item} />
  if (element.kind === 'controller' && !needsRun(element)) return <ControlCard item={item} run={null} fixed={false} />
  const run = association && runs.get(association.id)
  if (element.kind === 'plot' && !(run?.state === 'open' && run.faults.has(element.id)))
    return (
      <OnScreen>
        <PlotCard
          element={element}
          run={run?.state === 'open' ? run.run : null}
          user={session.target.user.id}
          change={editing ? (field, value) => void tell(setField(session.doc, element.id, field, value)) : undefined}
        />
      </OnScreen>
    )
  if (!association || run?.state !== 'open') return <Waiting item={item} />
  const faults = run.faults.get(element.id)
  if (faults) return <Refused item={item} problems={faults} />
  if (element.kind === 'controller') return <ControlCard item={item} run={run.run} fixed={run.kept !== null || run.stored !== null} />
  const Content = element.kind === 'worldView' ? WorldView : ChartCard
  return (
    <RunScope run={run.run}>
      <OnScreen>
        <Content element={element} />
      </OnScreen>
    </RunScope>
  )
}

/** Pauses its content while it is out of view; its state is kept. */
function OnScreen({ children }: { children: React.ReactNode }) {
  const host = useRef<HTMLDivElement>(null)
  const { page } = useBoard()
  const pictured = useStore(page, state => state.pictured)
  const [seen, setSeen] = useState(true)
  useEffect(() => {
    const { current } = host
    if (!current) return undefined
    const watch = new IntersectionObserver(entries => setSeen(entries.at(-1)?.isIntersecting ?? true), { rootMargin: '120px' })
    watch.observe(current)
    return () => watch.disconnect()
  }, [])
  return (
    <div ref={host} className="d-seen">
      <Activity mode={seen || pictured ? 'visible' : 'hidden'}>{children}</Activity>
    </div>
  )
}

function useTitle({ element }: Item): string {
  const words = useWords()
  return textField(element, 'name') || words(kindOf(element.kind)?.label ?? verbatim(element.kind))
}

/** A card without a loaded model. */
function Waiting({ item }: { item: Item }) {
  const { runs } = useBoard()
  const title = useTitle(item)
  const { association } = item
  const state = association ? (runs.get(association.id)?.state ?? 'opening') : 'unsaid'
  return (
    <Card title={title}>
      <CardHint>
        {state === 'unsaid' && <Trans>A card needs a model scenario. Choose its run in the properties.</Trans>}
        {state === 'none' && <Trans>Choose the model this card is about.</Trans>}
        {state === 'opening' && <Trans>The model is being opened…</Trans>}
        {state === 'no-scenario' && <Trans>The model no longer has this scenario. Choose another one.</Trans>}
        {state === 'nothing-kept' && <Trans>No run is kept in this file. Run it once to the end, and keep it.</Trans>}
        {state === 'nothing-stored' && <Trans>No run of an experiment is chosen. Choose one in the properties of the run.</Trans>}
        {state === 'failed' && <Trans>The model can’t be opened. It may have been deleted, or you may not see it.</Trans>}
      </CardHint>
    </Card>
  )
}

function Refused({ item, problems }: { item: Item; problems: readonly Problem[] }) {
  const title = useTitle(item)
  return (
    <Card title={title} className="d-refused">
      <div className="d-faults">
        {problems.map(problem => (
          <ProblemLine key={`${problem.code} ${problem.at.field ?? ''}`} problem={problem} />
        ))}
      </div>
    </Card>
  )
}

function Note({ item: { element } }: { item: Item }) {
  const { session, editing, selected } = useBoard()
  const writing = editing && selected === element.id
  const text = plainOf(element.fields['body'] ?? null)
  return (
    <div className="d-note" data-writing={writing || undefined}>
      {text === '' && !writing ? (
        editing && (
          <p className="h-muted">
            <Trans>Empty text. Select it to write.</Trans>
          </p>
        )
      ) : (
        <Suspense fallback={<p>{text}</p>}>
          <RichField
            key={String(writing)}
            id={`note-${element.id}`}
            doc={session.doc}
            undo={session.undo}
            element={element.id}
            field="body"
            disabled={!writing}
          />
        </Suspense>
      )}
    </div>
  )
}

function Picture({ item: { element } }: { item: Item }) {
  const { t } = useLingui()
  const source = element.fields['image']
  return (
    <figure className="d-picture">
      {typeof source === 'string' && source.startsWith('data:image/') ? (
        <img src={source} alt={textField(element, 'name')} draggable={false} />
      ) : (
        <p className="h-muted">{t`No picture yet. Choose one in its properties.`}</p>
      )}
    </figure>
  )
}

/** The id of the element of a card, for what finds it on the page. */
export const cardDomId = (id: Id): string => `card-${id}`

/** Brings a card into view and gives it the keys. */
export function reveal(id: Id): void {
  requestAnimationFrame(() => {
    const card = document.getElementById(cardDomId(id))
    card?.scrollIntoView({ block: 'nearest', behavior: matchMedia('(prefers-reduced-motion: reduce)').matches ? 'auto' : 'smooth' })
    card?.focus({ preventScroll: true })
  })
}
