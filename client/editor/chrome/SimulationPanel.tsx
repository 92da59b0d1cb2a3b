// The panel under the canvas: the problems of the model, and the outputs and controls of its run.
import { useLingui } from '@lingui/react/macro'
import { Badge, Tabs } from 'antd'
import { Fragment, useEffect, useEffectEvent, useState, type ReactNode } from 'react'
import type { Stop } from '../../../sim-engine/messages.ts'
import { toneOf, useModelProblems } from '../../panels/problems.ts'
import { toggleBreakpoint } from '../../run/breakpoints.ts'
import { useRun, useRunView } from '../../run/RunProvider.tsx'
import { PartOfPage } from '../../ui/loading/Mishap.tsx'
import { importedPart, useAhead } from '../../ui/loading/updates.ts'
import { useEditor, useView } from '../useEditor.ts'
import { defined } from '../../ui/defined.ts'

const ProblemsPanel = importedPart(
  () => import('../../panels/ProblemsPanel.tsx'),
  module => module.ProblemsPanel,
)
const Output = importedPart(
  () => import('../../run/panels/Output.tsx'),
  module => module.Output,
)
const Variables = importedPart(
  () => import('../../run/panels/Variables.tsx'),
  module => module.Variables,
)
const Breakpoints = importedPart(
  () => import('../../run/panels/Breakpoints.tsx'),
  module => module.Breakpoints,
)
const Locals = importedPart(
  () => import('../../run/panels/Locals.tsx'),
  module => module.Locals,
)
const CallStack = importedPart(
  () => import('../../run/panels/CallStack.tsx'),
  module => module.CallStack,
)
const References = importedPart(
  () => import('../../run/panels/References.tsx'),
  module => module.References,
)
const Profile = importedPart(
  () => import('../../run/panels/Profile.tsx'),
  module => module.Profile,
)
const WhatIf = importedPart(
  () => import('../../run/panels/WhatIf.tsx'),
  module => module.WhatIf,
)
const Individuals = importedPart(
  () => import('../../run/panels/Individuals.tsx'),
  module => module.Individuals,
)
const Chain = importedPart(
  () => import('../../run/panels/Chain.tsx'),
  module => module.Chain,
)
const Inputs = importedPart(
  () => import('../../run/panels/Inputs.tsx'),
  module => module.Inputs,
)
const TestsPanel = importedPart(
  () => import('../../panels/tests/TestsPanel.tsx'),
  module => module.TestsPanel,
)
const parts = [
  ProblemsPanel,
  TestsPanel,
  Output,
  Breakpoints,
  Variables,
  Inputs,
  Locals,
  CallStack,
  References,
  Individuals,
  Profile,
  WhatIf,
]

/** Five tabs hold what belongs together; the first of each is what its tab opens with. */
const groups = {
  problems: ['problems'],
  tests: ['tests'],
  inspect: ['variables', 'output', 'individuals', 'inputs', 'chain'],
  debug: ['breakpoints', 'locals', 'stack', 'profile', 'references'],
  compare: ['whatif'],
} as const

type Group = keyof typeof groups

export type SimulationTab = (typeof groups)[Group][number]

const groupNames: readonly Group[] = ['problems', 'tests', 'inspect', 'debug', 'compare']
const tabsOf = (group: Group): readonly SimulationTab[] => groups[group]
const groupOf = (tab: SimulationTab): Group => groupNames.find(group => tabsOf(group).includes(tab)) ?? 'problems'
const tabNamed = (key: string): SimulationTab | undefined => groupNames.flatMap(tabsOf).find(tab => tab === key)

/** Tabs that show the state of a stopped run. */
const debugging: ReadonlySet<SimulationTab> = new Set(['breakpoints', 'locals', 'stack'])

const tabOf = (key: SimulationTab, label: ReactNode, panel: ReactNode) => ({ key, label, children: <PartOfPage>{panel}</PartOfPage> })

