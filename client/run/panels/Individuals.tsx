// Who is there: a population as a table, sorted as one likes, while the run goes and while it stands. The engine sorts and tells
// only the rows in sight; from a row one looks at an individual, or follows it in the world.
import { AimOutlined } from '@ant-design/icons'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { Button, Select, Tooltip } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { mostListed } from '../../../sim-engine/messages.ts'
import { formatValue } from '../../charts/format.ts'
import { useRun, useRunView } from '../RunProvider.tsx'
import './panels.css'

const rowHeight = 28
/** Rows asked for above and below the visible ones. */
const spare = 15

type Order = { by: string; descending: boolean } | null

export function Individuals({ onShow }: { onShow?(element: string): void }) {
  const { t, i18n } = useLingui()
  const run = useRun()
  const populations = useRunView(view => view.loaded?.populations)
  const listing = useRunView(view => view.listing)
  const inspected = useRunView(view => view.inspected)
  const [chosen, setChosen] = useState<string | null>(null)
  const [order, setOrder] = useState<Order>(null)
  const [top, setTop] = useState(0)
  const [height, setHeight] = useState(200)
  const box = useRef<HTMLDivElement>(null)
  const { locale } = i18n

  const shown = populations?.find(one => one.id === chosen) ?? populations?.find(one => one.kind === 'agent') ?? populations?.[0] ?? null
  const population = shown?.id ?? null
  const there = shown !== null
  const from = Math.max(0, Math.floor(top / rowHeight) - spare)
  const count = Math.min(mostListed, Math.ceil(height / rowHeight) + 2 * spare)
  const by = order?.by ?? null
  const descending = order?.descending ?? false

  useEffect(() => {
    run.list(population === null ? null : { population, by, descending, from, count })
  }, [run, population, by, descending, from, count])
  useEffect(() => () => run.list(null), [run])
  useEffect(() => {
    const { current } = box
    if (!there || !current) return undefined
    const resized = new ResizeObserver(() => setHeight(current.clientHeight))
    resized.observe(current)
    return () => resized.disconnect()
  }, [there])

  if (!shown)
    return (
      <p className="h-panel-hint">
        <Trans>Individuals appear here when the model can run and has a population.</Trans>
      </p>
    )

  const list = listing?.population === population ? listing : null
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
            if (box.current) box.current.scrollTop = 0
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
        ref={box}
        className="h-panel-scroll"
        tabIndex={0}
        role="region"
        aria-label={t`Individuals of ${populationName}`}
        onScroll={event => setTop(event.currentTarget.scrollTop)}
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
              <Gap rows={list.from} />
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
              <Gap rows={list.total - list.from - list.rows.length} />
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

/** The room of rows that are out of sight. */
const Gap = ({ rows }: { rows: number }) => (rows > 0 ? <tr aria-hidden style={{ height: rows * rowHeight }} /> : null)
