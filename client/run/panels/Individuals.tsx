// The individuals of a population as a sortable table, while the run plays and while it is stopped. The engine sorts and sends only the
// rows in view; a row leads to the individual, or follows it in the world.
import { AimOutlined } from '@ant-design/icons'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { Button, Select, Tooltip } from 'antd'
import { useEffect, useState } from 'react'
import { mostListed } from '../../../sim-engine/messages.ts'
import { formatValue } from '../../charts/format.ts'
import { useVisibleRows } from '../../ui/gestures/visible-rows.ts'
import { useRun, useRunView } from '../RunProvider.tsx'
import './panels.css'

const rowHeight = 28
/** Rows asked for above and below the visible ones. */
const spareRows = 15

type Order = { by: string; descending: boolean } | null

export function Individuals({ onShow }: { onShow?(element: string): void }) {
  const { t, i18n } = useLingui()
  const run = useRun()
  const populations = useRunView(view => view.loaded?.populations)
  const listing = useRunView(view => view.listing)
  const inspected = useRunView(view => view.inspected)
  const [chosen, setChosen] = useState<string | null>(null)
  const [order, setOrder] = useState<Order>(null)
  const { locale } = i18n

  const shown = populations?.find(one => one.id === chosen) ?? populations?.find(one => one.kind === 'agent') ?? populations?.[0] ?? null
  const population = shown?.id ?? null
  const list = listing?.population === population ? listing : null
  const visible = useVisibleRows<HTMLDivElement>({ count: list?.total ?? 0, rowHeight, spare: spareRows })
  const { first: from, height, topOf, ref, onScroll, scrollTo } = visible
  const count = Math.min(mostListed, visible.room)
  const by = order?.by ?? null
  const descending = order?.descending ?? false

  useEffect(() => {
    run.list(population === null ? null : { population, by, descending, from, count })
  }, [run, population, by, descending, from, count])
  useEffect(() => () => run.list(null), [run])

  if (!shown)
    return (
      <p className="h-panel-hint">
        <Trans>Individuals appear here when the model can run and has a population.</Trans>
      </p>
    )

  const { name: populationName } = shown
  const turn = (column: string): void =>
    setOrder(order?.by !== column ? { by: column, descending: false } : order.descending ? null : { by: column, descending: true })
  return (
    <div className="h-panel">
      <div className="h-panel-bar">
        <Select
          size="small"
          aria-label={t`Population`}
          value={population}
          popupMatchSelectWidth={false}
          options={populations?.map(one => ({ value: one.id, label: one.name })) ?? []}
          onChange={next => {
            setChosen(next)
            setOrder(null)
            scrollTo('start')
          }}
        />
        <span className="h-num">
          <Plural value={list?.total ?? 0} one="# individual" other="# individuals" />
        </span>
        {onShow && (
          <Button size="small" type="text" onClick={() => onShow(shown.id)}>
            <Trans>Show on the canvas</Trans>
          </Button>
        )}
      </div>
      <div
        ref={ref}
        className="h-panel-scroll"
        tabIndex={0}
        role="region"
        aria-label={t`Individuals of ${populationName}`}
        onScroll={onScroll}
      >
        <table className="h-population" aria-rowcount={(list?.total ?? 0) + 1}>
          <thead>
            <tr>
              {list?.columns.map(column => (
                <th key={column} scope="col" aria-sort={order?.by !== column ? 'none' : order.descending ? 'descending' : 'ascending'}>
                  <button type="button" onClick={() => turn(column)}>
                    {column}
                    <span aria-hidden>{order?.by !== column ? '' : order.descending ? ' ↓' : ' ↑'}</span>
                  </button>
                </th>
              ))}
              <th scope="col">
                <span className="h-hidden">
                  <Trans>Actions</Trans>
                </span>
              </th>
            </tr>
          </thead>
          {list && (
            <tbody>
              <Gap height={topOf(list.from)} />
              {list.rows.map((values, i) => {
                const entity = list.entities[i] ?? -1
                const on = inspected?.population === population && inspected.entity === entity
                const id = formatValue(values[0], locale)
                const name = `${populationName} ${id}`
                return (
                  <tr key={entity} aria-rowindex={list.from + i + 2} data-on={on || undefined}>
                    {values.map((value, column) => (
                      <td key={list.columns[column]}>
                        {column === 0 ? (
                          <button
                            type="button"
                            className="h-link"
                            aria-pressed={on}
                            aria-label={t`Look at ${name}`}
                            onClick={() => run.inspect(shown.id, on ? null : entity)}
                          >
                            {id}
                          </button>
                        ) : (
                          formatValue(value, locale)
                        )}
                      </td>
                    ))}
                    <td>
                      {shown.kind === 'agent' && shown.space !== null && (
                        <Tooltip title={t`Follow in the world`}>
                          <Button
                            type={on && inspected.follow ? 'primary' : 'text'}
                            size="small"
                            icon={<AimOutlined aria-hidden />}
                            aria-label={t`Follow ${name}`}
                            onClick={() => run.inspect(shown.id, entity, true)}
                          />
                        </Tooltip>
                      )}
                    </td>
                  </tr>
                )
              })}
              <Gap height={height - topOf(list.from + list.rows.length)} />
            </tbody>
          )}
        </table>
        {list?.total === 0 && (
          <p className="h-panel-hint">
            <Trans>Nobody is left of this population.</Trans>
          </p>
        )}
      </div>
    </div>
  )
}

/** The room of rows that are out of sight, in pixels. */
const Gap = ({ height }: { height: number }) => (height > 0 ? <tr aria-hidden style={{ height }} /> : null)
