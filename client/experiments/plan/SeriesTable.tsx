// Measured data: times and values in a small table that takes whole columns pasted from a spreadsheet.
import { plural } from '@lingui/core/macro'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { Button, Checkbox, InputNumber } from 'antd'
import { useRef, type ClipboardEvent } from 'react'
import type { Json } from '../../../model-schema/kinds/kind.ts'
import { DOCUMENT } from '../../../model-schema/business/limits.ts'
import { complain, say } from '../../ui/toast.ts'
import { Remove } from './Remove.tsx'
import { readSeries, type Measured } from './pasted.ts'

export function SeriesTable({ id, value, disabled, set }: { id: string; value: Json; disabled: boolean; set: (value: Json) => void }) {
  const { t } = useLingui()
  const file = useRef<HTMLInputElement>(null)
  const rows = rowsOf(value)
  const put = (next: readonly Measured[]): void => set(next.map(row => ({ ...row })))
  const change = (index: number, patch: Partial<Measured>): void => put(rows.map((row, i) => (i === index ? { ...row, ...patch } : row)))
  const take = (text: string): boolean => {
    const read = readSeries(text).slice(0, DOCUMENT.rows)
    if (read.length === 0) return false
    put(read)
    say(t`${plural(read.length, { one: '# value taken.', other: '# values taken.' })}`)
    return true
  }
  const paste = (event: ClipboardEvent): void => {
    const text = event.clipboardData.getData('text/plain')
    // One number goes into its field.
    if (!/[\n\t,;]/.test(text.trim()) || disabled) return
    if (take(text)) event.preventDefault()
  }
  const shown = rows.slice(0, mostShown)
  return (
    <div className="x-series" id={id} onPaste={paste}>
      {rows.length > 0 && (
        <table>
          <thead>
            <tr>
              <th scope="col">{t`Time`}</th>
              <th scope="col">{t`Value`}</th>
              <th scope="col">{t`Held out`}</th>
              <th aria-hidden="true" />
            </tr>
          </thead>
          <tbody>
            {shown.map((row, index) => (
              // A record has no identity of its own: its place is its key.
              // eslint-disable-next-line react/no-array-index-key
              <tr key={index}>
                <td>
                  <InputNumber
                    size="small"
                    controls={false}
                    changeOnBlur
                    min={0}
                    value={row.at}
                    disabled={disabled}
                    aria-label={t`Time`}
                    onChange={at => typeof at === 'number' && change(index, { at })}
                  />
                </td>
                <td>
                  <InputNumber
                    size="small"
                    controls={false}
                    changeOnBlur
                    value={row.value}
                    disabled={disabled}
                    aria-label={t`Value`}
                    onChange={next => typeof next === 'number' && change(index, { value: next })}
                  />
                </td>
                <td>
                  <Checkbox
                    checked={row.heldOut}
                    disabled={disabled}
                    aria-label={t`Held out`}
                    onChange={event => change(index, { heldOut: event.target.checked })}
                  />
                </td>
                <td>{!disabled && <Remove label={t`Remove`} remove={() => put(rows.filter((_, i) => i !== index))} />}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {rows.length > shown.length && (
        <p className="h-muted">
          <Plural value={rows.length - shown.length} one="and # more row" other="and # more rows" />
        </p>
      )}
      {!disabled && (
        <div className="x-line">
          <Button
            size="small"
            type="dashed"
            onClick={() => put([...rows, { at: (rows.at(-1)?.at ?? -1) + 1, value: 0, heldOut: false }])}
            disabled={rows.length >= DOCUMENT.rows}
          >
            <Trans>Add a row</Trans>
          </Button>
          <Button
            size="small"
            onClick={() => navigator.clipboard.readText().then(text => take(text) || complain(t`No numbers there.`), complain)}
          >
            <Trans>Paste</Trans>
          </Button>
          <Button size="small" onClick={() => file.current?.click()}>
            <Trans>From a CSV file</Trans>
          </Button>
          <input
            ref={file}
            type="file"
            accept=".csv,.tsv,.txt,text/csv"
            hidden
            aria-label={t`CSV file`}
            onChange={event => {
              void event.target.files?.[0]?.text().then(text => take(text) || complain(t`No numbers there.`), complain)
              event.target.value = ''
            }}
          />
        </div>
      )}
    </div>
  )
}

/** Rows drawn as fields; longer series come from files. */
const mostShown = 200

function rowsOf(value: Json): Measured[] {
  if (!Array.isArray(value)) return []
  return value.flatMap(row =>
    typeof row === 'object' && row !== null && !Array.isArray(row)
      ? [{ at: Number(row['at'] ?? 0), value: Number(row['value'] ?? 0), heldOut: row['heldOut'] === true }]
      : [],
  )
}
