// The file of Ant Design's styles has all that the components would write themselves, and nothing of components we do not import.
import { createCache, extractStyle, StyleProvider } from '@ant-design/cssinjs'
import * as antd from 'antd'
import { parse, type AtRule } from 'postcss'
import { createElement, type ReactNode } from 'react'
import { renderToString } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { importedComponents, stylesOf } from '../../client/ui/antd/plugin.ts'
import { prune } from '../../client/ui/antd/prune.ts'

const css = stylesOf(importedComponents())

/** The selectors of all rules, without the hash that keeps versions of the package apart. */
function rulesOf(sheet: string): Set<string> {
  const rules = new Set<string>()
  parse(sheet.replaceAll(/:where\(\.css-[\w-]+\)/g, '')).walkRules(rule => {
    // What only Internet Explorer reads the package's file leaves out.
    const around = rule.parent?.type === 'atrule' ? (rule.parent as AtRule) : null
    if (around !== null && (around.name.endsWith('keyframes') || around.params.includes('-ms-high-contrast'))) return
    for (const selector of rule.selectors) rules.add(selector.replaceAll(/\s+/g, ' ').trim())
  })
  return rules
}

/** The rules that this would write when it is shown. */
function writtenBy(element: ReactNode): Set<string> {
  const cache = createCache()
  renderToString(<StyleProvider cache={cache}>{element}</StyleProvider>)
  return rulesOf(extractStyle(cache, { plain: true, types: ['style'] }))
}

const { Alert, Badge, Button, Checkbox, ColorPicker, DatePicker, Dropdown, Empty, Flex, Form, Input, InputNumber, Modal } = antd
const {
  Popover,
  Progress,
  QRCode,
  Radio,
  Result,
  Segmented,
  Select,
  Skeleton,
  Slider,
  Space,
  Spin,
  Steps,
  Switch,
  Tabs,
  Tag,
  Tooltip,
  Tree,
} = antd

const shown: Readonly<Record<string, ReactNode>> = {
  Alert: <Alert title="a" showIcon />,
  Badge: <Badge count={1} />,
  Button: <Button type="primary">a</Button>,
  Checkbox: <Checkbox />,
  ColorPicker: <ColorPicker />,
  DatePicker: <DatePicker />,
  Dropdown: <Dropdown menu={{ items: [] }}>{createElement('a')}</Dropdown>,
  Empty: <Empty />,
  Flex: <Flex />,
  Form: (
    <Form>
      <Form.Item label="a" />
    </Form>
  ),
  Input: <Input.Search />,
  InputNumber: <InputNumber />,
  Modal: <Modal open getContainer={false} />,
  Popover: <Popover content="a">{createElement('a')}</Popover>,
  Progress: <Progress percent={5} />,
  QRCode: <QRCode value="a" type="svg" />,
  Radio: <Radio.Group options={['a']} />,
  Result: <Result status="error" />,
  Segmented: <Segmented options={['a']} />,
  Select: <Select options={[]} />,
  Skeleton: <Skeleton />,
  Slider: <Slider />,
  Space: <Space.Compact>a</Space.Compact>,
  Spin: <Spin />,
  Steps: <Steps items={[{ title: 'a' }]} />,
  Switch: <Switch />,
  Tabs: <Tabs items={[{ key: 'a', label: 'a' }]} />,
  Tag: <Tag>a</Tag>,
  Tooltip: <Tooltip title="a">{createElement('a')}</Tooltip>,
  Tree: <Tree treeData={[{ key: 'a' }]} />,
}

describe('styles of Ant Design: one file', () => {
  const all = rulesOf(css)

  it.each(Object.entries(shown))('holds every rule that %s writes', (_name, element) => {
    const written = writtenBy(element)
    expect(written.size).toBeGreaterThan(3)
    // The package writes them, but they apply to no component that we import.
    const ours = [...written].filter(selector => !/\.ant-(typography|table|upload)/.test(selector))
    expect(ours.filter(selector => !all.has(selector))).toEqual([])
  })

  it('leaves out what no page imports', () => {
    const classes = new Set([...css.matchAll(/\.ant-([a-z-]+)/g)].map(([, name]) => name))
    for (const name of ['table', 'calendar', 'carousel', 'mentions', 'transfer', 'upload']) expect(classes).not.toContain(name)
  })

  it('has the styles of a component with those of all it is made of, and no others', () => {
    expect(stylesOf(new Set(['Button']))).toContain('.ant-btn')
    expect(stylesOf(new Set(['Table']))).toContain('.ant-checkbox')
    expect(stylesOf(new Set())).not.toContain('.ant-btn')
  })
})

describe('styles of Ant Design: pruning', () => {
  it('drops selectors and rules of unused components, by whole words of their names', () => {
    const sheet = '.ant-a,.ant-b{top:0}.ant-b .ant-a{top:1px}.ant-b-c{top:2px}.ant-bc{top:3px}'
    expect(prune(sheet, new Set(['b']))).toBe('.ant-a{top:0}.ant-bc{top:3px}')
  })

  it('drops animations that nothing names, and empty groups', () => {
    const sheet =
      '@keyframes x{from{top:0}}@keyframes y{from{top:0}}.ant-a{animation:x 1s}.ant-b{animation-name:y}@media print{.ant-b{top:0}}'
    expect(prune(sheet, new Set(['b']))).toBe('@keyframes x{from{top:0}}.ant-a{animation:x 1s}')
  })

  it('refuses what is no style sheet', () => {
    expect(() => prune('.ant-a{', new Set())).toThrow(/Unclosed block/)
  })
})
