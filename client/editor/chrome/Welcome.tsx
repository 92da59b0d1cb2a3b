// An empty model: what it may begin as, each of which runs at once, and ways to learn. An empty process: its first step. Nothing here is a warning.
import { Trans, useLingui } from '@lingui/react/macro'
import { useWords } from '../../i18n/locale.ts'
import { KindIcon } from '../../panels/KindIcon.tsx'
import { Drawing as Illustration } from '../../ui/Drawing.tsx'
import type { Offer } from '../grammar.ts'
import { bornEvent } from '../skeleton.ts'
import { starters, type Starter } from '../starters/models.ts'
import { putParts } from '../starters/parts.ts'
import { everythingOn } from '../starters/vocabulary.ts'
import { useEditor, useView } from '../useEditor.ts'
import { signOf } from './adding/Palette.tsx'
import './welcome.css'

export function Welcome() {
  const { t } = useLingui()
  const words = useWords()
  const editor = useEditor()
  const scenario = useView(view => view.scenario)
  const begin = ({ parts }: Starter): void => {
    editor.tell(editor.gesture(() => putParts(editor, parts, scenario, [0, 0], words)))
    editor.fit()
    document.querySelector<HTMLElement>('.h-canvas')?.focus({ preventScroll: true })
  }
  return (
    <section
      className="h-welcome"
      aria-label={t`Start a model`}
      onPointerDown={event => event.stopPropagation()}
      onDoubleClick={event => event.stopPropagation()}
    >
      <h2>
        <Trans>What do you want to model?</Trans>
      </h2>
      <p>
        <Trans>Each of these is a small model that runs at once. Change it into yours.</Trans>
      </p>
      <ul>
        {starters.map(starter => (
          <li key={starter.id}>
            <button type="button" onClick={() => begin(starter)}>
              <Drawing of={starter.id} />
              <b>{words(starter.label)}</b>
              <span>{words(starter.help)}</span>
            </button>
          </li>
        ))}
      </ul>
      <p className="h-welcome-more">
        <button type="button" onClick={() => editor.view.setState({ lesson: 'clinic' })}>
          <Trans>Your first model, step by step</Trans>
        </button>
        <button type="button" onClick={() => editor.view.setState({ palette: true })}>
          <kbd>Ctrl K</kbd> <Trans>find and add anything</Trans>
        </button>
        <a href="/docs" target="_blank" rel="noreferrer">
          <Trans>Read how it works</Trans>
        </a>
      </p>
    </section>
  )
}

/** Common first steps of a process; each is inserted between its start and its end. */
const firstSteps = ['preset/service', 'delay', 'preset/branches', 'compute'] as const

/** A process that is only a start and an end: what may happen in it. */
export function ProcessStart() {
  const { t } = useLingui()
  const words = useWords()
  const editor = useEditor()
  const canvas = useView(view => view.canvas)
  const offers = firstSteps.flatMap(key => everythingOn('process').find(offer => offer.key === key) ?? [])
  const add = (offer: Offer): void => {
    const start = bornEvent(editor, canvas, 'start')
    const box = start === null ? undefined : editor.scene.box(start)
    if (start === null || !box) return
    editor.putNext(offer, start, { x: box.x + box.w + 64, y: box.y + box.h / 2 })
    editor.fit()
    document.querySelector<HTMLElement>('.h-canvas')?.focus({ preventScroll: true })
  }
  return (
    <section
      className="h-process-start"
      aria-label={t`Start a process`}
      onPointerDown={event => event.stopPropagation()}
      onDoubleClick={event => event.stopPropagation()}
    >
      <Illustration of="process" />
      <h2>
        <Trans>What happens first?</Trans>
      </h2>
      <p>
        <Trans>Tokens travel from the start to the end. Put a step between, or drag one onto the line.</Trans>
      </p>
      <ul>
        {offers.map(offer => (
          <li key={offer.key}>
            <button type="button" onClick={() => add(offer)}>
              <KindIcon name={signOf(offer)} />
              {words(offer.label)}
            </button>
          </li>
        ))}
      </ul>
      <p>
        <button type="button" onClick={() => editor.view.setState({ lesson: 'resources' })}>
          <Trans>Learn it step by step</Trans>
        </button>
      </p>
    </section>
  )
}

/** One drawing a starter, in the tints of what it is made of. */
function Drawing({ of }: { of: Starter['id'] }) {
  return (
    <svg viewBox="0 0 192 112" aria-hidden="true" data-of={of}>
      {drawings[of]}
    </svg>
  )
}

const arrow = (x: number, y: number, turn: number) => (
  <path key={`${x} ${y}`} d="M-4 -3 6 0 -4 3Z" transform={`translate(${x} ${y}) rotate(${turn})`} fill="currentColor" />
)

const dots = (of: readonly (readonly [number, number])[], r: number) =>
  of.map(([x, y]) => <circle key={`${x} ${y}`} cx={x} cy={y} r={r} fill="currentColor" />)

const nodes: readonly (readonly [number, number])[] = [
  [38, 40],
  [66, 78],
  [88, 30],
  [104, 66],
  [136, 38],
  [152, 82],
]

const alive: readonly (readonly [number, number])[] = [
  [3, 1],
  [4, 2],
  [2, 3],
  [3, 3],
  [4, 3],
  [8, 2],
  [8, 3],
  [8, 4],
  [11, 5],
  [12, 5],
  [11, 6],
  [13, 1],
]

const drawings = {
  agents: [
    arrow(36, 30, -20),
    arrow(70, 22, 35),
    arrow(112, 34, 160),
    arrow(150, 26, 80),
    arrow(50, 62, 220),
    arrow(92, 70, -60),
    arrow(132, 76, 20),
    arrow(166, 62, 120),
    arrow(30, 92, 10),
    arrow(76, 94, 300),
    arrow(118, 96, 190),
  ],
  queue: (
    <g fill="none" stroke="currentColor" strokeWidth="2">
      <circle cx="28" cy="56" r="10" />
      <path d="M38 56H44M106 56H116M148 56H156" />
      <rect x="116" y="40" width="32" height="32" rx="6" />
      <circle cx="132" cy="56" r="7" />
      <circle cx="166" cy="56" r="9" strokeWidth="4" />
      <g stroke="none">
        {dots(
          [
            [54, 56],
            [68, 56],
            [82, 56],
            [96, 56],
          ],
          6,
        )}
      </g>
    </g>
  ),
  process: (
    <g fill="none" stroke="currentColor" strokeWidth="2">
      <circle cx="22" cy="56" r="9" />
      <path d="M31 56H42M82 56H92M104 44V30H122M104 68V82H122M152 30H164M152 82H164" />
      <rect x="42" y="42" width="40" height="28" rx="6" />
      <path d="m104 44 12 12-12 12-12-12Z" />
      <rect x="122" y="20" width="30" height="20" rx="5" />
      <rect x="122" y="72" width="30" height="20" rx="5" />
      <circle cx="171" cy="30" r="7" strokeWidth="3" />
      <circle cx="171" cy="82" r="7" strokeWidth="3" />
    </g>
  ),
  cells: alive.map(([x, y]) => <rect key={`${x} ${y}`} x={x * 12 + 6} y={y * 12 + 10} width="11" height="11" rx="2" fill="currentColor" />),
  network: (
    <g>
      <path
        d="M38 40 66 78M38 40 88 30M66 78 104 66M88 30 104 66M88 30 136 38M104 66 152 82M136 38 152 82M104 66 136 38"
        stroke="currentColor"
        strokeWidth="1.500"
        opacity=".5"
      />
      {dots(nodes, 7)}
    </g>
  ),
}
