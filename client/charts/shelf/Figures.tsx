// Metrics as large numbers, in as many groups as there are small charts.
import type { Ink } from '../ink.ts'
import type { Picture } from './picture.ts'
import type { Written } from './written.ts'

export function Figures({ picture, written, ink }: { picture: Picture; written: Written; ink: Ink }) {
  const shown = picture.panels.flatMap(({ title, marks }) =>
    marks.is === 'figures' ? picture.series.map(({ label, color }, s) => ({ title, label, color, value: marks.values[s] ?? NaN })) : [],
  )
  return (
    <div className="h-value" data-several={shown.length > 2 ? '' : undefined} style={{ ['--values' as string]: Math.max(1, shown.length) }}>
      {shown.map(({ title, label, color, value }, k) => (
        <div key={k}>
          <small>{[title, label].filter(part => part !== '').join(' · ')}</small>
          <strong style={color === '' ? undefined : { color: ink.series(0, color) }}>{written.value(value)}</strong>
        </div>
      ))}
    </div>
  )
}
