// The tests of the scenario that is shown: what came of each, run again when an edit touches it; a failure leads to the check and to its seed.
import {
  CheckCircleFilled,
  ClockCircleOutlined,
  CloseCircleFilled,
  LoadingOutlined,
  PlayCircleOutlined,
  PlusOutlined,
} from '@ant-design/icons'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { Button, Switch } from 'antd'
import { useEffect, useMemo, type ReactNode } from 'react'
import { useStore } from 'zustand'
import { place } from '../../../model-schema/edit.ts'
import type { Id } from '../../../model-schema/model.ts'
import { testsOf, type CheckOutcome, type ModelTest, type TestOutcome } from '../../../sim-engine/testing.ts'
import { useEditor, useModelLater, useView } from '../../editor/useEditor.ts'
import { useWords } from '../../i18n/locale.ts'
import { useRun } from '../../run/RunProvider.tsx'
import { useCoverage } from './coverage.ts'
import { testerOf, type Tester, type TesterView } from './tester.ts'
import './tests.css'

export function TestsPanel() {
  const editor = useEditor()
  const model = useModelLater()
  const scenario = useView(view => view.scenario)
  const tester = testerOf(editor)
  const view = useStore(tester.view)
  useEffect(() => tester.follow(model, scenario), [tester, model, scenario])
  const tests = useMemo(() => testsOf(model, scenario), [model, scenario])
  return (
    <div className="h-tests">
      {tests.length === 0 ? <Empty scenario={scenario} /> : <Bar tester={tester} view={view} tests={tests} />}
      {view.broken !== null && (
        <p className="h-tests-broken" role="alert">
          <Trans>The tests could not be run: {view.broken}</Trans>
        </p>
      )}
      <ul>
        {tests.map(test => (
          <Line key={test.id} test={test} tester={tester} view={view} />
        ))}
      </ul>
    </div>
  )
}

function Empty({ scenario }: { scenario: Id }) {
  const { t } = useLingui()
  const editor = useEditor()
  const add = (): void => {
    const { x, y, h } = editor.scene.bounds ?? { x: 0, y: 0, h: 0 }
    const made = editor.tell(
      editor.gesture(() => place(editor.doc, { kind: 'test', parent: scenario, at: [x, y + h + 40], values: { name: t`Test` } })),
    )
    if (typeof made === 'string') editor.reveal(made, 'checks')
  }
  return (
    <div className="h-tests-empty">
      <p>
        <Trans>
          A test says what must be true of runs: always, at the end, in most of them. It is run again after edits, and fails with the seed
          that shows why.
        </Trans>
      </p>
      {editor.writable && (
        <Button size="small" icon={<PlusOutlined aria-hidden />} onClick={add}>
          <Trans>Add a test</Trans>
        </Button>
      )}
    </div>
  )
}

function Bar({ tester, view, tests }: { tester: Tester; view: TesterView; tests: readonly ModelTest[] }) {
  const reached = useCoverage()
  const isRunning = view.pending.length > 0
  const known = tests.flatMap(({ id }) => view.outcomes.get(id) ?? [])
  const failed = known.filter(({ passed }) => !passed).length
  const passed = known.length - failed
  const missed = reached === null ? 0 : [...reached.values()].filter(count => count === 0).length
  return (
    <div className="h-tests-bar">
      <Button
        size="small"
        type="primary"
        icon={isRunning ? <LoadingOutlined aria-hidden /> : <PlayCircleOutlined aria-hidden />}
        onClick={() => (isRunning ? tester.stop() : tester.run())}
      >
        {isRunning ? <Trans>Stop</Trans> : <Trans>Run tests</Trans>}
      </Button>
      <label>
        <Switch size="small" checked={view.isAutomatic} onChange={on => tester.automate(on)} /> <Trans>Run again after edits</Trans>
      </label>
      <label>
        <Switch size="small" checked={view.isCovering} onChange={on => tester.cover(on)} /> <Trans>Coverage on the canvas</Trans>
      </label>
      <span className="h-tests-sum" role="status">
        {known.length > 0 && (
          <Trans>
            {passed} passed, {failed} failed
          </Trans>
        )}
        {reached !== null && (
          <>
            {' · '}
            {missed === 0 ? (
              <Trans>every step is reached</Trans>
            ) : (
              <Plural value={missed} one="# step or branch is not reached" other="# steps or branches are not reached" />
            )}
          </>
        )}
      </span>
    </div>
  )
}

