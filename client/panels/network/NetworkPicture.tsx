// A network as columns of units: how much each gives by its colour, the strongest weights between them as lines.
import { useLingui } from '@lingui/react/macro'
import type { Shape } from '../../../sim-engine/network.ts'
import { listNow } from '../../i18n/list.ts'

/** Most units of a layer that are drawn. */
const mostUnits = 16

const [width, height] = [700, 260]

export function NetworkPicture({
  layers,
  shape,
  weights,
}: {
  layers: readonly (readonly number[])[]
  shape: Shape
  weights: Float32Array
}) {
  const { t } = useLingui()
  const x = (layer: number): number => 30 + (layer * (width - 60)) / Math.max(1, layers.length - 1)
  const y = (layer: number, unit: number): number => {
    const count = Math.min(mostUnits, layers[layer]!.length)
    return ((unit + 0.5) * (height - 24)) / count + 4
  }
  const lines: { key: string; from: [number, number]; to: [number, number]; weight: number }[] = []
  let [at, before] = [0, shape.inputs]
  shape.layers.forEach(({ size }, k) => {
    for (let i = 0; i < Math.min(mostUnits, before); i++)
      for (let o = 0; o < Math.min(mostUnits, size); o++)
        lines.push({ key: `${k} ${i} ${o}`, from: [x(k), y(k, i)], to: [x(k + 1), y(k + 1, o)], weight: weights[at + i * size + o]! })
    at += (before + 1) * size
    before = size
  })
  const greatest = lines.reduce((most, { weight }) => Math.max(most, Math.abs(weight)), 1e-9)
  const drawn = lines.filter(({ weight }) => Math.abs(weight) > 0.15 * greatest)
  const sizes = listNow(layers.map(({ length }) => String(length)))
  return (
    <svg className="h-network-picture" viewBox={`0 0 ${width} ${height}`} role="img" aria-label={t`Layers of ${sizes} units`}>
      {drawn.map(({ key, from, to, weight }) => (
        <line
          key={key}
          x1={from[0]}
          y1={from[1]}
          x2={to[0]}
          y2={to[1]}
          data-sign={weight < 0 ? 'minus' : 'plus'}
          opacity={0.08 + (0.5 * Math.abs(weight)) / greatest}
        />
      ))}
      {layers.map((values, layer) => {
        const most = Math.max(1e-9, ...values.map(Math.abs))
        return values.slice(0, mostUnits).map((value, unit) => (
          <circle
            key={`${layer} ${unit}`}
            cx={x(layer)}
            cy={y(layer, unit)}
            r="6.5"
            data-sign={value < 0 ? 'minus' : 'plus'}
            fillOpacity={Math.abs(value) / most}
          >
            <title>{`${layer}.${unit + 1}: ${Number(value.toPrecision(4))}`}</title>
          </circle>
        ))
      })}
      {layers.map(({ length }, layer) => (
        <text key={layer} x={x(layer)} y={height - 4} textAnchor="middle">
          {length}
        </text>
      ))}
    </svg>
  )
}