export function SimulationPanel({ tab, onTab, actions }: { tab: SimulationTab; onTab: (tab: SimulationTab) => void; actions?: ReactNode }) {
  useAhead(parts)
  const { t } = useLingui()
  const editor = useEditor()
  const problems = useModelProblems()
  const errors = problems.filter(problem => toneOf(problem) === 'error').length
  const show = (id: string, field?: string): void => editor.reveal(id, field)
  const selected = useView(view => (view.selection.length === 1 ? (view.selection[0] ?? null) : null))
  const canvas = useView(view => view.canvas)
  const group = groupOf(tab)
  // Each group opens with what was last shown of it.
  const [latest, setLatest] = useState<Partial<Record<Group, SimulationTab>>>({})
  if (latest[group] !== tab) setLatest({ ...latest, [group]: tab })
  const run = useRun()
  const hasChain = useRunView(view => (view.loaded?.chains?.length ?? 0) > 0)
  const breakpoints = useRunView(view => view.breakpoints.length)
  const stopped = useEffectEvent((stop: Stop) => {
    const [top] = stop.stack
    // The keys stay where they are: a code field shows its line by itself.
    if (top) editor.reveal(stop.inFormula ? (top.formula?.element ?? top.step.id) : top.step.id)
    onTab(debugging.has(tab) ? tab : 'locals')
  })
  useEffect(() => run.subscribe((now, before) => now.stop && now.stop !== before.stop && stopped(now.stop)), [run])
  const forked = useEffectEvent(() => onTab('whatif'))
  useEffect(() => run.subscribe((now, before) => now.fork && !before.fork && forked()), [run])
  const pressed = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== 'F9' || event.defaultPrevented || selected === null) return
    event.preventDefault()
    toggleBreakpoint(run, selected)
  })
  useEffect(() => {
    window.addEventListener('keydown', pressed)
    return () => window.removeEventListener('keydown', pressed)
  }, [])
  const panels: Record<SimulationTab, ReturnType<typeof tabOf> & { destroyOnHidden?: boolean }> = {
    problems: tabOf('problems', t`Problems`, <ProblemsPanel />),
    // Tests follow edits only while they are looked at.
    tests: { ...tabOf('tests', t`Tests`, <TestsPanel />), destroyOnHidden: true },
    output: tabOf('output', t`Output`, <Output onShow={show} />),
    variables: tabOf('variables', t`Variables`, <Variables onShow={show} />),
    // A hidden tab makes no requests to the engine.
    individuals: { ...tabOf('individuals', t`Individuals`, <Individuals onShow={show} />), destroyOnHidden: true },
    inputs: tabOf('inputs', t`Inputs`, <Inputs />),
    chain: { ...tabOf('chain', t`Chain`, <Chain />), destroyOnHidden: true },
    breakpoints: tabOf(
      'breakpoints',
      <span className="h-tab">
        {t`Breakpoints`}
        {breakpoints > 0 && <Badge size="small" count={breakpoints} color="var(--h-faint)" />}
      </span>,
      <Breakpoints onShow={show} />,
    ),
    locals: tabOf('locals', t`Locals`, <Locals onShow={show} />),
    stack: tabOf('stack', t`Call stack`, <CallStack onShow={show} />),
    profile: tabOf('profile', t`Profiler`, <Profile onShow={show} />),
    whatif: tabOf('whatif', t`What if`, <WhatIf onShow={show} />),
    references: tabOf('references', t`References`, <References element={selected ?? canvas} onShow={show} />),
  }
  const names: Record<Group, ReactNode> = {
    problems: (
      <span className="h-tab">
        {t`Problems`}
        {problems.length > 0 && (
          <Badge size="small" count={problems.length} color={errors > 0 ? 'var(--h-bad)' : 'var(--h-warn)'} overflowCount={999} />
        )}
      </span>
    ),
    tests: t`Tests`,
    inspect: t`Inspect`,
    debug: t`Debug`,
    compare: t`Compare`,
  }
  return (
    <>
      <Tabs
        size="small"
        className="h-simulation"
        tabBarGutter={18}
        activeKey={group}
        onChange={key => {
          const next = groupNames.find(one => one === key)
          if (next) onTab(latest[next] ?? tabsOf(next)[0] ?? 'problems')
        }}
        items={groupNames.map(one => ({
          key: one,
          label: names[one],
          destroyOnHidden: one === 'tests',
          children:
            tabsOf(one).length === 1 ? (
              tabsOf(one).map(key => <Fragment key={key}>{panels[key].children}</Fragment>)
            ) : (
              <Tabs
                size="small"
                className="h-simulation-inner"
                tabBarGutter={14}
                {...defined({ activeKey: groupOf(tab) === one ? tab : latest[one] })}
                onChange={key => {
                  const next = tabNamed(key)
                  if (next) onTab(next)
                }}
                items={tabsOf(one)
                  .filter(key => key !== 'chain' || hasChain || tab === 'chain')
                  .map(key => panels[key])}
              />
            ),
        }))}
      />
      {/* Not among the tabs: whatever stands in their list must be one. */}
      {actions && <div className="h-simulation-actions">{actions}</div>}
    </>
  )
}
