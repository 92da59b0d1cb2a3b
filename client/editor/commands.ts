// Every command of the editor, as one table: menus, shortcuts, the cheat sheet and the copilot read it. A command reports whether it may
// run now (true, or why not) and does it; both read the same editor. Long because it is one table, read from top to bottom.
import { group, move, reorder, setBends, setField, setLocked, setTint, ungroup } from '../../model-schema/edit.ts'
import type { Element, Geo, Id } from '../../model-schema/model.ts'
import { clipText, pasteText } from './clipboard.ts'
import type { Editor } from './editor.ts'
import { around, type Box } from './geometry/geometry.ts'
import { mayEnter } from './grammar.ts'
import { portsOf } from './grips.ts'
import { groupTaken } from './units.ts'
import type { SceneBox } from './scene.ts'
import { inputOf } from './starters/change.ts'
import { strokeName, type Stroke } from './strokes.ts'
import { companions } from './tools/companions.ts'
import { say, sayIn, type Words } from '../../model-schema/words.ts'

/** What commands need of the page around the editor. */
export type Host = {
  /** Puts text on the system clipboard. */
  write(text: string): Promise<void>
  read(): Promise<string>
  exportPicture(as: 'png' | 'jpeg' | 'svg'): void
  /** Prints the canvas; where there is a page to print. */
  print?(): void
  /** Why the model may not be copied; true or nothing where it may. */
  mayCopy?: true | Words
  /** Makes the canvas the file's picture in lists. Null where files have none. */
  setCover: (() => void) | null
  download(): void
  fullScreen(): void
  find(): void
  shortcuts(): void
  /** Begins a comment, shows the version history; where a document is open. */
  comment?(): void
  history?(): void
  /** Shows the copilot; where a document is open. */
  copilot?(): void
  /**
   * Begins an experiment with this scenario, exploring a variable if one is given; only for models in a folder where files may be added.
   */
  experiment?(variable?: Id): void
  toggle(panel: 'left' | 'right' | 'bottom'): void
}

export type Context = { readonly editor: Editor; readonly host: Host }

export type CommandGroup = 'edit' | 'go' | 'view' | 'arrange' | 'file'

type Command = {
  readonly id: CommandId
  readonly words: Words
  readonly group: CommandGroup
  /** `Mod` is Ctrl, on a Mac Cmd. The first is shown in menus. */
  readonly keys: readonly string[]
  may(context: Context): true | Words
  do(context: Context): void
}

const commandIds = [
  'undo',
  'redo',
  'cut',
  'copy',
  'paste',
  'duplicate',
  'delete',
  'selectAll',
  'rename',
  'enter',
  'leave',
  'escape',
  'nudgeLeft',
  'nudgeRight',
  'nudgeUp',
  'nudgeDown',
  'leapLeft',
  'leapRight',
  'leapUp',
  'leapDown',
  'next',
  'previous',
  'zoomIn',
  'zoomOut',
  'zoomActual',
  'zoomFit',
  'zoomSelection',
  'fullScreen',
  'toggleLeft',
  'toggleRight',
  'toggleBottom',
  'alignLeft',
  'alignCentre',
  'alignRight',
  'alignTop',
  'alignMiddle',
  'alignBottom',
  'distributeAcross',
  'distributeDown',
  'toFront',
  'forward',
  'backward',
  'toBack',
  'group',
  'ungroup',
  'lock',
  'unlock',
  'unlockAll',
  'tagRed',
  'tagOrange',
  'tagYellow',
  'tagGreen',
  'tagBlue',
  'tagPurple',
  'tagNone',
  'selectFrame',
  'straighten',
  'makeDefault',
  'quickAdd',
  'commandPalette',
  'find',
  'replace',
  'shortcuts',
  'comment',
  'history',
  'copilot',
  'experiment',
  'explore',
  'exportPng',
  'exportJpeg',
  'exportSvg',
  'print',
  'setCover',
  'download',
] as const

export type CommandId = (typeof commandIds)[number]

const readOnly = say('This model is read-only.')
const nothingSelected = say('Nothing is selected.')

