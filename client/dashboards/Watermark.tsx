// A text over the whole, repeated, that neither pointers nor screen readers meet.
import { useId } from 'react'
import type { Watermark as Mark } from '../../model-schema/dashboard.ts'

export function Watermark({ mark }: { mark: Mark }) {
  const id = useId()
  // Room for the text as it is turned, and air around it.
  const width = Math.max(160, mark.text.length * mark.size * 0.62 + mark.size * 3)
  const height = Math.max(120, mark.size * 5)
  return (
    <svg className="d-watermark" aria-hidden="true" data-text={mark.text}>
      <defs>
        <pattern id={id} width={width} height={height} patternUnits="userSpaceOnUse" patternTransform={`rotate(${mark.angle})`}>
          <text x={width / 2} y={height / 2} textAnchor="middle" dominantBaseline="middle" fontSize={mark.size} fill={mark.color}>
            {mark.text}
          </text>
        </pattern>
      </defs>
      <rect width="100%" height="100%" fill={`url(#${id})`} opacity={mark.opacity} />
    </svg>
  )
}
