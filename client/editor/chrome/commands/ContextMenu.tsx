// The menu under the right button: the commands that make sense for what is selected.
import { useLingui } from '@lingui/react/macro'
import { Dropdown, type MenuProps } from 'antd'
import { useState, type ReactNode } from 'react'
import { useWords } from '../../../i18n/locale.ts'
import { breakableAs, hasBreakpoint, toggleBreakpoint } from '../../../run/breakpoints.ts'
import { useRun } from '../../../run/RunProvider.tsx'
import { command, run, tagColors, type CommandId } from '../../commands.ts'
import { keyText } from '../../strokes.ts'
import { isMac } from '../../keyboard.ts'
import { useScope, useView } from '../../useEditor.ts'
import './contextmenu.css'
import { say, sayIn, type Words } from '../../../../model-schema/words.ts'

const order: Submenu = { key: 'order', label: sayIn('on the canvas', 'Order'), commands: ['toFront', 'forward', 'backward', 'toBack'] }
const alignment: Submenu = {
  key: 'align',
  label: say('Align and distribute'),
  commands: ['alignLeft', 'alignCentre', 'alignRight', 'alignTop', 'alignMiddle', 'alignBottom', 'distributeAcross', 'distributeDown'],
}
const tags: Submenu = {
  key: 'tag',
  label: sayIn('value of a tag set', 'Tag'),
  commands: ['tagRed', 'tagOrange', 'tagYellow', 'tagGreen', 'tagBlue', 'tagPurple', 'tagNone'],
}

const onSelection: readonly (readonly Row[])[] = [
  ['enter', 'rename', 'quickAdd', 'comment'],
  ['cut', 'copy', 'paste', 'duplicate', 'delete'],
  ['explore', 'makeDefault', 'straighten'],
  ['group', 'ungroup', 'selectFrame', alignment, order],
  [tags, 'lock', 'unlock'],
  ['zoomSelection'],
]
const onNothing: readonly (readonly Row[])[] = [
  ['quickAdd', 'paste', 'selectAll', 'comment'],
  ['leave', 'unlockAll'],
  ['zoomFit', 'zoomActual'],
  ['exportPng', 'exportSvg', 'setCover'],
]

export function ContextMenu() {
  const scope = useScope()
  const words = useWords()
  const menu = useView(view => view.menu)
  const selection = useView(view => view.selection)
  const breakpoint = useBreakpointItem(selection)
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const [popup, setPopup] = useState<HTMLElement | null>(null)
  const [measured] = useState(() => measuring(setPopup))
  // It is moved into the window; one that is longer than the window scrolls.
  const canvas = anchor?.offsetParent?.getBoundingClientRect()
  const by = { x: 0, y: 0 }
  if (menu && canvas && popup) {
    const rtl = document.dir === 'rtl'
    const x = canvas.left + menu.screen.x
    const y = canvas.top + menu.screen.y
    const { offsetWidth: w, offsetHeight: h } = popup
    by.x = rtl ? Math.max(0, edge + w - x) : Math.min(0, innerWidth - edge - w - x)
    by.y = Math.max(edge - y, Math.min(0, innerHeight - 2 * edge - h - y))
  }
  if (!menu) return null
  const close = (): void => scope.editor.view.setState({ menu: null })
  const items = itemsOf(selection.length > 0 ? onSelection : onNothing, scope, words, close)
  return (
    <Dropdown
      open
      menu={{ items: breakpoint ? [...items, { type: 'divider', key: 'line breakpoint' }, breakpoint(close)] : items, autoFocus: true }}
      trigger={[]}
      autoAdjustOverflow={false}
      classNames={{ root: 'h-context-menu' }}
      popupRender={measured}
      onOpenChange={open => open || close()}
    >
      <span className="h-menu-anchor" ref={setAnchor} style={{ left: menu.screen.x + by.x, top: menu.screen.y + by.y }} />
    </Dropdown>
  )
}

const measuring = (measure: (popup: HTMLElement | null) => void) => (content: ReactNode) => <div ref={measure}>{content}</div>

/** The menu keeps this far from the window's edges, in CSS pixels. */
const edge = 8

/** The menu line that sets or clears a breakpoint on the one step or variable selected. */
function useBreakpointItem(selection: readonly string[]) {
  const { t } = useLingui()
  const watched = useRun()
  const { editor } = useScope()
  const [id] = selection
  if (id === undefined || selection.length > 1 || breakableAs(editor.model.elements.get(id)?.kind ?? '') === null) return null
  return (done: () => void) => ({
    key: 'breakpoint',
    label: (
      <span className="h-menu-line">
        {hasBreakpoint(watched, id) ? t`Remove breakpoint` : t`Breakpoint`}
        <kbd>F9</kbd>
      </span>
    ),
    onClick: () => {
      done()
      toggleBreakpoint(watched, id)
    },
  })
}

/** A line of a menu: a command, or a few behind one line. */
export type Row = CommandId | Submenu
type Submenu = { readonly key: string; readonly label: Words; readonly commands: readonly CommandId[] }

/** Groups of commands as menu items; those that may not run are greyed, those that never apply are left out. */
export function itemsOf(
  groups: readonly (readonly Row[])[],
  scope: ReturnType<typeof useScope>,
  words: ReturnType<typeof useWords>,
  done?: () => void,
): NonNullable<MenuProps['items']> {
  const may = (id: CommandId): boolean => command(id).may(scope) === true
  const fits = (row: Row): boolean => (typeof row === 'string' ? !situational.has(row) || may(row) : row.commands.some(may))
  const itemOf = (id: CommandId) => {
    const { keys } = command(id)
    const why = command(id).may(scope)
    const color = tagColors[id]
    return {
      key: id,
      disabled: why !== true,
      title: why === true ? '' : words(why),
      danger: id === 'delete',
      label: (
        <span className="h-menu-line">
          <span>
            {color !== undefined && <i className="h-tag-dot" style={{ background: color }} />}
            {words(command(id).words)}
          </span>
          {keys[0] !== undefined && <kbd>{keyText(keys[0], isMac)}</kbd>}
        </span>
      ),
      onClick: () => {
        done?.()
        run(id, scope)
      },
    }
  }
  const rows = groups.map(group => group.filter(fits)).filter(group => group.length > 0)
  return rows.flatMap((group, i) => {
    const items = group.map(row =>
      typeof row === 'string' ? itemOf(row) : { key: row.key, label: words(row.label), children: row.commands.filter(may).map(itemOf) },
    )
    return i === 0 ? items : [{ type: 'divider' as const, key: `line ${i}` }, ...items]
  })
}

const situational: ReadonlySet<CommandId> = new Set([
  'explore',
  'enter',
  'makeDefault',
  'straighten',
  'group',
  'ungroup',
  'lock',
  'unlock',
  'unlockAll',
  'selectFrame',
  'setCover',
  'leave',
  'rename',
])
