// The items of a list, set or dict that is written out in a formula, as lines to fill in. What is typed is written only when
// the whole is possible: keys of a dict are there and differ, every value is an expression.
import { DeleteOutlined, PlusOutlined } from '@ant-design/icons'
import { Trans, useLingui } from '@lingui/react/macro'
import { Button, Input } from 'antd'
import { useState } from 'react'
import { collectionText, isExpression, keyFaults, type Collection } from './reading.ts'

type Item = Collection['items'][number]

/** More lines than this are a data file, not something one fills in. */
const maxItemsEdited = 200

export function CollectionTable({
  collection,
  disabled,
  write,
}: {
  collection: Collection
  disabled: boolean
  write: (text: string) => void
}) {
  const { t } = useLingui()
  // Unfinished lines stay here until they can be written.
  const [draft, setDraft] = useState<readonly Item[] | null>(null)
  const dict = collection.is === 'dict'
  const items = draft ?? collection.items
  const faults = keyFaults({ ...collection, items })
  const fine = (next: readonly Item[]): boolean =>
    keyFaults({ ...collection, items: next }).every(fault => fault === null) && next.every(item => isExpression(item.value))
  const change = (next: readonly Item[]): void => setDraft(next)
  const commit = (next: readonly Item[]): void => {
    if (!fine(next)) return setDraft(next)
    setDraft(null)
    if (collectionText({ ...collection, items: next }) !== collectionText(collection)) write(collectionText({ ...collection, items: next }))
  }
  const put = (index: number, part: Partial<Item>): readonly Item[] => items.map((item, i) => (i === index ? { ...item, ...part } : item))
  const reason = (fault: 'empty' | 'duplicate' | null, value: string): string | null => {
    if (fault === 'empty') return t`A key cannot be empty.`
    if (fault === 'duplicate') return t`This key is there already.`
    return isExpression(value) ? null : t`This is not a value.`
  }
  if (items.length > maxItemsEdited)
    return (
      <p className="h-muted">
        <Trans>{items.length} items</Trans>
      </p>
    )
  return (
    <div className="h-collection" data-keys={dict || undefined}>
      {items.length > 0 && (
        <ol>
          {items.map((item, i) => {
            const why = reason(faults[i] ?? null, item.value)
            const place = i + 1
            return (
              // An item has no identity of its own: its place is its key.
              // eslint-disable-next-line react/no-array-index-key
              <li key={i}>
                {dict ? (
                  <Input
                    size="small"
                    value={item.key}
                    disabled={disabled}
                    status={faults[i] ? 'error' : ''}
                    aria-label={t`Key ${place}`}
                    onChange={event =>
                      change(put(i, { key: event.target.value, quoted: item.quoted || !isExpression(event.target.value) }))
                    }
                    onBlur={() => draft && commit(items)}
                    onPressEnter={() => commit(items)}
                  />
                ) : (
                  <span className="h-num">{i}</span>
                )}
                <Input
                  size="small"
                  className="h-mono"
                  value={item.value}
                  disabled={disabled}
                  status={isExpression(item.value) ? '' : 'error'}
                  aria-label={t`Value ${place}`}
                  onChange={event => change(put(i, { value: event.target.value }))}
                  onBlur={() => draft && commit(items)}
                  onPressEnter={() => commit(items)}
                />
                {!disabled && (
                  <Button
                    type="text"
                    size="small"
                    icon={<DeleteOutlined aria-hidden />}
                    aria-label={t`Remove`}
                    onClick={() => commit(items.filter((_, at) => at !== i))}
                  />
                )}
                {why && <small role="alert">{why}</small>}
              </li>
            )
          })}
        </ol>
      )}
      {!disabled && (
        <Button
          size="small"
          type="dashed"
          block
          icon={<PlusOutlined aria-hidden />}
          onClick={() =>
            dict ? change([...items, { key: '', quoted: true, value: '0' }]) : commit([...items, { key: '', quoted: false, value: '0' }])
          }
        >
          <Trans>Add</Trans>
        </Button>
      )}
    </div>
  )
}
