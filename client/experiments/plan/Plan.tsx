// The plan of an experiment: its purpose, its model, the decisions, the measures, the number of runs. One section after another, each field
// explained; problems are shown at their field and, with a link there, on top.
import { Trans, useLingui } from '@lingui/react/macro'
import { Button } from 'antd'
import { Suspense, useMemo, useState, type ReactNode } from 'react'
import { place, remove, reorder } from '../../../model-schema/edit.ts'
import { learningParameters, type ExperimentType, type LearningParameter } from '../../../model-schema/experiment.ts'
import { kindOf } from '../../../model-schema/kinds.ts'
import type { Id } from '../../../model-schema/model.ts'
import { learningDefaults, settingOf, trainingPlanOf, type Prepared } from '../../../sim-engine/experiment.ts'
import { useWords } from '../../i18n/locale.ts'
import { FieldRows, Help } from '../../panels/fields/FieldRows.tsx'
import { importedPart } from '../../ui/loading/updates.ts'
import { publicOf } from '../linked.ts'
import { useNumber } from '../results/useNumber.ts'
import { tell, useConducting, useExperiment, write } from '../scope.ts'
import { algorithmLabel } from '../training/labels.ts'
import { Estimate } from './Estimate.tsx'
import { LinkCard } from './LinkCard.tsx'
import { PlanField } from './PlanField.tsx'
import { problemsAt, toneOf } from './problems.ts'
import { Remove } from './Remove.tsx'
import { english, verbatim } from '../../../model-schema/words.ts'

const WarmUp = importedPart(
  () => import('./WarmUp.tsx'),
  module => module.WarmUp,
)

export type Jump = (id: Id, field?: string) => void

export function Plan({ jump }: { jump: Jump }) {
  const { t } = useLingui()
  const { root, experiment } = useExperiment()
  const { type, fit, design } = experiment
  const live = type === 'exploration' && design === 'live'
  const searches = type === 'optimization' || (type === 'calibration' && fit === 'optimise')
  return (
    <FieldRows>
      <div className="x-plan-inside">
        <Section title={t`Purpose`}>
          <PlanField element={root} field="name" />
          <TypeCards />
        </Section>
        <Section title={t`Model`}>
          <LinkCard />
        </Section>
        {type !== 'monteCarlo' && type !== 'learning' && (
          <Parts kind="decision" title={t`What is varied`} add={t`Add a decision variable`} />
        )}
        {type === 'monteCarlo' && (
          <Parts kind="alternative" title={t`What is compared`} add={t`Add an alternative`}>
            <Hint text={t`Without alternatives the scenario itself is run. With several, all meet the same chance.`} />
          </Parts>
        )}
        {type === 'calibration' && <Parts kind="dataSeries" title={t`What it is fitted to`} add={t`Add a data series`} />}
        {(type === 'optimization' || type === 'monteCarlo') && (
          <Parts
            kind="objective"
            title={type === 'optimization' ? t`What is optimised` : t`What is better`}
            add={t`Add an objective`}
            folded={type !== 'optimization'}
          />
        )}
        {type !== 'learning' && <Parts kind="response" title={t`What is recorded`} add={t`Add a response`} />}
        {(searches || type === 'calibration') && <Parts kind="constraint" title={t`What must hold`} add={t`Add a constraint`} folded />}
        {type === 'learning' && <LearningPlan />}
        {type !== 'learning' && (
          <Section title={t`Runs`}>
            <Fields
              names={[
                ...(type === 'exploration' ? ['design', 'samples', 'levels', 'paths', 'table'] : []),
                ...(type === 'calibration' ? ['fit', 'loss', 'accepted'] : []),
                ...(type === 'monteCarlo' ? ['until'] : []),
                'replications',
                ...(type === 'optimization' ? ['resampling', 'confirmations'] : []),
                ...(type === 'monteCarlo' ? ['halfWidth', 'confidence', 'selection', 'indifference'] : []),
                'seed',
              ]}
            />
          </Section>
        )}
        {searches && (
          <Section title={t`Algorithm`}>
            <Fields
              names={[
                'algorithm',
                'populationSize',
                'maxIterations',
                'stall',
                'crossoverProbability',
                'crossoverDistributionIndex',
                'mutationDistributionIndex',
                'differentialRatio',
                'archiveSize',
                'perturbationIndex',
                'biSections',
              ]}
            />
          </Section>
        )}
        <Section title={t`When it ends`}>
          <Fields
            names={
              type === 'learning'
                ? ['rewardThreshold', 'maxDecisions', 'maxMinutes', 'ticks']
                : live
                  ? ['ticks', 'warmUpTicks', 'threads']
                  : ['maxRuns', 'maxMinutes', 'ticks', 'warmUpTicks', 'threads']
            }
          />
          {type !== 'learning' && <FindWarmUp />}
        </Section>
        <Section title={t`Before it starts`}>
          <Problems jump={jump} />
          {!live && type !== 'learning' && <Estimate />}
        </Section>
      </div>
    </FieldRows>
  )
}

