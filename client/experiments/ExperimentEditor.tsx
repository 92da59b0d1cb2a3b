// The experiment editor: the plan on the left, the run in the line above, the results on the right. On a phone one of them at a time.
import { Trans, useLingui } from '@lingui/react/macro'
import { LeftOutlined, RightOutlined } from '@ant-design/icons'
import { Segmented } from 'antd'
import { Suspense, useEffect, useMemo, useState, type ReactNode } from 'react'
import { useStore } from 'zustand'
import { experimentOf } from '../../model-schema/experiment.ts'
import type { Id } from '../../model-schema/model.ts'
import { FileCopilot } from '../copilot/files/FileCopilot.tsx'
import { Editor } from '../editor/editor.ts'
import { quietHost } from '../editor/quietHost.ts'
import { EditorContext, type EditorScope } from '../editor/useEditor.ts'
import { ProblemsContext } from '../panels/problems.ts'
import type { Session } from '../session.ts'
import { DocumentBar } from '../ui/documentbar/DocumentBar.tsx'
import { useMedia } from '../ui/useMedia.ts'
import { EmptyState } from '../ui/EmptyState.tsx'
import { PageLoading } from '../ui/loading/PageLoading.tsx'
import { complain } from '../ui/toast.ts'
import { useUndoKeys } from '../ui/documentbar/undoKeys.ts'
import { importedPart } from '../ui/loading/updates.ts'
import { Conductor } from './conduct/conductor.ts'
import { useLimits, type Limits } from './limits.ts'
import { publicsOf, scenarioOf, storeOf, useLinked, useLinkedModel } from './linked.ts'
import { Plan } from './plan/Plan.tsx'
import { formulaProblems } from './plan/problems.ts'
import { RunBar } from './RunBar.tsx'
import { ScopeContext, useConducting, useExperiment, type ExperimentScope } from './scope.ts'
import '../editor/editor.css'
import '../panels/panels.css'
import './experiments.css'
import './run.css'

const Results = importedPart(
  () => import('./results/Results.tsx'),
  module => module.Results,
)
const TrainingPage = importedPart(
  () => import('./training/TrainingPage.tsx'),
  module => module.TrainingPage,
)
const TrainingBar = importedPart(
  () => import('./training/TrainingBar.tsx'),
  module => module.TrainingBar,
)
const TrainingResults = importedPart(
  () => import('./training/TrainingResults.tsx'),
  module => module.TrainingResults,
)

type Props = {
  session: Session
  title: string
  teamCode: string
  onRename?: ((title: string) => void) | undefined
  backTo: string
  /** A button that shares the file. */
  share?: ReactNode
  /** In the place of the document's bar. */
  bar?: ReactNode
}

export function ExperimentEditor(props: Props) {
  const { t } = useLingui()
  const { session } = props
  const { model: file } = useStore(session.model)
  const experiment = useMemo(() => experimentOf(file), [file])
  const limits = useLimits(session)
  if (experiment === null)
    return (
      <EmptyState
        title={t`No experiment in this file`}
        text={t`The file holds something else, or was emptied by somebody. Undo, or go back to an earlier version.`}
      />
    )
  if (limits === null) return <PageLoading />
  return <Open key={session.docId} {...props} limits={limits} />
}

function Open(props: Props & { limits: Limits }) {
  const { session, limits, teamCode } = props
  const { model: file } = useStore(session.model)
  const { writable } = useStore(session.access)
  const experiment = useMemo(() => experimentOf(file), [file])
  const linked = useLinked(session, experiment?.modelFile ?? '')
  const model = useLinkedModel(linked)
  const conductor = useMemo(() => {
    const { localRuns, steps } = limits
    return new Conductor({ user: session.target.user.id, docId: session.docId, localRuns, steps })
  }, [session, limits])
  useEffect(() => {
    conductor.open().catch(complain)
    return () => conductor.close()
  }, [conductor])
  // What it would lack without its model is not lacking while that is being opened.
  const isOpening = linked.state === 'opening'
  useEffect(() => {
    if (!isOpening) conductor.edit(file, model)
  }, [conductor, file, model, isOpening])
  const scenario = model && experiment ? scenarioOf(model, experiment.modelScenario) : null
  const publics = useMemo(() => (model && scenario ? publicsOf(model, scenario) : []), [model, scenario])
  const root = experiment === null ? undefined : file.elements.get(experiment.id)
  const scope = useMemo<ExperimentScope | null>(
    () =>
      experiment && root
        ? { session, conductor, experiment, root, file, linked, model, scenario, publics, writable, teamCode, limits }
        : null,
    [session, conductor, experiment, root, file, linked, model, scenario, publics, writable, teamCode, limits],
  )
  const modelStore = storeOf(linked)
  const editorScope = useFormulaScope(session, modelStore)
  const preparation = useStore(conductor.store, state => state.preparation)
  const problems = useMemo(() => formulaProblems(preparation?.problems ?? []), [preparation])
  if (scope === null) return null
  return (
    <ScopeContext value={scope}>
      <EditorContext value={editorScope}>
        <ProblemsContext value={problems}>
          {experiment?.type === 'learning' ? (
            <Suspense fallback={<PageLoading />}>
              <TrainingPage>
                <Page {...props} />
              </TrainingPage>
            </Suspense>
          ) : (
            <Page {...props} />
          )}
        </ProblemsContext>
      </EditorContext>
    </ScopeContext>
  )
}