function Line({ test, tester, view }: { test: ModelTest; tester: Tester; view: TesterView }) {
  const { t } = useLingui()
  const editor = useEditor()
  const words = useWords()
  const outcome = view.outcomes.get(test.id)
  const isStale = view.stale.has(test.id)
  const isPending = view.pending.includes(test.id)
  return (
    <li data-stale={isStale || undefined}>
      <div className="h-tests-line">
        <Mark outcome={outcome} isStale={isStale} isPending={isPending} />
        <button type="button" className="h-tests-name" onClick={() => editor.reveal(test.id)}>
          {test.name}
        </button>
        <small>
          <Plural value={test.runs} one="# run" other="# runs" />
        </small>
        <Button
          size="small"
          type="text"
          icon={<PlayCircleOutlined aria-hidden />}
          aria-label={t`Run “${test.name}”`}
          title={t`Run this test`}
          disabled={view.pending.length > 0}
          onClick={() => tester.run([test.id])}
        />
      </div>
      {outcome?.problems.map((problem, i) => (
        <Reason
          // Two problems of one place may read alike.
          // eslint-disable-next-line react/no-array-index-key
          key={i}
          onClick={() => editor.reveal(problem.at.id, problem.at.field)}
        >
          {words(problem.message)}
        </Reason>
      ))}
      {outcome?.checks.map(
        (check, i) => check.passed || <Failed key={`${check.what} ${i + 1}`} test={test} check={check} index={i} runs={outcome.runs} />,
      )}
    </li>
  )
}

function Mark({ outcome, isStale, isPending }: { outcome: TestOutcome | undefined; isStale: boolean; isPending: boolean }) {
  const { t } = useLingui()
  if (isPending) return <LoadingOutlined className="h-tests-mark" aria-label={t`Waiting`} />
  if (!outcome) return <ClockCircleOutlined className="h-tests-mark" aria-label={t`Not run yet`} />
  const passed = isStale ? t`Passed before the last edit` : t`Passed`
  const failed = isStale ? t`Failed before the last edit` : t`Failed`
  return outcome.passed ? (
    <CheckCircleFilled className="h-tests-mark" data-good aria-label={passed} title={passed} />
  ) : (
    <CloseCircleFilled className="h-tests-mark" data-bad aria-label={failed} title={failed} />
  )
}

/** Where one check failed: the line leads to the check, or to the step that failed; the button loads the run with its seed. */
function Failed({ test, check, index, runs }: { test: ModelTest; check: CheckOutcome; index: number; runs: number }) {
  const editor = useEditor()
  const words = useWords()
  const run = useRun()
  const [first] = check.failures
  if (!first) return null
  const { seed, time, problem } = first
  const at = Number(time.toPrecision(6))
  const { failedRuns } = check
  const again = (): void => {
    run.setSeed(seed)
    run.reset()
    editor.reveal(problem?.at.id ?? test.id, problem?.at.field ?? `checks/${index}`)
  }
  return (
    <Reason
      onClick={() => editor.reveal(problem?.at.id ?? test.id, problem?.at.field ?? 'checks')}
      more={
        <Button size="small" onClick={again}>
          <Trans>Load seed {seed}</Trans>
        </Button>
      }
    >
      {words(problem?.message ?? first.words)}{' '}
      <em>
        {runs === 1 ? (
          <Trans>at time {at}</Trans>
        ) : (
          <Trans>
            at time {at}; in {failedRuns} of {runs} runs
          </Trans>
        )}
      </em>
    </Reason>
  )
}

function Reason({ onClick, more, children }: { onClick: () => void; more?: ReactNode; children: ReactNode }) {
  return (
    <div className="h-tests-reason">
      <button type="button" onClick={onClick}>
        {children}
      </button>
      {more}
    </div>
  )
}