const always = (): true => true
const opened = ({ host }: Context): true | Words => host.history !== undefined || say('No document is open.')
const copying = ({ host }: Context): true | Words => host.mayCopy ?? true
const writing = ({ editor }: Context): true | Words => editor.writable || readOnly
const selecting = ({ editor }: Context): true | Words => editor.view.getState().selection.length > 0 || nothingSelected
const changing = (context: Context): true | Words => (writing(context) === true ? selecting(context) : readOnly)

/** The variable that the one element selected is, or sets. */
function inputSelected(editor: Editor): Element | null {
  const { selection } = editor.view.getState()
  const element = selection.length === 1 ? editor.model.elements.get(selection[0] ?? '') : undefined
  return element ? inputOf(editor.model, element) : null
}

const boxesOf = (editor: Editor): SceneBox[] =>
  editor.view
    .getState()
    .selection.map(id => editor.scene.box(id))
    .filter(box => box !== undefined)

/** What is selected, a group as one block; the members of a single group, or of the one entered, one by one. */
function blocksOf(editor: Editor): Block[] {
  const boxes = boxesOf(editor).filter(box => !box.element.locked)
  const { inside } = editor.view.getState()
  const byUnit = Map.groupBy(boxes, box => groupTaken(box.element, inside) ?? box.id)
  const units = byUnit.size === 1 ? boxes.map(box => [box]) : [...byUnit.values()]
  return units.flatMap(unit => {
    const outline = around(unit)
    return outline ? { ...outline, boxes: unit } : []
  })
}

type Block = Box & { readonly boxes: readonly SceneBox[] }

const shifted = ({ boxes }: Block, dx: number, dy: number): { id: Id; geo: Geo }[] =>
  boxes.map(({ id, x, y, w, h }) => ({ id, geo: [x + dx, y + dy, w, h] }))

const several =
  (least: number) =>
  (context: Context): true | Words => {
    const may = writing(context)
    if (may !== true) return may
    return blocksOf(context.editor).length >= least || say('Select at least {least} elements.', { least })
  }

type Row = Omit<Command, 'id'>