/** Opens the warm-up analysis, once there is something to run. */
function FindWarmUp() {
  const { writable } = useExperiment()
  const preparation = useConducting(state => state.preparation)
  const [of, setOf] = useState<Prepared | null>(null)
  if (!preparation?.ok || !writable) return null
  const { prepared } = preparation
  return (
    <>
      <Button size="small" className="x-find-warm-up" onClick={() => setOf(prepared)} data-testid="find-warm-up">
        <Trans>Find the warm-up</Trans>
      </Button>
      {of && (
        <Suspense fallback={null}>
          <WarmUp prepared={of} close={() => setOf(null)} />
        </Suspense>
      )}
    </>
  )
}

/** What learns, and for how long; then the parameters of the algorithm. */
function LearningPlan() {
  const { t } = useLingui()
  const words = useWords()
  const number = useNumber()
  const { experiment } = useExperiment()
  const preparation = useConducting(state => state.preparation)
  const algorithm = useMemo(() => (preparation?.ok ? trainingPlanOf(preparation.prepared).settings.algorithm : null), [preparation])
  const own = algorithm && learningDefaults[algorithm]
  const blank = (name: string): string | undefined => {
    const value = own?.[name === 'hidden' ? 'hidden' : settingOf(name as LearningParameter)]
    return typeof value === 'number' ? number(value) : typeof value === 'string' ? value : undefined
  }
  return (
    <>
      <Section title={t`How long it learns`}>
        <Fields
          names={['epochs', 'episodesPerEpoch', 'stepsPerEpoch', 'trainingEnvironments', 'testEnvironments', 'testEpisodes', 'seed']}
        />
      </Section>
      <Section title={t`What learns`}>
        <Fields names={['policy', 'network', 'hidden']} blank={name => (name === 'hidden' ? blank(name) : undefined)} />
        {algorithm && experiment.learning?.policy === 'auto' && (
          <Hint text={t`Automatic takes ${words(algorithmLabel(algorithm))} here.`} />
        )}
      </Section>
      <Section title={t`Parameters of the algorithm`}>
        <Hint text={t`Blank ones are as the algorithm is known to do well.`} />
        <Fields names={parametersOfLearning} blank={blank} />
      </Section>
    </>
  )
}

const parametersOfLearning = [
  'learningRate',
  'rateSchedule',
  'gamma',
  'byTime',
  ...learningParameters.filter(name => name !== 'learningRate' && name !== 'gamma'),
  'double',
  'dueling',
  'prioritised',
  'normaliseReturns',
]

function Section({ title, children, id }: { title: ReactNode; children: ReactNode; id?: string }) {
  return (
    <section className="x-section" {...(id === undefined ? {} : { id })}>
      <h2>{title}</h2>
      {children}
    </section>
  )
}

function Fields({ names, blank }: { names: readonly string[]; blank?: (name: string) => string | undefined }) {
  const { root } = useExperiment()
  return (
    <div className="x-grid">
      {names.map(name => (
        <PlanField key={name} element={root} field={name} blank={blank?.(name)} />
      ))}
    </div>
  )
}

const Hint = ({ text }: { text: string }) => <p className="x-hint">{text}</p>

function TypeCards() {
  const { t } = useLingui()
  const words = useWords()
  const scope = useExperiment()
  const { root, experiment, writable } = scope
  const [choosing, setChoosing] = useState(false)
  const field = kindOf('experiment')?.fields.find(one => one.id === 'type')
  if (field?.type.as !== 'choice') return null
  const { options } = field.type
  const cards: { type: ExperimentType; text: string }[] = [
    { type: 'monteCarlo', text: t`Repeat with different random numbers: how sure is the result, and which alternative is better?` },
    { type: 'exploration', text: t`Runs all over the parameters: what does the output depend on, and how?` },
    { type: 'calibration', text: t`Measured data is given: which parameters make the model agree with it?` },
    { type: 'optimization', text: t`An aim is given: which decisions reach it best, within the limits?` },
    { type: 'learning', text: t`Decide steps learn a policy by trial and error: which actions bring the most reward?` },
  ]
  // What was decided once takes little room.
  const decided = experiment.modelFile !== '' && !choosing
  const shown = decided ? cards.filter(({ type }) => type === experiment.type) : cards
  return (
    <div className="x-types" role="radiogroup" aria-label={words(field.label)} id={`place-${root.id}-type`}>
      {shown.map(({ type, text }) => (
        <label key={type} className="x-type" data-on={experiment.type === type || undefined}>
          <input
            type="radio"
            name="experiment-type"
            checked={experiment.type === type}
            disabled={!writable}
            onChange={() => write(scope, root.id, field, type)}
          />
          <strong>{words(options[type] ?? verbatim(type))}</strong>
          <span>{text}</span>
        </label>
      ))}
      {decided && writable && (
        <Button size="small" type="link" className="x-more" onClick={() => setChoosing(true)}>
          <Trans>Another purpose</Trans>
        </Button>
      )}
    </div>
  )
}