/** The model that formula fields resolve names in: the linked one. Its elements are not on this page, so there is nothing to reveal. */
function useFormulaScope(session: Session, model: EditorScope['model']): EditorScope {
  const editor = useMemo(
    () => new Editor({ doc: session.doc, model: session.model, undo: session.undo, writable: () => session.writable }),
    [session],
  )
  useEffect(() => () => editor.close(), [editor])
  return useMemo(() => ({ editor, host: quietHost, model }), [editor, model])
}

type Side = 'plan' | 'results'

function Page({ session, title, onRename, backTo, share, bar }: Props) {
  const { t } = useLingui()
  const narrow = useMedia('(max-width: 900px)')
  const { experiment, conductor } = useExperiment()
  const hasResults = useConducting(({ results }) => (results?.known ?? 0) > 0)
  const explain = useMemo(
    () => (hasResults ? async () => (await import('../copilot/files/result.ts')).resultExplained(conductor.store.getState()) : null),
    [hasResults, conductor],
  )
  const learns = experiment.type === 'learning'
  const [side, setSide] = useState<Side>('plan')
  const [isFolded, setFolded] = useState(false)
  useUndoKeys(session)
  const jump = (id: Id, field?: string): void => {
    setSide('plan')
    setFolded(false)
    requestAnimationFrame(() => reveal(id, field))
  }
  const plan = (
    <aside className="x-plan" aria-label={t`Plan`}>
      <Plan jump={jump} />
    </aside>
  )
  const results = (
    <section className="x-results" aria-label={t`Results`}>
      <Suspense fallback={<PageLoading />}>{learns ? <TrainingResults /> : <Results />}</Suspense>
    </section>
  )
  return (
    <div className="h-editor x-editor" data-narrow={narrow || undefined}>
      {bar === undefined ? (
        <DocumentBar
          session={session}
          title={title}
          onRename={onRename}
          backTo={backTo}
          share={share}
          narrow={narrow}
          tools={
            <FileCopilot
              session={session}
              kind="experiment"
              name={title}
              modelFile={experiment.modelFile}
              reveal={jump}
              explain={explain}
            />
          }
        />
      ) : (
        bar
      )}
      <main className="x-main">
        {learns ? (
          <Suspense fallback={null}>
            <TrainingBar jump={jump} onStart={() => setSide('results')} />
          </Suspense>
        ) : (
          <RunBar jump={jump} onStart={() => setSide('results')} />
        )}
        {narrow && (
          <Segmented
            block
            className="x-sides"
            value={side}
            onChange={setSide}
            options={[
              { value: 'plan', label: <Trans>Plan</Trans> },
              { value: 'results', label: <Trans>Results</Trans> },
            ]}
          />
        )}
        <div className="x-columns">
          {(narrow ? side === 'plan' : !isFolded) && plan}
          {!narrow && (
            <button
              type="button"
              className="x-fold"
              aria-expanded={!isFolded}
              aria-label={t`Plan`}
              title={isFolded ? t`Show the plan` : t`Hide the plan, for more room`}
              onClick={() => setFolded(!isFolded)}
            >
              {isFolded ? <RightOutlined aria-hidden /> : <LeftOutlined aria-hidden />}
            </button>
          )}
          {(!narrow || side === 'results') && results}
        </div>
      </main>
    </div>
  )
}

/** Shows a field of the plan and puts the cursor in it. */
function reveal(id: Id, field?: string): void {
  const place =
    document.getElementById(field === undefined ? `part-${id}` : `place-${id}-${field}`) ?? document.getElementById(`part-${id}`)
  if (!place) return
  for (let at: HTMLElement | null = place; at; at = at.parentElement) if (at instanceof HTMLDetailsElement) at.open = true
  place.scrollIntoView({ block: 'center', behavior: matchMedia('(prefers-reduced-motion: reduce)').matches ? 'auto' : 'smooth' })
  const focusable = place.querySelector<HTMLElement>('input, textarea, button, [contenteditable=true], [tabindex]')
  focusable?.focus({ preventScroll: true })
}