const table: Readonly<Record<CommandId, Row>> = {
  undo: {
    words: say('Undo'),
    group: 'edit',
    keys: ['Mod+Z'],
    may: context => (writing(context) !== true ? readOnly : context.editor.undo.canUndo() || say('Nothing to undo.')),
    do: ({ editor }) => void editor.undo.undo(),
  },
  redo: {
    words: say('Redo'),
    group: 'edit',
    keys: ['Mod+Shift+Z', 'Mod+Y'],
    may: context => (writing(context) !== true ? readOnly : context.editor.undo.canRedo() || say('Nothing to redo.')),
    do: ({ editor }) => void editor.undo.redo(),
  },
  cut: {
    words: say('Cut'),
    group: 'edit',
    keys: ['Mod+X'],
    may: context => {
      const may = copying(context)
      return may === true ? changing(context) : may
    },
    do: ({ editor, host }) => {
      void host.write(clipText(editor.model, editor.view.getState().selection))
      editor.removeSelected()
    },
  },
  copy: {
    words: say('Copy'),
    group: 'edit',
    keys: ['Mod+C'],
    may: context => {
      const may = copying(context)
      return may === true ? selecting(context) : may
    },
    do: ({ editor, host }) => void host.write(clipText(editor.model, editor.view.getState().selection)),
  },
  paste: {
    words: say('Paste'),
    group: 'edit',
    keys: ['Mod+V'],
    may: writing,
    do: ({ editor, host }) => void host.read().then(text => pasteText(editor, text)),
  },
  duplicate: {
    words: say('Duplicate'),
    group: 'edit',
    keys: ['Mod+D'],
    may: changing,
    do: ({ editor }) => {
      const boxes = boxesOf(editor)
      const moves = new Map<Id, Geo>(boxes.map(box => [box.id, [box.x + 24, box.y + 24, box.w, box.h]]))
      if (moves.size > 0) editor.gesture(() => editor.duplicateTo(moves))
    },
  },
  delete: {
    words: say('Delete'),
    group: 'edit',
    keys: ['Delete', 'Backspace'],
    may: changing,
    do: ({ editor }) => editor.removeSelected(),
  },
  selectAll: {
    words: say('Select all'),
    group: 'edit',
    keys: ['Mod+A'],
    may: always,
    do: ({ editor }) =>
      editor.select(
        (editor.model.elements.get(editor.view.getState().canvas)?.children ?? []).filter(id => !editor.model.elements.get(id)?.locked),
      ),
  },
  rename: {
    words: say('Rename'),
    group: 'edit',
    keys: ['F2'],
    may: context => {
      const may = changing(context)
      return may !== true ? may : context.editor.view.getState().selection.length === 1 || say('Select one element.')
    },
    do: ({ editor }) => editor.rename(editor.view.getState().selection[0] ?? ''),
  },
  enter: {
    words: say('Open inside'),
    group: 'go',
    keys: ['Enter'],
    may: ({ editor }) =>
      (editor.view.getState().selection.length === 1 && mayEnter(editor.model.elements.get(editor.view.getState().selection[0] ?? ''))) ||
      say('This element has no inside.'),
    do: ({ editor }) => editor.enter(editor.view.getState().selection[0] ?? ''),
  },
  leave: {
    words: say('Up one level'),
    group: 'go',
    keys: ['Alt+ArrowUp'],
    may: ({ editor }) => editor.view.getState().canvas !== editor.view.getState().scenario || say('This is the outermost canvas.'),
    do: ({ editor }) => editor.leave(),
  },
  escape: {
    words: say('Cancel, deselect, go up'),
    group: 'go',
    keys: ['Escape'],
    may: always,
    do: ({ editor }) => {
      const { tool, quickAdd, menu, selection } = editor.view.getState()
      if (tool !== 'idle') editor.cancel()
      else if (quickAdd || menu) editor.view.setState({ quickAdd: null, menu: null })
      else if (editor.leaveGroup()) return
      else if (selection.length > 0) editor.select([])
      else editor.leave()
    },
  },
  nudgeLeft: nudge(say('Move left'), 'ArrowLeft', -1, 0),
  nudgeRight: nudge(say('Move right'), 'ArrowRight', 1, 0),
  nudgeUp: nudge(say('Move up'), 'ArrowUp', 0, -1),
  nudgeDown: nudge(say('Move down'), 'ArrowDown', 0, 1),
  leapLeft: nudge(say('Move far left'), 'Shift+ArrowLeft', -10, 0),
  leapRight: nudge(say('Move far right'), 'Shift+ArrowRight', 10, 0),
  leapUp: nudge(say('Move far up'), 'Shift+ArrowUp', 0, -10),
  leapDown: nudge(say('Move far down'), 'Shift+ArrowDown', 0, 10),
  next: {
    words: say('Select the next element'),
    group: 'go',
    keys: ['Tab'],
    may: context => mayWalk(context.editor, 1),
    do: ({ editor }) => walk(editor, 1),
  },
  previous: {
    words: say('Select the previous element'),
    group: 'go',
    keys: ['Shift+Tab'],
    may: context => mayWalk(context.editor, -1),
    do: ({ editor }) => walk(editor, -1),
  },
  zoomIn: { words: say('Zoom in'), group: 'view', keys: ['+', '=', 'Mod+='], may: always, do: ({ editor }) => editor.zoomStep(1) },
  zoomOut: { words: say('Zoom out'), group: 'view', keys: ['-', 'Mod+-'], may: always, do: ({ editor }) => editor.zoomStep(-1) },
  zoomActual: {
    words: say('Zoom to 100%'),
    group: 'view',
    keys: ['0', 'Mod+0'],
    may: always,
    do: ({ editor }) => {
      const { size } = editor.view.getState()
      editor.zoomAt({ x: size.w / 2, y: size.h / 2 }, 1)
    },
  },
  zoomFit: {
    words: say('Zoom to fit'),
    group: 'view',
    keys: ['1', 'Shift+1'],
    may: always,
    do: ({ editor }) => editor.fit(),
  },
  zoomSelection: {
    words: say('Zoom to selection'),
    group: 'view',
    keys: ['2', 'Shift+2'],
    may: selecting,
    do: ({ editor }) => editor.fit(editor.view.getState().selection),
  },
  fullScreen: { words: say('Full screen'), group: 'view', keys: ['F'], may: always, do: ({ host }) => host.fullScreen() },
  toggleLeft: {
    words: say('Components and outline'),
    group: 'view',
    keys: ['Mod+B'],
    may: always,
    do: ({ host }) => host.toggle('left'),
  },
  toggleRight: {
    words: say('Inspector'),
    group: 'view',
    keys: ['Mod+Alt+B'],
    may: always,
    do: ({ host }) => host.toggle('right'),
  },
  toggleBottom: {
    words: say('Simulation panel'),
    group: 'view',
    keys: ['Mod+J'],
    may: always,
    do: ({ host }) => host.toggle('bottom'),
  },
  alignLeft: align(say('Align left'), (box, all) => ({ x: all.x, y: box.y })),
  alignCentre: align(say('Align centres'), (box, all) => ({ x: all.x + (all.w - box.w) / 2, y: box.y })),
  alignRight: align(say('Align right'), (box, all) => ({ x: all.x + all.w - box.w, y: box.y })),
  alignTop: align(say('Align top'), (box, all) => ({ x: box.x, y: all.y })),
  alignMiddle: align(say('Align middles'), (box, all) => ({ x: box.x, y: all.y + (all.h - box.h) / 2 })),
  alignBottom: align(say('Align bottom'), (box, all) => ({ x: box.x, y: all.y + all.h - box.h })),
  distributeAcross: distribute(say('Distribute across'), 'x', 'w'),
  distributeDown: distribute(say('Distribute down'), 'y', 'h'),
  toFront: order(say('Bring to front'), ']', 'front'),
  forward: order(say('Bring forward'), 'Mod+]', 'forward'),
  backward: order(say('Send backward'), 'Mod+[', 'backward'),
  toBack: order(say('Send to back'), '[', 'back'),
  group: {
    words: say('Group'),
    group: 'arrange',
    keys: ['Mod+G'],
    may: context => {
      const may = writing(context)
      if (may !== true) return may
      if (isOneGroup(context.editor)) return say('This is a group already.')
      return blocksOf(context.editor).length > 1 || say('Select at least 2 elements.')
    },
    do: ({ editor }) => void editor.tell(editor.gesture(() => group(editor.doc, editor.view.getState().selection))),
  },
  ungroup: {
    words: say('Ungroup'),
    group: 'arrange',
    keys: ['Mod+Shift+G'],
    may: context => (writing(context) !== true ? readOnly : hasGroup(context.editor) || say('No group is selected.')),
    do: ({ editor }) => void editor.tell(editor.gesture(() => ungroup(editor.doc, editor.view.getState().selection))),
  },
  lock: {
    words: say('Lock'),
    group: 'arrange',
    keys: ['Mod+Shift+L'],
    may: context => {
      const may = changing(context)
      return may !== true ? may : selectedWith(context.editor, false).length > 0 || say('All selected are locked.')
    },
    do: ({ editor }) => editor.gesture(() => setLocked(editor.doc, selectedWith(editor, false), true)),
  },
  unlock: {
    words: say('Unlock'),
    group: 'arrange',
    keys: ['Mod+Alt+L'],
    may: context => {
      const may = changing(context)
      return may !== true ? may : selectedWith(context.editor, true).length > 0 || say('Nothing selected is locked.')
    },
    do: ({ editor }) => editor.gesture(() => setLocked(editor.doc, selectedWith(editor, true), false)),
  },
  unlockAll: {
    words: say('Unlock everything here'),
    group: 'arrange',
    keys: [],
    may: context => (writing(context) !== true ? readOnly : lockedHere(context.editor).length > 0 || say('Nothing is locked here.')),
    do: ({ editor }) => editor.gesture(() => setLocked(editor.doc, lockedHere(editor), false)),
  },
  tagRed: tag(say('Red tag'), 'tagRed'),
  tagOrange: tag(say('Orange tag'), 'tagOrange'),
  tagYellow: tag(say('Yellow tag'), 'tagYellow'),
  tagGreen: tag(say('Green tag'), 'tagGreen'),
  tagBlue: tag(say('Blue tag'), 'tagBlue'),
  tagPurple: tag(say('Purple tag'), 'tagPurple'),
  tagNone: tag(say('No tag'), null),
  selectFrame: {
    words: say('Select what the frame holds'),
    group: 'arrange',
    keys: [],
    may: ({ editor }) => boxesOf(editor).some(box => box.kind?.shape === 'frame') || say('Select a frame.'),
    do: ({ editor }) => editor.select(companions(editor, editor.view.getState().selection)),
  },
  straighten: {
    words: say('Reroute connector'),
    group: 'arrange',
    keys: [],
    may: context =>
      writing(context) !== true ? readOnly : bentWires(context.editor).length > 0 || say('No connector with bends of its own is selected.'),
    do: ({ editor }) => editor.gesture(() => bentWires(editor).forEach(id => setBends(editor.doc, id, []))),
  },
  makeDefault: {
    words: sayIn('command', 'Default branch'),
    group: 'arrange',
    keys: [],
    may: context => (writing(context) !== true ? readOnly : flowSelected(context.editor) !== null || say('Select one sequence flow.')),
    do: ({ editor }) => {
      const flow = flowSelected(editor)
      const from = flow?.ends?.from.id
      if (!flow) return
      const siblings = editor.scene
        .wiresOf(from ?? '')
        .map(id => editor.model.elements.get(id))
        .filter(other => other?.kind === 'flow' && other.ends?.from.id === from)
      const on = flow.fields['default'] !== true
      editor.gesture(() => {
        for (const other of siblings)
          if (other && other.id !== flow.id && other.fields['default'] === true) setField(editor.doc, other.id, 'default', false)
        setField(editor.doc, flow.id, 'default', on)
      })
    },
  },
  quickAdd: {
    words: say('Add what comes next'),
    group: 'edit',
    keys: ['N', '/'],
    may: writing,
    do: ({ editor }) => {
      const { selection, camera, size } = editor.view.getState()
      const id = selection.length === 1 ? selection[0] : undefined
      if (id !== undefined && editor.scene.box(id) && portsOf(editor, id).length > 0) editor.offerNext(id, null)
      else
        editor.view.setState({
          quickAdd: { at: { x: camera.x + size.w / 2 / camera.zoom, y: camera.y + size.h / 2 / camera.zoom }, from: null },
        })
    },
  },
  commandPalette: {
    words: say('Find anything…'),
    group: 'go',
    keys: ['Mod+K'],
    may: always,
    do: ({ editor }) => editor.view.setState({ palette: true }),
  },
  find: {
    words: say('Find'),
    group: 'go',
    keys: ['Mod+F'],
    may: always,
    do: ({ editor, host }) => {
      editor.view.setState({ replacing: false })
      host.find()
    },
  },
  replace: {
    words: say('Find and replace'),
    group: 'go',
    keys: ['Mod+H'],
    may: writing,
    do: ({ editor, host }) => {
      editor.view.setState({ replacing: true })
      host.find()
    },
  },
  shortcuts: {
    words: say('Keyboard shortcuts'),
    group: 'view',
    keys: ['?'],
    may: always,
    do: ({ host }) => host.shortcuts(),
  },
  comment: {
    words: say('Comment'),
    group: 'edit',
    keys: ['Mod+Alt+M'],
    may: opened,
    do: ({ host }) => host.comment?.(),
  },
  history: {
    words: say('Version history'),
    group: 'file',
    keys: ['Mod+Alt+H'],
    may: opened,
    do: ({ host }) => host.history?.(),
  },
  copilot: {
    words: say('Copilot'),
    group: 'view',
    keys: ['Mod+I'],
    may: opened,
    do: ({ host }) => host.copilot?.(),
  },
  experiment: {
    words: sayIn('command', 'New experiment'),
    group: 'file',
    keys: [],
    may: ({ host }) => (host.experiment ? true : say('Only in a model of your own.')),
    do: ({ host }) => host.experiment?.(),
  },
  explore: {
    words: say('Explore its effect'),
    group: 'file',
    keys: [],
    may: ({ editor, host }) => {
      if (!host.experiment) return say('Only in a model of your own.')
      return inputSelected(editor) !== null || say('Select an input or its slider first.')
    },
    do: ({ editor, host }) => host.experiment?.(inputSelected(editor)?.id),
  },
  exportPng: {
    words: say('Save as PNG'),
    group: 'file',
    keys: [],
    may: copying,
    do: ({ host }) => host.exportPicture('png'),
  },
  exportJpeg: {
    words: say('Save as JPEG'),
    group: 'file',
    keys: [],
    may: copying,
    do: ({ host }) => host.exportPicture('jpeg'),
  },
  exportSvg: {
    words: say('Save as SVG'),
    group: 'file',
    keys: [],
    may: copying,
    do: ({ host }) => host.exportPicture('svg'),
  },
  print: {
    words: say('Print the canvas'),
    group: 'file',
    keys: ['Mod+P'],
    may: context => {
      const may = copying(context)
      return may === true ? context.host.print !== undefined || say('There is nothing to print here.') : may
    },
    do: ({ host }) => host.print?.(),
  },
  setCover: {
    words: say('Use as thumbnail'),
    group: 'file',
    keys: [],
    may: context => (writing(context) !== true ? readOnly : context.host.setCover !== null || say('Files on this device have no covers.')),
    do: ({ host }) => host.setCover?.(),
  },
  download: {
    words: say('Download .holo file'),
    group: 'file',
    keys: ['Mod+S'],
    may: copying,
    do: ({ host }) => host.download(),
  },
}

