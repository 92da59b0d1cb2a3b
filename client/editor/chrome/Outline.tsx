// The whole model as a tree: every canvas with its elements. The accessible twin of the canvas.
import { useWords } from '../../i18n/locale.ts'
import { SearchOutlined } from '@ant-design/icons'
import { useLingui } from '@lingui/react/macro'
import { Input, Tree, type TreeDataNode } from 'antd'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { Id, Model } from '../../../model-schema/model.ts'
import { iconOf } from '../../canvas/icons.ts'
import { KindIcon } from '../../panels/KindIcon.tsx'
import { useModelProblems, worstByElement, type Tone } from '../../panels/problems.ts'
import { mayEnter, pathTo, titleOf } from '../grammar.ts'
import { useEditor, useModelLater, useView } from '../useEditor.ts'
import type { Words } from '../../../model-schema/words.ts'

type Node = TreeDataNode & {
  key: Id
  name: string
  icon: string
  here: boolean
  mark: { severity: Tone; words: string } | null
  children?: Node[]
}

type Look = { canvas: Id; words: (words: Words) => string; worst: ReadonlyMap<Id, Tone>; problem: string }

export function Outline() {
  const { t } = useLingui()
  const words = useWords()
  const editor = useEditor()
  const model = useModelLater()
  const scenario = useView(view => view.scenario)
  const canvas = useView(view => view.canvas)
  const selection = useView(view => view.selection)
  const problems = useModelProblems()
  const worst = useMemo(() => worstByElement(problems, model), [problems, model])
  const problem = t`Has problems`
  const [search, setSearch] = useState('')
  const [open, setOpen] = useState<readonly Id[]>([scenario])
  const holder = useRef<HTMLDivElement>(null)
  const [height, setHeight] = useState(400)
  const tree = useMemo(
    () => treeOf(model, scenario, { canvas, words, worst, problem }, search.trim().toLowerCase()),
    [model, scenario, canvas, words, worst, problem, search],
  )

  useEffect(() => {
    setOpen(before => [...new Set([...before, ...pathTo(model, canvas).map(element => element.id)])])
    // Opening the path to the canvas shown is asked for by moving there, not by edits.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [canvas])

  useEffect(() => {
    if (!holder.current) return undefined
    const element = holder.current
    const measure = new ResizeObserver(() => setHeight(element.clientHeight))
    measure.observe(element)
    return () => measure.disconnect()
  }, [])

  return (
    <div className="h-outline">
      <Input
        allowClear
        prefix={<SearchOutlined aria-hidden />}
        placeholder={t`Search the outline`}
        aria-label={t`Search the outline`}
        value={search}
        onChange={event => setSearch(event.target.value)}
      />
      <div ref={holder} className="h-outline-tree">
        <Tree<Node>
          blockNode
          multiple
          aria-label={t`Outline of the model`}
          height={height}
          itemHeight={28}
          treeData={tree ? [tree] : []}
          expandedKeys={search.trim() === '' || !tree ? [...open] : keysOf(tree)}
          onExpand={keys => search.trim() === '' && setOpen(keys.map(String))}
          selectedKeys={selection.length > 0 ? [...selection] : [canvas]}
          onSelect={(_, { node }) => editor.reveal(node.key)}
          onDoubleClick={(_, node) => {
            if (mayEnter(model.elements.get(node.key))) editor.enter(node.key)
          }}
          titleRender={rowOf}
        />
      </div>
    </div>
  )
}

/** Connectors are left out: they are properties of how steps follow each other, and have names only rarely. */
function treeOf(model: Model, id: Id, look: Look, search: string): Node | null {
  const element = model.elements.get(id)
  if (!element) return null
  const children = element.children
    .filter(child => !model.elements.get(child)?.ends)
    .map(child => treeOf(model, child, look, search))
    .filter(node => node !== null)
  const name = titleOf(element, look.words)
  const severity = look.worst.get(id)
  if (search !== '' && children.length === 0 && !name.toLowerCase().includes(search)) return null
  return {
    key: id,
    name,
    icon: element.parent === null ? 'scenario' : iconOf(element.kind, element.fields),
    here: id === look.canvas,
    mark: severity ? { severity, words: look.problem } : null,
    isLeaf: children.length === 0,
    ...(children.length > 0 ? { children } : {}),
  }
}

/** A node with all below it: what was found is shown open. */
const keysOf = ({ key, children = [] }: Node): Id[] => [key, ...children.flatMap(keysOf)]

function rowOf(node: Node) {
  return (
    <span className="h-outline-row" data-here={node.here || undefined}>
      <KindIcon name={node.icon} size={14} />
      <span>{node.name}</span>
      {node.mark && <i className="h-mark" data-severity={node.mark.severity} role="img" aria-label={node.mark.words} />}
    </span>
  )
}
