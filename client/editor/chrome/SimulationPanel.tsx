// The panel under the canvas: what is wrong with the model, and what its run says and can be told.
import { useLingui } from '@lingui/react/macro'
import { Badge, Tabs } from 'antd'
import { useModelProblems } from '../../panels/problems.ts'
import { ProblemsPanel } from '../../panels/ProblemsPanel.tsx'
import { Inputs } from '../../run/panels/Inputs.tsx'
import { Output } from '../../run/panels/Output.tsx'
import { Variables } from '../../run/panels/Variables.tsx'
import { useEditor } from '../useEditor.ts'

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
          children: <ProblemsPanel />,
        },
        { key: 'output', label: t`Output`, children: <Output onShow={show} /> },
        { key: 'variables', label: t`Variables`, children: <Variables onShow={show} /> },
        { key: 'inputs', label: t`Inputs`, children: <Inputs /> },
      ]}
    />
  )
}