/** All commands, in menu order. */
export const commands: readonly Command[] = commandIds.map(id => ({ id, ...table[id] }))

export const command = (id: CommandId): Command => ({ id, ...table[id] })

/** Runs a command if it may; returns whether it did. */
export function run(id: CommandId, context: Context): boolean {
  const row = table[id]
  const may = row.may(context)
  if (may === true) row.do(context)
  return may === true
}

/** The command of a key stroke, or null. Letters count whatever their case; `Mod` is Ctrl or Cmd. */
export function commandFor(stroke: Stroke): CommandId | null {
  const names = [strokeName(stroke, true), strokeName(stroke, false)]
  for (const id of commandIds) if (table[id].keys.some(key => names.includes(key.toLowerCase()))) return id
  return null
}

function nudge(words: Words, key: string, dx: number, dy: number): Row {
  return {
    words,
    group: 'arrange',
    keys: [key],
    may: changing,
    do: ({ editor }) => {
      const step = 4
      const ids = companions(editor, editor.view.getState().selection)
      const boxes = ids.map(id => editor.scene.box(id)).filter(box => box !== undefined)
      // No boundary of undo: a row of nudges is taken back as one.
      move(
        editor.doc,
        boxes.map(box => ({ id: box.id, geo: [box.x + dx * step, box.y + dy * step, box.w, box.h] as const })),
      )
    },
  }
}

