// The control of a table field: one line a record, its columns drawn like fields of their own; lines can be added,
// taken away and moved.
import { DeleteOutlined, PlusOutlined, UpOutlined } from '@ant-design/icons'
import { Trans, useLingui } from '@lingui/react/macro'
import { Button, Tooltip } from 'antd'
import { lazy, Suspense, type ComponentType } from 'react'
import type { Field, Json } from '../../../model-schema/kinds/kind.ts'
import { DOCUMENT } from '../../../model-schema/business/limits.ts'
import { useWords } from '../../i18n/locale.ts'
import { ProblemLine } from '../ProblemLine.tsx'
import { useFieldProblems } from '../problems.ts'
import { useModel } from '../../editor/useEditor.ts'
import { columnApplies } from '../visible.ts'
import type { ControlProps } from './control.ts'
import { english } from '../../../model-schema/words.ts'

const MeasureButton = lazy(() => import('../measures/MeasureButton.tsx'))

type Row = { [key: string]: Json }

export function RowsControl({
  id,
  field,
  value,
  disabled,
  set,
  element,
  elements,
  Cell,
}: ControlProps & { Cell: ComponentType<ControlProps & { cell: true }> }) {
  const { t } = useLingui()
  const words = useWords()
  const model = useModel(now => now)
  if (field.type.as !== 'rows') return null
  const { columns } = field.type
  const rows = Array.isArray(value) ? value.filter((row): row is Row => typeof row === 'object' && row !== null && !Array.isArray(row)) : []
  const replace = (index: number, column: string, next: Json): void =>
    set(rows.map((row, i) => (i === index ? { ...row, [column]: next } : row)))
  const add = (): void => set([...rows, Object.fromEntries(columns.map(column => [column.id, column.initial]))])
  const chooses = element.kind === 'chart' && field.id === 'series' && elements.length === 1
  return (
    <div className="h-rows" id={id}>
      {rows.length > 0 && (
        <ol>
          {rows.map((row, index) => (
            // A record has no identity of its own: its place is its key.
            // eslint-disable-next-line react/no-array-index-key
            <li key={index} data-columns={Math.min(2, columns.length)}>
              {columns
                .filter(column => columnApplies(column, row, model))
                .map(column => (
                  <label key={column.id} className="h-cell" data-wide={isWide(column, columns) || undefined}>
                    <span>{words(column.label)}</span>
                    <Cell
                      id={`${id}-${index}-${column.id}`}
                      field={column}
                      element={{ ...element, id: `${element.id}/${field.id}/${index}`, fields: row }}
                      elements={elements}
                      within={elements.length === 1 ? { element, field, row: index } : undefined}
                      value={row[column.id] ?? column.initial}
                      disabled={disabled}
                      cell
                      set={next => replace(index, column.id, next)}
                    />
                    <CellProblems element={elements[0] ?? element.id} place={`${field.id}/${index}/${column.id}`} />
                  </label>
                ))}
              {!disabled && (
                <span className="h-row-tools">
                  {index > 0 && (
                    <Tooltip title={t`Move up`}>
                      <Button
                        type="text"
                        size="small"
                        icon={<UpOutlined aria-hidden />}
                        aria-label={t`Move up`}
                        onClick={() => set(swapped(rows, index))}
                      />
                    </Tooltip>
                  )}
                  <Tooltip title={t`Remove`}>
                    <Button
                      type="text"
                      size="small"
                      icon={<DeleteOutlined aria-hidden />}
                      aria-label={t`Remove`}
                      onClick={() => set(rows.filter((_, i) => i !== index))}
                    />
                  </Tooltip>
                </span>
              )}
            </li>
          ))}
        </ol>
      )}
      {!disabled && chooses && rows.length < DOCUMENT.rows && (
        <Suspense>
          <MeasureButton
            owner={element.id}
            field={field.id}
            adds
            onPick={(formula, label) => set([...rows.filter(row => row['value'] !== ''), { label, value: formula, color: '' }])}
          />
        </Suspense>
      )}
      {!disabled && rows.length < DOCUMENT.rows && (
        <Button size="small" type="dashed" block icon={<PlusOutlined aria-hidden />} onClick={add}>
          {chooses ? <Trans>Write a formula</Trans> : <Trans>Add</Trans>}
        </Button>
      )}
    </div>
  )
}

/** What is wrong with one cell, under it. */
function CellProblems({ element, place }: { element: string; place: string }) {
  const problems = useFieldProblems(element, place)
  return problems.map(problem => <ProblemLine key={`${problem.code} ${english(problem.message)}`} problem={problem} />)
}

/** Formulas and the odd last column take a whole line. */
function isWide(column: Field, columns: readonly Field[]): boolean {
  return column.type.as === 'formula' && columns.length > 1
    ? columns.filter(other => other.type.as === 'formula').length === 1 && columns.indexOf(column) % 2 === 0
    : columns.length === 1
}

function swapped(rows: readonly Row[], index: number): Row[] {
  const next = [...rows]
  const [row] = next.splice(index, 1)
  if (row) next.splice(index - 1, 0, row)
  return next
}
