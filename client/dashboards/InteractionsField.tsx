// What a control does to other cards, as sentences: when it is this, then that. Each line is a row of the field `interactions`.
import { DeleteOutlined, PlusOutlined } from '@ant-design/icons'
import { Trans, useLingui } from '@lingui/react/macro'
import { Button, Input, InputNumber, Select } from 'antd'
import type { Item } from '../../model-schema/dashboard.ts'
import type { Field, Json } from '../../model-schema/kinds/kind.ts'
import type { Element } from '../../model-schema/model.ts'
import { useWords } from '../i18n/locale.ts'
import { cellText, rowsField, textField } from '../run/fields.ts'
import { interactionsOf, isButton, isControl, type Interaction } from './interactions.ts'
import { cardsOf, useBoard } from './scope.ts'
import { useTitle } from './containers/Containers.tsx'

type Props = { element: Element; field: Field; disabled: boolean; set(value: Json): void }

/** Conditions that make sense for a type of control. */
function conditionsFor(element: Element): readonly string[] {
  const type = textField(element, 'type') || 'slider'
  if (type === 'switch') return ['is', 'always']
  if (type === 'slider' || type === 'number') return ['is', 'isNot', 'more', 'less', 'always']
  if (type === 'select') return ['is', 'isNot', 'always']
  return ['is', 'isNot', 'contains', 'blank', 'always']
}

export function InteractionsField({ element, field, disabled, set }: Props) {
  const { t } = useLingui()
  const words = useWords()
  const titleOf = useTitle()
  const { dashboard } = useBoard()
  const rows = interactionsOf(element)
  const others = cardsOf(dashboard).filter(item => item.element.id !== element.id)
  const columns = field.type.as === 'rows' ? field.type.columns : []
  const labels = (column: string): Readonly<Record<string, string>> => {
    const type = columns.find(({ id }) => id === column)?.type
    return type?.as === 'choice' ? Object.fromEntries(Object.entries(type.options).map(([id, label]) => [id, words(label)])) : {}
  }
  const [whens, acts] = [labels('when'), labels('act')]
  const put = (next: readonly Interaction[]): void =>
    set(next.map(({ when, than, act, card, to }) => ({ when, than, act, card: card || null, to })))
  const patch = (at: number, part: Partial<Interaction>): void => put(rows.map((row, i) => (i === at ? { ...row, ...part } : row)))
  const button = isButton(element)
  const fresh: Interaction = {
    when: button ? 'always' : 'is',
    than: textField(element, 'type') === 'switch' ? 'True' : '',
    act: 'show',
    card: '',
    to: '',
  }
  return (
    <div className="d-interactions">
      {rows.map((row, i) => {
        const other = others.find(item => item.element.id === row.card)
        const number = i + 1
        return (
          // Rows have no ids; their order is theirs alone.
          // eslint-disable-next-line react/no-array-index-key
          <div key={i} className="d-interaction" role="group" aria-label={t`Interaction ${number}`}>
            {button ? (
              <span className="d-word">{row.act === 'set' ? <Trans>When pressed</Trans> : <Trans>While it is on</Trans>}</span>
            ) : (
              <>
                <Select
                  size="small"
                  aria-label={t`Condition`}
                  value={row.when}
                  disabled={disabled}
                  options={[...new Set([...conditionsFor(element), row.when])].map(value => ({ value, label: whens[value] ?? value }))}
                  onChange={when => patch(i, { when })}
                />
                {row.when !== 'always' && row.when !== 'blank' && (
                  <ValueInput element={element} label={t`Value`} value={row.than} disabled={disabled} set={than => patch(i, { than })} />
                )}
              </>
            )}
            <Select
              size="small"
              aria-label={t`Action`}
              value={row.act}
              disabled={disabled}
              options={Object.entries(acts).map(([value, label]) => ({ value, label }))}
              onChange={act => patch(i, { act })}
            />
            <Select
              size="small"
              aria-label={t`Card`}
              showSearch={{ optionFilterProp: 'label' }}
              status={row.card === '' || other ? '' : 'error'}
              placeholder={t`Choose a card`}
              disabled={disabled}
              {...(row.card === '' ? {} : { value: other ? row.card : t`A card that is gone` })}
              options={others
                .filter(item => row.act !== 'set' || settable(item))
                .map(item => ({ value: item.element.id, label: titleOf(item) }))}
              onChange={(card: string) => patch(i, { card })}
            />
            {row.act === 'set' && other && (
              <ValueInput element={other.element} label={t`To`} value={row.to} disabled={disabled} set={to => patch(i, { to })} />
            )}
            <Button
              type="text"
              size="small"
              className="d-drop"
              icon={<DeleteOutlined aria-hidden />}
              disabled={disabled}
              aria-label={t`Remove interaction ${number}`}
              onClick={() => put(rows.filter((_, at) => at !== i))}
            />
          </div>
        )
      })}
      <Button
        size="small"
        block
        icon={<PlusOutlined aria-hidden />}
        disabled={disabled || others.length === 0}
        onClick={() => put([...rows, fresh])}
      >
        <Trans>Add an interaction</Trans>
      </Button>
    </div>
  )
}

const settable = ({ element }: Item): boolean => isControl(element) && !isButton(element)

type ValueProps = { id?: string; element: Element; label: string; value: string; disabled: boolean; set(value: string): void }

/** A value of a control, written with what suits its type. */
export function ValueInput({ id, element, label, value, disabled, set }: ValueProps) {
  const { t } = useLingui()
  const type = textField(element, 'type') || 'slider'
  // As a field of its own it is as large as the others.
  const named = id === undefined ? { size: 'small' as const } : { id, className: 'h-wide' }
  if (type === 'switch') {
    return (
      <Select
        {...named}
        aria-label={label}
        disabled={disabled}
        allowClear
        value={value === '' ? undefined : value === 'True' ? 'True' : 'False'}
        options={[
          { value: 'True', label: t`On` },
          { value: 'False', label: t`Off` },
        ]}
        onChange={next => set(next ?? '')}
      />
    )
  }
  if (type === 'slider' || type === 'number') {
    return (
      <InputNumber
        {...named}
        aria-label={label}
        disabled={disabled}
        controls={false}
        changeOnBlur
        value={value === '' || !Number.isFinite(Number(value)) ? null : Number(value)}
        onChange={next => set(next === null ? '' : String(next))}
      />
    )
  }
  if (type === 'select') {
    const options = rowsField(element, 'options').map(row => ({
      value: cellText(row, 'value'),
      label: cellText(row, 'label') || cellText(row, 'value'),
    }))
    return (
      <Select
        {...named}
        aria-label={label}
        disabled={disabled}
        allowClear
        value={value === '' ? undefined : value}
        options={options}
        onChange={next => set(next ?? '')}
      />
    )
  }
  return (
    <Input
      {...named}
      key={value}
      aria-label={label}
      disabled={disabled}
      defaultValue={value}
      onBlur={event => event.target.value !== value && set(event.target.value)}
      onPressEnter={event => set(event.currentTarget.value)}
    />
  )
}
