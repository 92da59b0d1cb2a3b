// Initial values of controls, and their effect on other cards. Pure: the page, the properties and the tests call the same functions.
// Visibility follows from the current values, not from earlier events; only setting a value is an action, done when the other one changes.
import { everyItem, type Dashboard, type Item } from '../../model-schema/dashboard.ts'
import type { Element, Id } from '../../model-schema/model.ts'
import type { Plain } from '../../sim-engine/messages.ts'
import { cellText, numberField, rowsField, textField } from '../run/fields.ts'
import { parseLiteral, printLiteral } from '../run/literal.ts'

export type Interaction = {
  readonly when: string
  readonly than: string
  readonly act: string
  /** Id of the other card; blank while none is chosen. */
  readonly card: Id
  readonly to: string
}

export const isControl = ({ kind }: Element): boolean => kind === 'controller'
export const isButton = (element: Element): boolean => textField(element, 'type') === 'button'

export const interactionsOf = (element: Element): Interaction[] =>
  !isControl(element)
    ? []
    : rowsField(element, 'interactions').map(row => ({
        when: cellText(row, 'when') || 'is',
        than: cellText(row, 'than'),
        act: cellText(row, 'act') || 'show',
        card: cellText(row, 'card'),
        to: cellText(row, 'to'),
      }))

const truths: ReadonlySet<string> = new Set(['true', 'on', 'yes', '1'])

/** The text of a user as the value of a control of this type; undefined if it is no such value. */
export function valueFor(element: Element, written: string): Plain | undefined {
  const text = written.trim()
  switch (textField(element, 'type') || 'slider') {
    case 'switch':
      return text === '' ? undefined : truths.has(text.toLowerCase())
    case 'slider':
    case 'number': {
      if (text === '' || !Number.isFinite(Number(text))) return undefined
      const [least, most] = [numberField(element, 'min') ?? -Infinity, numberField(element, 'max') ?? Infinity]
      return Math.max(least, Math.min(most, Number(text)))
    }
    case 'select':
      return text === '' ? undefined : (parseLiteral(text) ?? text)
    case 'button':
      return undefined
    default:
      return written === '' ? undefined : written
  }
}

/** The value a control that is bound to nothing begins with. */
export function firstValue(element: Element): Plain {
  const said = valueFor(element, textField(element, 'initial'))
  if (said !== undefined) return said
  switch (textField(element, 'type') || 'slider') {
    case 'switch':
      return false
    case 'slider':
    case 'number':
      return numberField(element, 'min') ?? 0
    case 'select':
      return parseLiteral(cellText(rowsField(element, 'options')[0] ?? {}, 'value')) ?? null
    default:
      return ''
  }
}

const isBlank = (value: Plain | undefined): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)

/** Whether the condition of an interaction holds for this value. */
export function holds({ when, than }: Interaction, value: Plain | undefined): boolean {
  switch (when) {
    case 'always':
      return true
    case 'blank':
      return isBlank(value)
    case 'isNot':
      return !is(value, than)
    case 'more':
      return typeof value === 'number' && than.trim() !== '' && value > Number(than)
    case 'less':
      return typeof value === 'number' && than.trim() !== '' && value < Number(than)
    case 'contains':
      return Array.isArray(value)
        ? value.some(item => is(item, than))
        : typeof value === 'string' && value.toLocaleLowerCase().includes(than.toLocaleLowerCase())
    default:
      return is(value, than)
  }
}

function is(value: Plain | undefined, than: string): boolean {
  if (typeof value === 'boolean') return truths.has(than.trim().toLowerCase()) === value
  if (typeof value === 'number') return than.trim() !== '' && Number(than) === value
  if (typeof value === 'string') return value === than || value === parseLiteral(than)
  return value !== undefined && printLiteral(value) === than.trim()
}

/** Whether a card is seen and can be used. */
export type Standing = { readonly shown: boolean; readonly enabled: boolean }

export const plainStanding: Standing = { shown: true, enabled: true }

/** The state of cards that are hidden or otherwise not in their default state; `valueOf` is true for a button that is on. */
export function standings({ items }: Pick<Dashboard, 'items'>, valueOf: (item: Item) => Plain | undefined): ReadonlyMap<Id, Standing> {
  const all = everyItem(items)
  const says = new Map<Id, { show: boolean[]; hide: boolean; enable: boolean[]; disable: boolean }>()
  for (const item of all) {
    for (const one of interactionsOf(item.element)) {
      // One that hides itself would never be seen again.
      if (one.act === 'set' || one.card === '' || one.card === item.element.id) continue
      const said = says.get(one.card) ?? { show: [], hide: false, enable: [], disable: false }
      says.set(one.card, said)
      const value = valueOf(item)
      const now = isButton(item.element) ? value === true : holds(one, value)
      if (one.act === 'show') said.show.push(now)
      else if (one.act === 'enable') said.enable.push(now)
      else if (one.act === 'hide') said.hide ||= now
      else if (one.act === 'disable') said.disable ||= now
    }
  }
  const found = new Map<Id, Standing>()
  for (const { element } of all) {
    const begins = isControl(element) ? textField(element, 'state') : 'shown'
    const said = says.get(element.id)
    const shown = (said && said.show.length > 0 ? said.show.includes(true) : begins !== 'hidden') && !said?.hide
    const enabled = (said && said.enable.length > 0 ? said.enable.includes(true) : begins !== 'disabled') && !said?.disable
    if (!shown || !enabled) found.set(element.id, { shown, enabled })
  }
  return found
}
