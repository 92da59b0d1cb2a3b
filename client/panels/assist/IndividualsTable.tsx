// First values of single individuals as a grid one types or pastes into: a line an individual, a column a variable.
import { DeleteOutlined, PlusOutlined } from '@ant-design/icons'
import { Trans, useLingui } from '@lingui/react/macro'
import { Button, Input, InputNumber } from 'antd'
import { useState } from 'react'
import type { Json } from '../../../model-schema/kinds/kind.ts'
import { DOCUMENT } from '../../../model-schema/business/limits.ts'
import { useModel } from '../../editor/useEditor.ts'
import type { ControlProps } from '../fields/control.ts'
import { ProblemLine } from '../ProblemLine.tsx'
import { useModelProblems } from '../problems.ts'
import { numbersIn, placeOf, strangersIn, variablesOf, withBlock, withValue } from './individuals.ts'
import { isExpression } from './reading.ts'
import { english } from '../../../model-schema/words.ts'

type Row = { [key: string]: Json }

export function IndividualsTable({ id, field, element, value, disabled, set }: ControlProps) {
  const { t } = useLingui()
  const model = useModel(model => model)
  const rows = Array.isArray(value) ? value.filter((row): row is Row => typeof row === 'object' && row !== null && !Array.isArray(row)) : []
  const variables = variablesOf(model, element)
  const [fresh, setFresh] = useState<readonly number[]>([])
  const problems = useModelProblems().filter(problem => problem.at.id === element.id && problem.at.field?.startsWith(`${field.id}/`))
  const numbers = [...new Set([...numbersIn(rows), ...fresh])].sort((a, b) => a - b)
  const strangers = strangersIn(rows, variables)
  const next = (numbers.at(-1) ?? -1) + 1
  const write = (changed: Row[]): void => {
    if (changed.length <= DOCUMENT.rows) set(changed)
  }
  if (variables.length === 0 && rows.length === 0)
    return (
      <p className="h-muted" id={id}>
        <Trans>Enter it and add variables first: each becomes a column here.</Trans>
      </p>
    )
  return (
    <div className="h-individuals" id={id}>
      {numbers.length > 0 && (
        <div className="h-individuals-scroll">
          <table>
            <thead>
              <tr>
                <th scope="col">#</th>
                {variables.map(name => (
                  <th key={name} scope="col">
                    {name}
                  </th>
                ))}
                <th aria-label={t`Actions`} />
              </tr>
            </thead>
            <tbody>
              {numbers.map(number => (
                <tr key={number}>
                  <th scope="row" className="h-num">
                    {number}
                  </th>
                  {variables.map(name => (
                    <td key={name}>
                      <CellField
                        text={textOf(rows[placeOf(rows, number, name)])}
                        label={t`${name} of individual ${number}`}
                        disabled={disabled}
                        set={text => write(withValue(rows, number, name, text))}
                        paste={block => write(withBlock(rows, variables, number, name, block))}
                      />
                    </td>
                  ))}
                  <td>
                    {!disabled && (
                      <Button
                        type="text"
                        size="small"
                        icon={<DeleteOutlined aria-hidden />}
                        aria-label={t`Remove individual ${number}`}
                        onClick={() => {
                          setFresh(fresh.filter(one => one !== number))
                          if (rows.some(row => row['row'] === number)) set(rows.filter(row => row['row'] !== number))
                        }}
                      />
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {strangers.length > 0 && (
        <ul>
          {strangers.map(i => (
            <li key={i}>
              <span>
                <b>{String(rows[i]?.['property'] ?? '')}</b> <code>{textOf(rows[i])}</code>{' '}
                <small className="h-muted">
                  <Trans>not a variable of this agent</Trans>
                </small>
              </span>
              {!disabled && (
                <Button
                  type="text"
                  size="small"
                  icon={<DeleteOutlined aria-hidden />}
                  aria-label={t`Remove`}
                  onClick={() => set(rows.filter((_, at) => at !== i))}
                />
              )}
            </li>
          ))}
        </ul>
      )}
      {!disabled && variables.length > 0 && <Adder next={next} add={number => setFresh([...fresh, number])} />}
      {problems.map(problem => (
        <ProblemLine key={`${problem.code} ${problem.at.field ?? ''} ${english(problem.message)}`} problem={problem} />
      ))}
    </div>
  )
}

const textOf = (row: Row | undefined): string => {
  const value = row?.['value']
  return typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value)
}

function Adder({ next, add }: { next: number; add: (number: number) => void }) {
  const { t } = useLingui()
  const [number, setNumber] = useState<number | null>(null)
  return (
    <div className="h-individuals-add">
      <InputNumber
        size="small"
        min={0}
        precision={0}
        value={number ?? next}
        aria-label={t`Number of the individual`}
        onChange={value => setNumber(typeof value === 'number' ? value : null)}
      />
      <Button
        size="small"
        type="dashed"
        icon={<PlusOutlined aria-hidden />}
        onClick={() => {
          add(number ?? next)
          setNumber(null)
        }}
      >
        <Trans>Add an individual</Trans>
      </Button>
    </div>
  )
}

type CellProps = { text: string; label: string; disabled: boolean; set: (text: string) => void; paste: (block: string) => void }

function CellField({ text, label, disabled, set, paste }: CellProps) {
  const [draft, setDraft] = useState<string | null>(null)
  const shown = draft ?? text
  const commit = (): void => {
    if (draft !== null && draft !== text) set(draft)
    setDraft(null)
  }
  return (
    <Input
      size="small"
      variant="borderless"
      className="h-mono"
      value={shown}
      disabled={disabled}
      status={shown.trim() === '' || isExpression(shown) ? '' : 'error'}
      aria-label={label}
      onChange={event => setDraft(event.target.value)}
      onBlur={commit}
      onPressEnter={commit}
      onPaste={event => {
        const block = event.clipboardData.getData('text/plain')
        if (!/[\t\n]/.test(block.trimEnd())) return
        event.preventDefault()
        setDraft(null)
        paste(block)
      }}
    />
  )
}
