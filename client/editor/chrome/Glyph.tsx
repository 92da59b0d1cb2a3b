// The few buttons next to the canvas that are shown first, drawn without Ant Design, which comes with the parts that are loaded later.
import type { ReactNode } from 'react'

const paths = {
  leftPanel: 'M2 3h12v10H2ZM6.500 3v10M3.800 5.800h1M3.800 8h1',
  rightPanel: 'M2 3h12v10H2ZM9.500 3v10M11.200 5.800h1M11.200 8h1',
  add: 'M2.500 2.500h4.500v4.500H2.500ZM9 2.500h4.500v4.500H9ZM2.500 9h4.500v4.500H2.500ZM11.250 9v4.500M9 11.250h4.500',
  list: 'M5.500 4h8M5.500 8h8M5.500 12h8M2.500 4h.01M2.500 8h.01M2.500 12h.01',
  down: 'M3.500 6 8 10.500 12.500 6',
  minus: 'M3.500 8h9',
  plus: 'M3.500 8h9M8 3.500v9',
  whole: 'M2.500 6v-3.500h3.500M10 2.500h3.500V6M13.500 10v3.500H10M6 13.500H2.500V10',
} as const

type Props = {
  glyph?: keyof typeof paths
  children?: ReactNode
  /** What it does; with its key, if it has one, in `hint`. */
  label: string
  hint?: string
  pressed?: boolean
  onClick: () => void
}

export function GlyphButton({ glyph, children, label, hint = label, pressed, onClick }: Props) {
  return (
    <button
      type="button"
      className="h-glyph"
      title={hint}
      aria-label={children === undefined ? label : undefined}
      aria-pressed={pressed}
      onClick={onClick}
    >
      {glyph === undefined ? (
        children
      ) : (
        <svg
          width="16"
          height="16"
          viewBox="0 0 16 16"
          fill="none"
          stroke="currentColor"
          strokeWidth="1.400"
          strokeLinecap="round"
          strokeLinejoin="round"
          aria-hidden="true"
        >
          <path d={paths[glyph]} />
        </svg>
      )}
    </button>
  )
}
