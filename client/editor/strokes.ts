// Keys as they are pressed, written in the table of commands, and read by people.
export type Stroke = {
  readonly key: string
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly shiftKey: boolean
  readonly altKey: boolean
}

/** A pressed key as commands name it. Signs such as ? and + already carry their Shift: they are tried with it and without. */
export function strokeName(stroke: Stroke, withShift: boolean): string {
  const parts: string[] = []
  if (stroke.ctrlKey || stroke.metaKey) parts.push('mod')
  if (stroke.altKey) parts.push('alt')
  if (stroke.shiftKey && (withShift || /^[a-z]$/i.test(stroke.key) || stroke.key.length > 1)) parts.push('shift')
  return [...parts, stroke.key.toLowerCase()].join('+')
}

/** A key as people read it: `Ctrl+Z`, on a Mac `⌘Z`. */
export function keyText(key: string, mac: boolean): string {
  const parts = key.split('+').filter(part => part !== '')
  const names = key.endsWith('+') ? [...parts, '+'] : parts
  return names.map(name => (mac ? (macNames[name] ?? name) : (otherNames[name] ?? name))).join(mac ? '' : '+')
}

const arrows = { ArrowUp: '↑', ArrowDown: '↓', ArrowLeft: '←', ArrowRight: '→', Delete: 'Del', Escape: 'Esc' }
const macNames: Readonly<Record<string, string>> = { ...arrows, Mod: '⌘', Shift: '⇧', Alt: '⌥', Enter: '↵', Backspace: '⌫' }
const otherNames: Readonly<Record<string, string>> = { ...arrows, Mod: 'Ctrl' }
