// The menu under the right button: the commands that make sense for what is selected.
import { useLingui } from '@lingui/react/macro'
import { Dropdown, type MenuProps } from 'antd'
import { useWords } from '../../i18n/locale.ts'
import { breakableAs, hasBreakpoint, toggleBreakpoint } from '../../run/breakpoints.ts'
import { useRun } from '../../run/RunProvider.tsx'
import { command, keyText, run, type CommandId } from '../commands.ts'
import { isMac } from '../keyboard.ts'
import { useScope, useView } from '../useEditor.ts'

const onSelection: readonly (readonly CommandId[])[] = [
  ['enter', 'rename', 'quickAdd'],
  ['cut', 'copy', 'paste', 'duplicate', 'delete'],
  ['makeDefault', 'straighten'],
  ['alignLeft', 'alignTop', 'distributeAcross', 'distributeDown'],
  ['toFront', 'forward', 'backward', 'toBack', 'selectFrame'],
  ['zoomSelection'],
]
const onNothing: readonly (readonly CommandId[])[] = [
  ['quickAdd', 'paste', 'selectAll'],
  ['leave'],
  ['zoomFit', 'zoomActual'],
  ['exportPng', 'exportSvg'],
]

export function ContextMenu() {
  const scope = useScope()
  const words = useWords()
  const menu = useView(view => view.menu)
  const selection = useView(view => view.selection)
  const breakpoint = useBreakpointItem(selection)
  if (!menu) return null
  const close = (): void => scope.editor.view.setState({ menu: null })
  const items = itemsOf(selection.length > 0 ? onSelection : onNothing, scope, words, close)
  return (
    <Dropdown
      open
      menu={{ items: breakpoint ? [...items, { type: 'divider', key: 'line breakpoint' }, breakpoint(close)] : items, autoFocus: true }}
      trigger={[]}
      onOpenChange={open => open || close()}
    >
      <span className="h-menu-anchor" style={{ left: menu.screen.x, top: menu.screen.y }} />
    </Dropdown>
  )
}

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

/** Groups of commands as menu items; those that may not run are greyed, those that never apply are left out. */
export function itemsOf(
  groups: readonly (readonly CommandId[])[],
  scope: ReturnType<typeof useScope>,
  words: ReturnType<typeof useWords>,
  done?: () => void,
): NonNullable<MenuProps['items']> {
  const rows = groups
    .map(group => group.filter(id => !situational.has(id) || command(id).may(scope) === true))
    .filter(group => group.length > 0)
  return rows.flatMap((group, i) => {
    const items = group.map(id => {
      const { keys } = command(id)
      const may = command(id).may(scope)
      return {
        key: id,
        disabled: may !== true,
        title: may === true ? '' : words(may),
        danger: id === 'delete',
        label: (
          <span className="h-menu-line">
            {words(command(id).words)}
            {keys[0] !== undefined && <kbd>{keyText(keys[0], isMac)}</kbd>}
          </span>
        ),
        onClick: () => {
          done?.()
          run(id, scope)
        },
      }
    })
    return i === 0 ? items : [{ type: 'divider' as const, key: `line ${i}` }, ...items]
  })
}

const situational: ReadonlySet<CommandId> = new Set([
  'enter',
  'makeDefault',
  'straighten',
  'alignLeft',
  'alignTop',
  'distributeAcross',
  'distributeDown',
  'selectFrame',
  'leave',
  'rename',
])