function align(words: Words, place: (box: Box, all: Box) => { x: number; y: number }): Row {
  return {
    words,
    group: 'arrange',
    keys: [],
    may: several(2),
    do: ({ editor }) => {
      const blocks = blocksOf(editor)
      const all = around(blocks)
      if (!all) return
      const moves = blocks.flatMap(block => {
        const { x, y } = place(block, all)
        return shifted(block, x - block.x, y - block.y)
      })
      editor.gesture(() => move(editor.doc, moves))
    },
  }
}

function distribute(words: Words, axis: 'x' | 'y', extent: 'w' | 'h'): Row {
  return {
    words,
    group: 'arrange',
    keys: [],
    may: several(3),
    do: ({ editor }) => {
      const blocks = blocksOf(editor).sort((a, b) => a[axis] - b[axis])
      const all = around(blocks)
      if (!all) return
      const gap = (all[extent] - blocks.reduce((sum, block) => sum + block[extent], 0)) / (blocks.length - 1)
      let at = all[axis]
      const moves = blocks.flatMap(block => {
        const by = at - block[axis]
        at += block[extent] + gap
        return axis === 'x' ? shifted(block, by, 0) : shifted(block, 0, by)
      })
      editor.gesture(() => move(editor.doc, moves))
    },
  }
}

