// A line across a figure that is moved along its x axis by pointer or keys.
import type { KeyboardEvent } from 'react'
import { useDrag } from '../../ui/gestures/drag.ts'

export type HandleProps = {
  /** What it sets, for assistive technology. */
  readonly label: string
  readonly value: number
  /** Values are multiples of it. */
  readonly step: number
  /** The value in words. */
  readonly text: string
  readonly onChange: (value: number) => void
}

type AxisHandleProps = HandleProps & {
  /** Bounds of the axis. */
  readonly min: number
  readonly max: number
  /** Their places in pixels. */
  readonly from: number
  readonly to: number
}

export function AxisHandle({ label, value, step, text, onChange, min, max, from, to }: AxisHandleProps) {
  const set = (next: number): void => {
    const rounded = Math.round(next / step) * step
    onChange(Math.min(max, Math.max(min, rounded)))
  }
  const { handlers } = useDrag<HTMLDivElement>({
    begin({ currentTarget }) {
      currentTarget.focus()
      return true
    },
    move({ currentTarget, clientX }) {
      const box = currentTarget.parentElement?.getBoundingClientRect()
      if (box && to > from) set(min + ((clientX - box.left - from) / (to - from)) * (max - min))
    },
  })
  const steps: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 10, PageDown: -10 }
  const key = (event: KeyboardEvent): void => {
    const by = steps[event.key]
    if (by !== undefined) set(value + by * step)
    else if (event.key === 'Home') set(min)
    else if (event.key === 'End') set(max)
    else return
    event.preventDefault()
  }
  return (
    <div
      className="f-handle"
      style={{ insetInlineStart: from + ((value - min) / (max - min)) * (to - from) }}
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-valuemin={min}
      aria-valuemax={max}
      aria-valuenow={value}
      aria-valuetext={text}
      onKeyDown={key}
      {...handlers}
    />
  )
}
