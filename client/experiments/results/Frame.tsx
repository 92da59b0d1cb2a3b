// A chart's frame in SVG: axes with round ticks, a title, the plot inside; drawn with colours in place, so that it can be taken as a picture.
import { DownloadOutlined } from '@ant-design/icons'
import { useLingui } from '@lingui/react/macro'
import { Button } from 'antd'
import { useCallback, useEffect, useRef, useState, type ReactNode } from 'react'
import { useStore } from 'zustand'
import type { Setting } from '../../../model-schema/experiment.ts'
import { seriesColor } from '../../charts/colors.ts'
import { formatNumber, formatTick, formatValue } from '../../charts/format.ts'
import { useLocale } from '../../i18n/locale.ts'
import { download } from '../../run/download.ts'
import { complain } from '../../ui/toast.ts'
import { fontFamily, palettes, theme, usePalette, type Palette } from '../../ui/theme.ts'

export type Scale = ((value: number) => number) & { low: number; high: number }

/** A linear scale; a span of nothing becomes a little one around it. */
export function scaleOf(low: number, high: number, from: number, to: number): Scale {
  const [a, b] =
    low < high ? [low, high] : Number.isFinite(low) ? [low - (Math.abs(low) / 10 || 1), low + (Math.abs(low) / 10 || 1)] : [0, 1]
  return Object.assign((value: number) => from + ((value - a) / (b - a)) * (to - from), { low: a, high: b })
}

/** Round numbers between two, about `wanted` of them. */
export function ticksOf(low: number, high: number, wanted: number): { values: number[]; step: number } {
  const rough = (high - low) / Math.max(1, wanted)
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = ([1, 2, 5, 10].find(one => one * power >= rough) ?? 10) * power
  const values: number[] = []
  for (let at = Math.ceil(low / step - 1e-9); at * step <= high + step * 1e-9 && values.length < 50; at++)
    values.push(at === 0 ? 0 : at * step)
  return { values, step }
}

/** The extent of values, with a margin; what is not a number is left out. */
export function extentOf(values: Iterable<number>, margin = 0.04): [number, number] {
  let low = Infinity
  let high = -Infinity
  for (const value of values) {
    if (!Number.isFinite(value)) continue
    if (value < low) low = value
    if (value > high) high = value
  }
  if (low > high) return [0, 1]
  const room = (high - low) * margin
  return [low - room, high + room]
}

export type Ink = Palette & { series(index: number): string }

export function useInk(): Ink {
  const palette = usePalette()
  const dark = useStore(theme, state => state.dark)
  return { ...palette, series: index => seriesColor(index, undefined, dark) }
}

export const useNumber = (): ((value: number) => string) => {
  const language = useLocale()
  return value => formatNumber(value, language)
}

/** Any setting: numbers in the interface language, truths as formulas write them. */
export const useValue = (): ((value: Setting | undefined) => string) => {
  const language = useLocale()
  return value => formatValue(value, language)
}

/** The width of an element as it is laid out. */
export function useWidth(): [(element: HTMLElement | null) => void, number] {
  const [width, setWidth] = useState(0)
  const watch = useRef<ResizeObserver | null>(null)
  useEffect(() => () => watch.current?.disconnect(), [])
  const host = useCallback((element: HTMLElement | null): void => {
    watch.current?.disconnect()
    if (!element) return
    watch.current = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)))
    watch.current.observe(element)
    setWidth(Math.floor(element.getBoundingClientRect().width))
  }, [])
  return [host, width]
}

type FrameProps = {
  title: string
  height?: number
  x?: { label: string; low: number; high: number } | undefined
  y?: { label: string; low: number; high: number } | undefined
  /** Instead of numbers along y: one name a row. */
  rows?: readonly string[]
  /** The whole in one sentence, for those who don't see it. */
  summary: string
  children: (scales: { x: Scale; y: Scale; ink: Ink; width: number; height: number }) => ReactNode
  legend?: readonly { label: string; color: string }[]
}

