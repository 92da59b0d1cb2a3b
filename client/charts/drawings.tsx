// The charts that aren't plots: big values, pie, box, heat map, table. Plain SVG and HTML, drawn from one set of values.
import type { Plain } from '../../sim-engine/messages.ts'
import { boxOf, numbersOf, type Table } from './figures.ts'
import { formatNumber, formatValue } from './format.ts'

/** `dashed`: of a what-if beside the run. */
export type Mark = { label: string; color: string; dashed?: boolean }

export function Values({ marks, values, locale }: { marks: readonly Mark[]; values: readonly Plain[]; locale: string }) {
  return (
    <div className="h-value" style={{ ['--values' as string]: Math.max(1, marks.length) }}>
      {marks.map((mark, i) => (
        <div key={i}>
          {(marks.length > 1 || mark.label) && <small>{mark.label}</small>}
          <strong style={mark.color ? { color: mark.color } : undefined}>{formatValue(values[i], locale)}</strong>
        </div>
      ))}
    </div>
  )
}

/** Shares as a ring, largest named in the middle of its arc. Negative amounts have no share. */
export function Pie({ marks, amounts, locale }: { marks: readonly Mark[]; amounts: readonly number[]; locale: string }) {
  const total = amounts.reduce((sum, amount) => sum + Math.max(0, amount), 0)
  const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 })
  const rounded = new Intl.NumberFormat(locale, { style: 'percent' })
  const shares = marks.map((_, i) => (total > 0 ? Math.max(0, amounts[i] ?? 0) / total : 0))
  const starts = shares.map((_, i) => shares.slice(0, i).reduce((sum, share) => sum + share, 0))
  return (
    <svg
      className="h-figure"
      viewBox="-110 -110 220 220"
      role="img"
      aria-label={marks.map((mark, i) => `${mark.label} ${total > 0 ? percent.format(shares[i] ?? 0) : '–'}`).join(', ')}
    >
      {marks.map((mark, i) => {
        const share = shares[i] ?? 0
        const from = starts[i] ?? 0
        if (share === 0) return null
        const middle = (from + share / 2) * 2 * Math.PI
        return (
          <g key={i}>
            <path d={ringPath(from, from + share)} fill={mark.color} stroke="var(--h-surface)" strokeWidth={share < 1 ? 1.5 : 0}>
              <title>{`${mark.label}: ${formatNumber(amounts[i] ?? 0, locale)} (${percent.format(share)})`}</title>
            </path>
            {share > 0.06 && (
              <text
                x={77 * Math.sin(middle)}
                y={-77 * Math.cos(middle)}
                textAnchor="middle"
                dominantBaseline="central"
                style={{ fill: '#fff', fontSize: 16, fontWeight: 600 }}
              >
                {rounded.format(share)}
              </text>
            )}
          </g>
        )
      })}
    </svg>
  )
}

function ringPath(from: number, to: number): string {
  if (to - from > 0.9999) return 'M0-100A100 100 0 1 1 0 100A100 100 0 1 1 0-100ZM0-54A54 54 0 1 0 0 54A54 54 0 1 0 0-54Z'
  const point = (turn: number, radius: number): string =>
    `${(radius * Math.sin(turn * 2 * Math.PI)).toFixed(3)} ${(-radius * Math.cos(turn * 2 * Math.PI)).toFixed(3)}`
  const large = to - from > 0.5 ? 1 : 0
  return `M${point(from, 100)}A100 100 0 ${large} 1 ${point(to, 100)}L${point(to, 54)}A54 54 0 ${large} 0 ${point(from, 54)}Z`
}

export function Boxes({ marks, values, locale }: { marks: readonly Mark[]; values: readonly Plain[]; locale: string }) {
  const boxes = values.map(boxOf)
  const found = boxes.filter(box => box !== null)
  const low = Math.min(...found.map(box => box.low))
  const high = Math.max(...found.map(box => box.high))
  const span = high > low ? high - low : 1
  const y = (value: number): number => 128 - ((value - low) / span) * 116
  const step = 196 / Math.max(1, marks.length)
  return (
    <svg
      className="h-figure"
      viewBox="0 0 240 150"
      role="img"
      aria-label={marks.map((mark, i) => `${mark.label}: ${boxes[i] ? formatNumber(boxes[i].median, locale) : '–'}`).join(', ')}
    >
      {found.length > 0 &&
        [low, (low + high) / 2, high].map(value => (
          <g key={value}>
            <line x1={40} x2={236} y1={y(value)} y2={y(value)} stroke="var(--h-line)" />
            <text x={35} y={y(value)} textAnchor="end" dominantBaseline="central">
              {formatNumber(value, locale)}
            </text>
          </g>
        ))}
      {marks.map((mark, i) => {
        const box = boxes[i]
        if (!box) return null
        const middle = 40 + step * (i + 0.5)
        const half = Math.min(32, step * 0.3)
        return (
          <g key={i} stroke={mark.color} strokeWidth={1.5}>
            <title>{`${mark.label}: ${[box.low, box.q1, box.median, box.q3, box.high].map(value => formatNumber(value, locale)).join(' · ')}`}</title>
            <path
              d={`M${middle} ${y(box.low)}V${y(box.q1)}M${middle} ${y(box.q3)}V${y(box.high)}M${middle - half / 2} ${y(box.low)}h${half}M${middle - half / 2} ${y(box.high)}h${half}`}
            />
            <rect
              x={middle - half}
              y={y(box.q3)}
              width={half * 2}
              height={Math.max(1, y(box.q1) - y(box.q3))}
              fill={mark.color}
              fillOpacity={0.18}
              rx={2}
            />
            <line x1={middle - half} x2={middle + half} y1={y(box.median)} y2={y(box.median)} strokeWidth={2.5} />
            <text x={middle} y={146} textAnchor="middle" stroke="none">
              {mark.label}
            </text>
          </g>
        )
      })}
    </svg>
  )
}

/** Rows of numbers as a grid, faint to strong. */
export function Heat({ value, color, locale }: { value: Plain; color: string; locale: string }) {
  const rows = (Array.isArray(value) ? value : []).map(numbersOf).filter(row => row.length > 0)
  const all = rows.flat()
  const low = all.reduce((least, one) => Math.min(least, one), Infinity)
  const span = all.reduce((most, one) => Math.max(most, one), -Infinity) - low || 1
  const columns = Math.max(1, ...rows.map(row => row.length))
  return (
    <svg
      className="h-figure"
      viewBox={`0 0 ${columns} ${Math.max(1, rows.length)}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={`${rows.length} × ${columns}`}
    >
      {rows.map((row, y) =>
        row.map((one, x) => (
          <rect key={`${x}/${y}`} x={x} y={y} width={1.01} height={1.01} fill={color} fillOpacity={0.06 + (0.94 * (one - low)) / span}>
            <title>{formatNumber(one, locale)}</title>
          </rect>
        )),
      )}
    </svg>
  )
}

/** The newest rows first; older ones than `most` are in the download. */
export function DataTable({ table, caption, locale, most = 200 }: { table: Table; caption: string; locale: string; most?: number }) {
  const shown = table.rows.slice(-most).reverse()
  return (
    <div className="h-data" tabIndex={0} role="region" aria-label={caption}>
      <table>
        <thead>
          <tr>
            {table.head.map((name, i) => (
              <th key={i} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((row, i) => (
            <tr key={table.rows.length - i}>
              {row.map((value, column) => (
                <td key={column}>{formatValue(value, locale)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