const fieldsOf: Readonly<Record<string, readonly string[]>> = {
  decision: ['variable', 'domain', 'min', 'max', 'step', 'logarithmic', 'values', 'value', 'formula'],
  objective: ['name', 'direction', 'expression', 'aggregate'],
  constraint: ['name', 'stage', 'expression', 'relation', 'bound', 'tolerance', 'aggregate'],
  response: ['name', 'expression'],
  dataSeries: ['name', 'weight', 'expression', 'sigma', 'data'],
  alternative: ['name', 'modelScenario', 'values'],
}

/** Everything of one kind on the experiment's canvas. */
function Parts({
  kind,
  title,
  add,
  folded = false,
  children,
}: {
  kind: string
  title: string
  add: string
  folded?: boolean
  children?: ReactNode
}) {
  const { t } = useLingui()
  const words = useWords()
  const { root, file, session, writable, publics, experiment } = useExperiment()
  const preparation = useConducting(state => state.preparation)
  const parts = root.children.flatMap(id => file.elements.get(id) ?? []).filter(element => element.kind === kind)
  const row = kindOf(kind)
  const make = (): void => {
    // The next variable that is not varied yet, around what it is now.
    const taken = new Set(experiment.decisions.map(({ variable }) => publicOf(publics, variable)?.id))
    const next = publics.find(({ id }) => !taken.has(id))
    const now = Number(next?.initial ?? '')
    const around = Number.isFinite(now) && now !== 0 ? { min: Math.min(now * 0.5, now * 2), max: Math.max(now * 0.5, now * 2) } : {}
    const values = kind === 'decision' && next ? { variable: next.name, ...around } : {}
    const made = place(session.doc, { kind, parent: root.id, at: [0, 0], values })
    if (tell(made) && typeof made === 'string')
      requestAnimationFrame(() => document.querySelector<HTMLElement>(`#part-${made} input, #part-${made} [contenteditable]`)?.focus())
  }
  const body = (
    <>
      {children}
      {parts.map((element, index) => (
        <article className="x-part" key={element.id} id={`part-${element.id}`}>
          <div className="x-part-tools">
            {writable && index > 0 && (
              <Button
                type="text"
                size="small"
                aria-label={t`Move up`}
                title={t`Move up`}
                onClick={() => tell(reorder(session.doc, element.id, parts[index - 1]?.id ?? null))}
                icon={
                  <svg width="14" height="14" viewBox="0 0 14 14" aria-hidden="true">
                    <path d="M3 8.500 7 4.500l4 4" stroke="currentColor" strokeWidth="1.400" fill="none" />
                  </svg>
                }
              />
            )}
            {writable && <Remove label={t`Remove`} remove={() => tell(remove(session.doc, [element.id]))} />}
          </div>
          <div className="x-grid">
            {(fieldsOf[kind] ?? []).map(name => (
              <PlanField key={name} element={element} field={name} />
            ))}
          </div>
          {problemsAt(preparation?.problems ?? [], element.id).map(problem => (
            <p className="h-problem" data-severity={toneOf(problem)} role="note" key={english(problem.words)}>
              {words(problem.words)}
            </p>
          ))}
        </article>
      ))}
      {writable && (
        <Button type="dashed" block onClick={make}>
          {add}
        </Button>
      )}
    </>
  )
  const head = (
    <>
      {title} {row && <Help title={words(row.label)} text={words(row.help)} placement="right" />}
    </>
  )
  if (folded && parts.length === 0)
    return (
      <details className="x-section">
        <summary>
          <h2>{title}</h2>
          <span className="h-muted">
            <Trans>optional</Trans>
          </span>
        </summary>
        {body}
      </details>
    )
  return <Section title={head}>{body}</Section>
}

/** All that keeps the experiment from starting; each leads to where it is mended. */
function Problems({ jump }: { jump: Jump }) {
  const { t } = useLingui()
  const words = useWords()
  const preparation = useConducting(state => state.preparation)
  if (preparation === null) return null
  if (preparation.problems.length === 0)
    return (
      <p className="x-ready" role="status">
        <Trans>Ready to start.</Trans>
      </p>
    )
  return (
    <ul className="x-problems" aria-label={t`Problems`}>
      {preparation.problems.map(problem => (
        <li key={`${problem.at.id} ${problem.at.field ?? ''} ${english(problem.words)}`} data-severity={toneOf(problem)}>
          {problem.inModel ? (
            <span>
              {words(problem.words)} <small className="h-muted">{t`in the model`}</small>
            </span>
          ) : (
            <button type="button" onClick={() => jump(problem.at.id, problem.at.field)}>
              {words(problem.words)}
            </button>
          )}
        </li>
      ))}
    </ul>
  )
}