export function Frame({ title, height = 300, x, y, rows, summary, children, legend }: FrameProps) {
  const { t } = useLingui()
  const ink = useInk()
  const language = useLocale()
  const [host, width] = useWidth()
  const svg = useRef<SVGSVGElement>(null)
  const longest = rows ? Math.min(width * 0.34, 24 + 6.6 * Math.max(...rows.map(widthOf), 0)) : 56
  const box = { left: y || rows ? longest : 12, right: width - 14, top: 8, bottom: height - (x ? 40 : 12) }
  const xScale = scaleOf(x?.low ?? 0, x?.high ?? 1, box.left, box.right)
  const yScale = rows ? scaleOf(-0.5, rows.length - 0.5, box.top, box.bottom) : scaleOf(y?.low ?? 0, y?.high ?? 1, box.bottom, box.top)
  const xTicks = ticksOf(xScale.low, xScale.high, Math.max(2, (box.right - box.left) / 72))
  const yTicks = ticksOf(yScale.low, yScale.high, Math.max(2, (box.bottom - box.top) / 48))
  const text = { fontFamily, fontSize: 11, fill: ink.muted }
  return (
    <figure className="x-chart">
      <figcaption>
        <strong>{title}</strong>
        {legend && (
          <span className="x-legend">
            {legend.map(({ label, color }) => (
              <span key={label}>
                <i style={{ background: color }} aria-hidden="true" />
                {label}
              </span>
            ))}
          </span>
        )}
        <Button
          type="text"
          size="small"
          icon={<DownloadOutlined />}
          aria-label={t`Save ${title} as PNG`}
          title={t`Save as PNG`}
          onClick={() => svg.current && void savePicture(svg.current, title).catch(complain)}
        />
      </figcaption>
      <div ref={host}>
        {width > 0 && (
          <svg
            ref={svg}
            width={width}
            height={height}
            role="img"
            aria-label={`${title}. ${summary}`}
            style={{ display: 'block', direction: 'ltr' }}
          >
            {x &&
              xTicks.values.map(value => (
                <g key={value}>
                  <line x1={xScale(value)} x2={xScale(value)} y1={box.top} y2={box.bottom} stroke={ink.grid} />
                  <text {...text} x={xScale(value)} y={box.bottom + 15} textAnchor="middle">
                    {formatTick(value, xTicks.step, language)}
                  </text>
                </g>
              ))}
            {y &&
              !rows &&
              yTicks.values.map(value => (
                <g key={value}>
                  <line x1={box.left} x2={box.right} y1={yScale(value)} y2={yScale(value)} stroke={ink.grid} />
                  <text {...text} x={box.left - 6} y={yScale(value) + 4} textAnchor="end">
                    {formatTick(value, yTicks.step, language)}
                  </text>
                </g>
              ))}
            {rows?.map((name, row) => (
              <text {...text} fill={ink.text} key={`${row} ${name}`} x={box.left - 8} y={yScale(row) + 4} textAnchor="end">
                {fitted(name, longest - 12)}
                <title>{name}</title>
              </text>
            ))}
            {x && (
              <>
                <line x1={box.left} x2={box.right} y1={box.bottom} y2={box.bottom} stroke={ink.lineStrong} />
                <text {...text} x={(box.left + box.right) / 2} y={height - 6} textAnchor="middle">
                  {x.label}
                </text>
              </>
            )}
            {y && !rows && (
              <text
                {...text}
                x={12}
                y={(box.top + box.bottom) / 2}
                textAnchor="middle"
                transform={`rotate(-90 12 ${(box.top + box.bottom) / 2})`}
              >
                {fitted(y.label, box.bottom - box.top)}
              </text>
            )}
            {children({ x: xScale, y: yScale, ink, width, height })}
          </svg>
        )}
      </div>
    </figure>
  )
}

/** In letters; Chinese signs are nearly two wide. */
const widthOf = (text: string): number => [...text].reduce((sum, letter) => sum + (letter > '\u2e80' ? 1.7 : 1), 0)

function fitted(text: string, pixels: number): string {
  let room = pixels / 6.2
  let shown = ''
  for (const letter of text) {
    room -= widthOf(letter)
    if (room < 1) return `${shown}…`
    shown += letter
  }
  return shown
}

/** Many dots as one path: each a line of no length with round ends. */
export function Dots({
  points,
  color,
  size = 5,
  opacity = 0.75,
}: {
  points: Iterable<readonly [number, number]>
  color: string
  size?: number
  opacity?: number
}) {
  let d = ''
  for (const [x, y] of points) if (Number.isFinite(x) && Number.isFinite(y)) d += `M${x.toFixed(1)} ${y.toFixed(1)}h0`
  return <path d={d} stroke={color} strokeWidth={size} strokeLinecap="round" opacity={opacity} fill="none" />
}

export const lineOf = (points: Iterable<readonly [number, number]>): string => {
  let d = ''
  for (const [x, y] of points) d += Number.isFinite(y) && Number.isFinite(x) ? `${d === '' ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}` : ''
  return d
}

/** The chart as a PNG of twice its size, on the page's colour. */
async function savePicture(svg: SVGSVGElement, name: string): Promise<void> {
  const { width, height } = svg.getBoundingClientRect()
  const copy = new XMLSerializer().serializeToString(svg)
  const image = new Image()
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(copy.includes('xmlns=') ? copy : copy.replace('<svg', '<svg xmlns="http://www.w3.org/2000/svg"'))}`
  await image.decode()
  const canvas = document.createElement('canvas')
  canvas.width = width * 2
  canvas.height = height * 2
  const context = canvas.getContext('2d')
  if (!context) throw new Error('no canvas')
  context.fillStyle = palettes[theme.getState().dark ? 'dark' : 'light'].surface
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.drawImage(image, 0, 0, canvas.width, canvas.height)
  const blob = await new Promise<Blob | null>(done => canvas.toBlob(done, 'image/png'))
  if (blob) download(blob, `${name}.png`)
}
