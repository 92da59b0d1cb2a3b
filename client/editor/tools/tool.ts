// What a tool is: one state of the pointer. Each handler may hand over to another tool; returning nothing stays.
import type { Point } from '../geometry/geometry.ts'

export type ToolName = 'idle' | 'pressing' | 'dragging' | 'marquee' | 'connecting' | 'resizing' | 'bending' | 'panning' | 'placing'

export type Keys = { readonly shift: boolean; readonly ctrl: boolean; readonly alt: boolean }

export type Pointer = Keys & {
  /** In canvas units. */
  readonly at: Point
  /** In CSS pixels from the window's top left. */
  readonly screen: Point
  /** 0 left, 1 middle, 2 right. */
  readonly button: number
  readonly touch: boolean
}

export type Tool = {
  readonly name: ToolName
  down?(pointer: Pointer): Tool | void
  move?(pointer: Pointer): Tool | void
  up?(pointer: Pointer): Tool | void
  /** Escape, or the pointer was lost: takes back what is only shown. */
  cancel?(): void
}

/** A press becomes a drag after this many CSS pixels. */
export const dragSlackPx = 4
