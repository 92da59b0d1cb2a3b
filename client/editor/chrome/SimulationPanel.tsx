// The panel under the canvas: what is wrong with the model, and what its run says and can be told.
import { useLingui } from '@lingui/react/macro'
import { Badge, Tabs } from 'antd'
import { Suspense } from 'react'
import { useModelProblems } from '../../panels/problems.ts'
import { lazyPart } from '../../ui/updates.ts'
import { useEditor } from '../useEditor.ts'

const ProblemsPanel = lazyPart(async () => (await import('../../panels/ProblemsPanel.tsx')).ProblemsPanel)
const Output = lazyPart(async () => (await import('../../run/panels/Output.tsx')).Output)
const Variables = lazyPart(async () => (await import('../../run/panels/Variables.tsx')).Variables)
const Inputs = lazyPart(async () => (await import('../../run/panels/Inputs.tsx')).Inputs)

export type SimulationTab = 'problems' | 'output' | 'variables' | 'inputs'

const isTab = (key: string): key is SimulationTab => ['problems', 'output', 'variables', 'inputs'].includes(key)

export function SimulationPanel({
  tab,
  onTab,
  actions,
}: {
  tab: SimulationTab
  onTab: (tab: SimulationTab) => void
  actions?: React.ReactNode
}) {
  const { t } = useLingui()
  const editor = useEditor()
  const problems = useModelProblems()
  const errors = problems.filter(problem => problem.severity === 'error').length
  const show = (id: string, field?: string): void => editor.reveal(id, field)
  return (
    <Tabs
      size="small"
      className="h-simulation"
      activeKey={tab}
      onChange={key => isTab(key) && onTab(key)}
      tabBarExtraContent={actions}
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
          key: 'inputs',
          label: t`Inputs`,
          children: (
            <Suspense>
              <Inputs />
            </Suspense>
          ),
        },
      ]}
    />
  )
}
