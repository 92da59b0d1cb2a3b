// The panel under the canvas: what is wrong with the model, and what its run says and can be told.
import { useLingui } from '@lingui/react/macro'
import { Badge, Tabs } from 'antd'
import { Suspense, useEffect, useEffectEvent } from 'react'
import type { Stop } from '../../../sim-engine/messages.ts'
import { useModelProblems } from '../../panels/problems.ts'
import { toggleBreakpoint } from '../../run/breakpoints.ts'
import { useRun, useRunView } from '../../run/RunProvider.tsx'
import { lazyPart, useAhead } from '../../ui/updates.ts'
import { useEditor, useView } from '../useEditor.ts'

const ProblemsPanel = lazyPart(async () => (await import('../../panels/ProblemsPanel.tsx')).ProblemsPanel)
const Output = lazyPart(async () => (await import('../../run/panels/Output.tsx')).Output)
const Variables = lazyPart(async () => (await import('../../run/panels/Variables.tsx')).Variables)
const Breakpoints = lazyPart(async () => (await import('../../run/panels/Breakpoints.tsx')).Breakpoints)
const Locals = lazyPart(async () => (await import('../../run/panels/Locals.tsx')).Locals)
const CallStack = lazyPart(async () => (await import('../../run/panels/CallStack.tsx')).CallStack)
const References = lazyPart(async () => (await import('../../run/panels/References.tsx')).References)
const Profile = lazyPart(async () => (await import('../../run/panels/Profile.tsx')).Profile)
const WhatIf = lazyPart(async () => (await import('../../run/panels/WhatIf.tsx')).WhatIf)
const Individuals = lazyPart(async () => (await import('../../run/panels/Individuals.tsx')).Individuals)
const Inputs = lazyPart(async () => (await import('../../run/panels/Inputs.tsx')).Inputs)
const parts = [ProblemsPanel, Output, Breakpoints, Variables, Inputs, Locals, CallStack, References, Individuals, Profile, WhatIf]

const tabs = [
  'problems',
  'output',
  'variables',
  'individuals',
  'inputs',
  'breakpoints',
  'locals',
  'stack',
  'profile',
  'whatif',
  'references',
] as const

export type SimulationTab = (typeof tabs)[number]

const isTab = (key: string): key is SimulationTab => tabs.some(tab => tab === key)

/** Tabs that show where a stopped run stands. */
const debugging: ReadonlySet<SimulationTab> = new Set(['breakpoints', 'locals', 'stack'])

export function SimulationPanel({
  tab,
  onTab,
  actions,
}: {
  tab: SimulationTab
  onTab: (tab: SimulationTab) => void
  actions?: React.ReactNode
}) {
  useAhead(parts)
  const { t } = useLingui()
  const editor = useEditor()
  const problems = useModelProblems()
  const errors = problems.filter(problem => problem.severity === 'error').length
  const show = (id: string, field?: string): void => editor.reveal(id, field)
  const selected = useView(view => (view.selection.length === 1 ? (view.selection[0] ?? null) : null))
  const canvas = useView(view => view.canvas)
  const run = useRun()
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
  return (
    <>
      <Tabs
        size="small"
        className="h-simulation"
        tabBarGutter={18}
        activeKey={tab}
        onChange={key => isTab(key) && onTab(key)}
        items={[
          {
            key: 'problems',
            label: (
              <span className="h-tab">
                {t`Problems`}
                <Badge size="small" count={problems.length} color={errors > 0 ? 'var(--h-bad)' : 'var(--h-warn)'} overflowCount={999} />
              </span>
            ),
            children: (
              <Suspense>
                <ProblemsPanel />
              </Suspense>
            ),
          },
          {
            key: 'output',
            label: t`Output`,
            children: (
              <Suspense>
                <Output onShow={show} />
              </Suspense>
            ),
          },
          {
            key: 'variables',
            label: t`Variables`,
            children: (
              <Suspense>
                <Variables onShow={show} />
              </Suspense>
            ),
          },
          {
            key: 'individuals',
            label: t`Individuals`,
            // What is not looked at is not asked of the engine either.
            destroyOnHidden: true,
            children: (
              <Suspense>
                <Individuals onShow={show} />
              </Suspense>
            ),
          },
          {
            key: 'inputs',
            label: t`Inputs`,
            children: (
              <Suspense>
                <Inputs />
              </Suspense>
            ),
          },
          {
            key: 'breakpoints',
            label: (
              <span className="h-tab">
                {t`Breakpoints`}
                <Badge size="small" count={breakpoints} color="var(--h-faint)" />
              </span>
            ),
            children: (
              <Suspense>
                <Breakpoints onShow={show} />
              </Suspense>
            ),
          },
          {
            key: 'locals',
            label: t`Locals`,
            children: (
              <Suspense>
                <Locals onShow={show} />
              </Suspense>
            ),
          },
          {
            key: 'stack',
            label: t`Call stack`,
            children: (
              <Suspense>
                <CallStack onShow={show} />
              </Suspense>
            ),
          },
          {
            key: 'profile',
            label: t`Profiler`,
            children: (
              <Suspense>
                <Profile onShow={show} />
              </Suspense>
            ),
          },
          {
            key: 'whatif',
            label: t`What if`,
            children: (
              <Suspense>
                <WhatIf onShow={show} />
              </Suspense>
            ),
          },
          {
            key: 'references',
            label: t`References`,
            children: (
              <Suspense>
                <References element={selected ?? canvas} onShow={show} />
              </Suspense>
            ),
          },
        ]}
      />
      {/* Not among the tabs: whatever stands in their list must be one. */}
      {actions && <div className="h-simulation-actions">{actions}</div>}
    </>
  )
}
