// Where one is: the scenario (with its own menu) and the canvases entered from it.
import { CopyOutlined, DeleteOutlined, DiffOutlined, DownOutlined, EditOutlined, PlusOutlined } from '@ant-design/icons'
import { useLingui } from '@lingui/react/macro'
import { Button, Dropdown, Input, type MenuProps } from 'antd'
import { Suspense, useState } from 'react'
import { useShallow } from 'zustand/react/shallow'
import { addScenario, duplicateScenario, removeScenario, rename } from '../../../model-schema/edit.ts'
import type { Id } from '../../../model-schema/model.ts'
import { iconOf } from '../../canvas/icons.ts'
import { useWords } from '../../i18n/locale.ts'
import { KindIcon } from '../../panels/KindIcon.tsx'
import { confirmed } from '../../ui/toast.ts'
import { importedPart } from '../../ui/loading/updates.ts'
import { pathTo, titleOf } from '../grammar.ts'
import { useEditor, useModel, useView } from '../useEditor.ts'

const CompareScenarios = importedPart(
  () => import('./CompareScenarios.tsx'),
  module => module.CompareScenarios,
)

export function Breadcrumb() {
  const { t } = useLingui()
  const words = useWords()
  const editor = useEditor()
  const canvas = useView(view => view.canvas)
  const path = useModel(useShallow(model => pathTo(model, canvas)))
  return (
    <nav className="h-breadcrumb" aria-label={t`Canvases`}>
      <Scenario />
      {path.slice(1).map((element, i) => (
        <span key={element.id}>
          <i aria-hidden>›</i>
          <button
            type="button"
            aria-current={i === path.length - 2 ? 'page' : undefined}
            title={titleOf(element, words)}
            onClick={() => editor.goTo(element.id)}
          >
            <KindIcon name={iconOf(element.kind, element.fields)} size={14} />
            <bdi>{titleOf(element, words)}</bdi>
          </button>
        </span>
      ))}
    </nav>
  )
}

function Scenario() {
  const { t } = useLingui()
  const words = useWords()
  const editor = useEditor()
  const scenario = useView(view => view.scenario)
  const scenarios = useModel(useShallow(model => model.scenarios.flatMap(id => model.elements.get(id) ?? [])))
  const canvas = useView(view => view.canvas)
  const [renaming, setRenaming] = useState(false)
  const [comparing, setComparing] = useState(false)
  const element = scenarios.find(({ id }) => id === scenario)
  if (!element) return null
  const name = titleOf(element, words)

  if (renaming)
    return (
      <Input
        size="small"
        autoFocus
        className="h-scenario-name"
        aria-label={t`Name of the scenario`}
        defaultValue={name}
        maxLength={128}
        onFocus={event => event.target.select()}
        onBlur={event => {
          setRenaming(false)
          if (event.target.value.trim() !== name) editor.tell(editor.gesture(() => rename(editor.doc, scenario, event.target.value)))
        }}
        onPressEnter={event => event.currentTarget.blur()}
        onKeyDown={event => event.key === 'Escape' && setRenaming(false)}
      />
    )

  const go = (made: Id | null): void => {
    if (made !== null) editor.goTo(made)
  }
  const drop = async (): Promise<void> => {
    const sure = await confirmed({
      title: t`Delete the scenario “${name}”?`,
      content: t`Everything in it is deleted with it. You can undo this.`,
      ok: t`Delete`,
      cancel: t`Cancel`,
    })
    if (!sure) return
    editor.tell(editor.gesture(() => removeScenario(editor.doc, scenario)))
  }
  const items: MenuProps['items'] = [
    ...scenarios.map(other => ({ key: other.id, label: titleOf(other, words), onClick: () => editor.goTo(other.id) })),
    ...(scenarios.length > 1
      ? [
          { type: 'divider' as const },
          { key: 'compare', icon: <DiffOutlined aria-hidden />, label: t`Compare scenarios`, onClick: () => setComparing(true) },
        ]
      : []),
    ...(editor.writable
      ? [
          { type: 'divider' as const },
          {
            key: 'add',
            icon: <PlusOutlined aria-hidden />,
            label: t`Add a scenario`,
            onClick: () => go(editor.tell(editor.gesture(() => addScenario(editor.doc)))),
          },
          {
            key: 'copy',
            icon: <CopyOutlined aria-hidden />,
            label: t`Duplicate`,
            onClick: () => go(editor.tell(editor.gesture(() => duplicateScenario(editor.doc, scenario)))),
          },
          { key: 'rename', icon: <EditOutlined aria-hidden />, label: t`Rename`, onClick: () => setRenaming(true) },
          {
            key: 'delete',
            icon: <DeleteOutlined aria-hidden />,
            danger: true,
            disabled: scenarios.length < 2,
            label: t`Delete`,
            onClick: () => void drop(),
          },
        ]
      : []),
  ]
  return (
    <span className="h-scenario">
      <button type="button" aria-current={canvas === scenario ? 'page' : undefined} title={name} onClick={() => editor.goTo(scenario)}>
        <KindIcon name="scenario" size={14} />
        <bdi>{name}</bdi>
      </button>
      <Dropdown trigger={['click']} menu={{ items, selectable: true, selectedKeys: [scenario] }}>
        <Button type="text" size="small" icon={<DownOutlined aria-hidden />} aria-label={t`Scenarios`} />
      </Dropdown>
      <Suspense>{comparing && <CompareScenarios onClose={() => setComparing(false)} />}</Suspense>
    </span>
  )
}
