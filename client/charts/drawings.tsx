// Charts that are text: large values and tables.
import type { Plain } from '../../sim-engine/messages.ts'
import type { Table } from './figures.ts'
import { formatReadout, formatValue } from './format.ts'

/** `dashed`: of a what-if shown with the run; `dash`: of one that shares its colour. */
export type Mark = { label: string; color: string; dashed?: boolean; dash?: readonly number[] | null }

export function Values({ marks, values, locale }: { marks: readonly Mark[]; values: readonly Plain[]; locale: string }) {
  return (
    <div className="h-value" data-several={marks.length > 2 ? '' : undefined} style={{ ['--values' as string]: Math.max(1, marks.length) }}>
      {marks.map((mark, i) => (
        <div key={i}>
          {(marks.length > 1 || mark.label) && <small>{mark.label}</small>}
          <strong style={mark.color ? { color: mark.color } : undefined}>{formatReadout(values[i], locale)}</strong>
        </div>
      ))}
    </div>
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
