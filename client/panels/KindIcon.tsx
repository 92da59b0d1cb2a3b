// A kind's line drawing, in the colour of the text around it.
import { familyOf, iconNamed } from '../canvas/icons.ts'

export function KindIcon({ name, size = 16 }: { name: string; size?: number }) {
  const { d, solid } = { solid: false, ...iconNamed(name) }
  return (
    <svg
      className="h-kind-icon"
      data-family={familyOf(name) ?? undefined}
      width={size}
      height={size}
      viewBox="0 0 16 16"
      aria-hidden="true"
    >
      <path
        d={d}
        fill={solid ? 'currentColor' : 'none'}
        stroke={solid ? 'none' : 'currentColor'}
        strokeWidth={1.4}
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  )
}