type Place = 'front' | 'forward' | 'backward' | 'back'

function order(words: Words, key: string, where: Place): Row {
  return {
    words,
    group: 'arrange',
    keys: [key],
    may: changing,
    do: ({ editor }) => {
      const { selection, canvas } = editor.view.getState()
      const siblings = editor.model.elements.get(canvas)?.children ?? []
      const chosen = new Set(selection)
      const before = placeIn(siblings, chosen, where)
      // In their current order: relative to each other nothing changes.
      editor.gesture(() => siblings.filter(id => chosen.has(id)).forEach(id => reorder(editor.doc, id, before)))
    },
  }
}

/** Before which sibling the selected ones come; null is last, that is in front of all. */
function placeIn(siblings: readonly Id[], selected: ReadonlySet<Id>, where: Place): Id | null {
  const others = siblings.filter(id => !selected.has(id))
  if (where === 'front') return null
  if (where === 'back') return others[0] ?? null
  if (where === 'forward') {
    // Past the next sibling in front of the foremost.
    const foremost = siblings.findLastIndex(id => selected.has(id))
    const next = siblings.slice(foremost + 1).find(id => !selected.has(id))
    return next === undefined ? null : (others[others.indexOf(next) + 1] ?? null)
  }
  const rearmost = siblings.findIndex(id => selected.has(id))
  return siblings.slice(0, rearmost).at(-1) ?? others[0] ?? null
}

