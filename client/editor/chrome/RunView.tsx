// A model as it is run on a phone: its worlds, numbers, inputs and charts in one column, in the order in which they are read on the canvas.
import { Trans, useLingui } from '@lingui/react/macro'
import { useEffect, useState } from 'react'
import type { Element } from '../../../model-schema/model.ts'
import { isCard } from '../grammar.ts'
import { useEditor, useModel, useView } from '../useEditor.ts'
import { LiveCard } from './LiveCanvas.tsx'
import './runview.css'

/** Inputs shown before the others are asked for. */
const firstInputs = 4

/** `inside`: it is a part of a page that has a main part already. */
export function RunView({ inside = false }: { inside?: boolean }) {
  const Main = inside ? 'section' : 'main'
  const { t } = useLingui()
  const editor = useEditor()
  const scenario = useView(view => view.scenario)
  const ids = useModel(model =>
    (model.elements.get(scenario)?.children ?? []).filter(id => isCard(model.elements.get(id)?.kind ?? '')).join(' '),
  )
  const [all, setAll] = useState(false)
  // What waits for the canvas to be drawn waits for this instead.
  useEffect(() => {
    const timer = setTimeout(() => editor.view.setState({ painted: true }))
    return () => clearTimeout(timer)
  }, [editor])
  const cards = ids
    .split(' ')
    .flatMap(id => editor.model.elements.get(id) ?? [])
    .toSorted((a, b) => a.geo[1] - b.geo[1] || a.geo[0] - b.geo[0])
  const inputs = cards.filter(card => card.kind === 'controller')
  const further = inputs.length - firstInputs
  return (
    <Main className="h-run-view" aria-label={t`Run view`}>
      {cards.filter(isWorld).map(card => (
        <Part key={card.id} card={card} />
      ))}
      {cards.filter(isValue).map(card => (
        <Part key={card.id} card={card} />
      ))}
      {inputs.length > 0 && (
        <section className="h-run-inputs" aria-label={t`Inputs`}>
          {inputs.slice(0, all ? undefined : firstInputs).map(card => (
            <Part key={card.id} card={card} />
          ))}
        </section>
      )}
      {further > 0 && !all && (
        <button type="button" className="h-run-further" onClick={() => setAll(true)}>
          <Trans>{further} more inputs</Trans>
        </button>
      )}
      {cards
        .filter(card => card.kind !== 'controller' && !isWorld(card) && !isValue(card))
        .map(card => (
          <Part key={card.id} card={card} />
        ))}
    </Main>
  )
}

const isWorld = ({ kind }: Element): boolean => kind === 'worldView'
const isValue = ({ kind, fields }: Element): boolean => kind === 'chart' && fields['type'] === 'value'

/** One card, of full width; a world keeps its aspect ratio. */
function Part({ card }: { card: Element }) {
  const [, , w, h] = card.geo
  const sort = isWorld(card) ? 'world' : isValue(card) ? 'value' : card.kind === 'controller' ? 'input' : 'chart'
  return (
    <div
      className="h-run-part"
      data-sort={sort}
      style={sort === 'world' ? { aspectRatio: Math.max(0.75, Math.min(1.8, w / h)) } : undefined}
    >
      <LiveCard id={card.id} kind={card.kind} />
    </div>
  )
}
