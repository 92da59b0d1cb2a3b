// A distribution in a formula: its density, mean and spread; while it is nothing but the draw, another one can be chosen and
// its parameters set.
import { useLingui } from '@lingui/react/macro'
import { Dropdown, InputNumber, Select } from 'antd'
import { useMemo } from 'react'
import { useWords } from '../../i18n/locale.ts'
import { distributions, plotOf, type Distribution, type DensityShape } from './distributions.ts'
import { drawText, type Draw } from './reading.ts'

export function DrawCard({ draw, disabled, write }: { draw: Draw; disabled: boolean; write: (text: string) => void }) {
  const { t } = useLingui()
  const words = useWords()
  const { distribution, values, plain } = draw
  const known = values.filter(value => value !== null)
  const shape = known.length === values.length ? distribution.shape(...known) : null
  const fixed = disabled || !plain
  const set = (index: number, next: number | null): void => {
    if (next !== null && Number.isFinite(next))
      write(
        drawText(
          distribution,
          values.map((value, i) => (i === index ? next : (value ?? 0))),
        ),
      )
  }
  return (
    <div className="h-draw">
      {shape ? (
        <Density shape={shape} label={words(distribution.label)} />
      ) : (
        <p className="h-muted">
          {known.length === values.length
            ? t`These parameters are not possible.`
            : t`Its shape depends on values that are known in a run only.`}
        </p>
      )}
      {!fixed && (
        <div className="h-draw-fields">
          <label>
            <span>{t`Distribution`}</span>
            <Select
              size="small"
              value={distribution.name}
              aria-label={t`Distribution`}
              options={distributions.map(one => ({ value: one.name, label: words(one.label) }))}
              onChange={name => {
                const next = distributions.find(one => one.name === name)
                if (next) write(drawText(next, startOf(next, shape)))
              }}
            />
          </label>
          {distribution.parameters.map((parameter, i) => {
            const value = values[i] ?? null
            return (
              <label key={parameter.id}>
                <span>{words(parameter.label)}</span>
                <InputNumber
                  size="small"
                  value={value}
                  aria-label={words(parameter.label)}
                  status={value !== null && parameter.fits?.(value) === false ? 'error' : ''}
                  changeOnBlur
                  changeOnWheel={false}
                  onChange={next => set(i, typeof next === 'number' ? (parameter.whole ? Math.round(next) : next) : null)}
                />
              </label>
            )
          })}
        </div>
      )}
    </div>
  )
}

/** Parameters of a newly chosen distribution that keep the mean where that is plain, else what one usually begins with. */
function startOf({ name, parameters }: Distribution, before: DensityShape | null): number[] {
  const mean = before?.mean ?? null
  const round = (value: number): number => Number(value.toPrecision(4))
  if (mean !== null && mean > 0) {
    const sd = before?.sd ?? mean / 2
    switch (name) {
      case 'normal':
        return [round(mean), round(sd)]
      case 'uniform':
        return [round(Math.max(0, mean - sd * Math.sqrt(3))), round(mean + sd * Math.sqrt(3))]
      case 'exponential':
      case 'poisson':
        return [round(mean)]
      case 'triangular':
        return [round(mean * 0.5), round(mean), round(mean * 1.5)]
      case 'erlang':
        return [3, round(mean)]
      case 'gamma':
        return [2, round(mean / 2)]
    }
  }
  return parameters.map(parameter => parameter.initial)
}

/** Offers to make a number a draw around it. */
export function DrawOffer({ now, write }: { now: number | null; write: (text: string) => void }) {
  const { t } = useLingui()
  const words = useWords()
  const around: DensityShape | null =
    now !== null && now > 0 ? { discrete: false, from: 0, to: 2 * now, at: () => 0, mean: now, sd: now / 4 } : null
  return (
    <Dropdown
      trigger={['click']}
      menu={{
        items: distributions.map(one => ({
          key: one.name,
          label: words(one.label),
          onClick: () => write(drawText(one, startOf(one, around))),
        })),
      }}
    >
      <button type="button" className="h-field-tool" aria-label={t`Draw from a distribution`} title={t`Draw from a distribution`}>
        <svg width="15" height="10" viewBox="0 0 18 10" aria-hidden>
          <path d="M1 9C6 9 6 1 9 1s3 8 8 8" fill="none" stroke="currentColor" strokeWidth="1.6" />
        </svg>
      </button>
    </Dropdown>
  )
}

const width = 240
const height = 56

function Density({ shape, label }: { shape: DensityShape; label: string }) {
  const { t, i18n } = useLingui()
  const { bars, points } = useMemo(() => plotOf(shape), [shape])
  const number = new Intl.NumberFormat(i18n.locale, { maximumSignificantDigits: 4 })
  const span = shape.to - shape.from || 1
  const x = (value: number): number => ((value - shape.from + (bars ? 0.5 : 0)) / (span + (bars ? 1 : 0))) * width
  const y = (value: number): number => height - value * (height - 4)
  const line = points.map(([at, value]) => `${x(at).toFixed(1)},${y(value).toFixed(1)}`).join(' ')
  const mean = shape.mean === null ? '∞' : number.format(shape.mean)
  const sd = shape.sd === null ? '∞' : number.format(shape.sd)
  return (
    <figure className="h-density">
      <svg
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={t`${label}: mean ${mean}, standard deviation ${sd}`}
      >
        {bars ? (
          points.map(([at, value]) => (
            <rect
              key={at}
              x={x(at) - (width / points.length) * 0.35}
              y={y(value)}
              width={(width / points.length) * 0.7}
              height={height - y(value)}
            />
          ))
        ) : (
          <>
            <polygon points={`${x(shape.from)},${height} ${line} ${x(shape.to)},${height}`} />
            <polyline points={line} />
          </>
        )}
        {shape.mean !== null && shape.mean >= shape.from && shape.mean <= shape.to && (
          <line x1={x(shape.mean)} x2={x(shape.mean)} y1={2} y2={height} />
        )}
      </svg>
      <figcaption>
        <span className="h-num">{number.format(shape.from)}</span>
        <span className="h-num">
          {t`mean ${mean}`} · {t`s.d. ${sd}`}
        </span>
        <span className="h-num">{number.format(shape.to)}</span>
      </figcaption>
    </figure>
  )
}