/** The colours of tags, by the command that puts one on. */
export const tagColors: Readonly<Partial<Record<CommandId, string>>> = {
  tagRed: '#d64545',
  tagOrange: '#e08a2b',
  tagYellow: '#d9b81f',
  tagGreen: '#3a9d5d',
  tagBlue: '#3b7de0',
  tagPurple: '#8a56d6',
}

function tag(words: Words, id: CommandId | null): Row {
  return {
    words,
    group: 'arrange',
    keys: [],
    may: changing,
    do: ({ editor }) => editor.gesture(() => setTint(editor.doc, editor.view.getState().selection, (id && tagColors[id]) ?? null)),
  }
}

const selectedWith = (editor: Editor, locked: boolean): Id[] =>
  editor.view.getState().selection.filter(id => (editor.model.elements.get(id)?.locked === true) === locked)

const lockedHere = (editor: Editor): Id[] =>
  (editor.model.elements.get(editor.view.getState().canvas)?.children ?? []).filter(id => editor.model.elements.get(id)?.locked)

const hasGroup = (editor: Editor): boolean => {
  const { selection, inside } = editor.view.getState()
  return selection.some(id => groupTaken(editor.model.elements.get(id), inside) !== null)
}

/** Whether what is selected is one group and nothing else. */
function isOneGroup(editor: Editor): boolean {
  const { inside } = editor.view.getState()
  const groups = new Set(boxesOf(editor).map(box => groupTaken(box.element, inside)))
  return groups.size === 1 && !groups.has(null)
}

const bentWires = (editor: Editor): Id[] =>
  editor.view.getState().selection.filter(id => (editor.model.elements.get(id)?.bends.length ?? 0) > 0)

function flowSelected(editor: Editor) {
  const { selection } = editor.view.getState()
  const element = selection.length === 1 ? editor.model.elements.get(selection[0] ?? '') : undefined
  return element?.kind === 'flow' ? element : null
}

// Tab order is reading order: rows of shapes from the top, left to right. At either end the focus leaves the canvas, so that it is no
// keyboard trap.
function walkOrder(editor: Editor, by: 1 | -1): SceneBox | null {
  const boxes = [...editor.scene.boxes].sort((a, b) => Math.round(a.y / 40) - Math.round(b.y / 40) || a.x - b.x)
  const at = boxes.findIndex(box => box.id === editor.view.getState().selection[0])
  return (at < 0 ? boxes.at(by > 0 ? 0 : -1) : at + by < 0 ? undefined : boxes[at + by]) ?? null
}

const mayWalk = (editor: Editor, by: 1 | -1): true | Words => walkOrder(editor, by) !== null || say('No more elements.')

function walk(editor: Editor, by: 1 | -1): void {
  const next = walkOrder(editor, by)
  if (next) editor.reveal(next.id)
}
