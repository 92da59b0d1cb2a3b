// The renderer of charts: an ECharts option on a canvas, or as SVG or PNG for downloads. Loaded with the first chart that needs it.
import type { EChartsOption } from 'echarts'
import { BarChart, CustomChart, GaugeChart, HeatmapChart, LineChart, ParallelChart, PieChart, ScatterChart } from 'echarts/charts'
import {
  GridComponent,
  LegendComponent,
  ParallelComponent,
  TitleComponent,
  TooltipComponent,
  VisualMapContinuousComponent,
} from 'echarts/components'
import { init, use, type ECharts } from 'echarts/core'
import { CanvasRenderer, SVGRenderer } from 'echarts/renderers'
import { useEffect, useRef, useState } from 'react'
import type { LineEnd } from '../shelf/option.ts'
import type { DrawingSize } from './style.ts'
import './drawing.css'

use([
  BarChart,
  CustomChart,
  GaugeChart,
  HeatmapChart,
  LineChart,
  ParallelChart,
  PieChart,
  ScatterChart,
  GridComponent,
  LegendComponent,
  ParallelComponent,
  TitleComponent,
  TooltipComponent,
  VisualMapContinuousComponent,
  CanvasRenderer,
  SVGRenderer,
])

/** The option of a chart at a size. */
export type OptionOf = (size: DrawingSize) => EChartsOption

export type EChartProps = {
  option: OptionOf
  /** Its name for assistive technology; absent where the surrounding element has one. */
  label?: string
  /** How long drawing took, in milliseconds, so that callers do not ask too often. */
  took?: ((ms: number) => void) | undefined
  /** Intervals selected on an axis of parallel coordinates, by the axis's id. They are kept when the option changes. */
  onAxisSelect?: (axis: string, intervals: readonly (readonly [number, number])[]) => void
  /** Two values of the x axis, and what is called with their places in pixels from the left of the drawing whenever it is laid out. */
  xPlaces?: { readonly low: number; readonly high: number; readonly onPlaced: (low: number, high: number) => void } | undefined
  /** Where lines end, in values of the axes; `onEnds` is called with their pixels from the top whenever it is laid out. */
  ends?: readonly (LineEnd | null)[] | null
  onEnds?: (tops: readonly (number | null)[]) => void
}

export function EChart({ option, label, took, onAxisSelect, xPlaces, ends, onEnds }: EChartProps) {
  const host = useRef<HTMLDivElement>(null)
  const [chart, setChart] = useState<ECharts | null>(null)
  const [size, setSize] = useState({ width: 0, height: 0 })
  const isSelectable = onAxisSelect !== undefined
  const { low, high, onPlaced } = xPlaces ?? {}
  useEffect(() => {
    const element = host.current
    if (!element) return undefined
    const made = init(element, null, { renderer: 'canvas' })
    setChart(made)
    const watch = new ResizeObserver(() => {
      const next = { width: element.clientWidth, height: element.clientHeight }
      if (next.width === 0 || next.height === 0) return
      made.resize(next)
      setSize(next)
    })
    watch.observe(element)
    return () => {
      watch.disconnect()
      made.dispose()
    }
  }, [])
  useEffect(() => {
    if (!chart || chart.isDisposed() || size.width === 0) return
    const from = performance.now()
    chart.setOption(option({ ...size, density: devicePixelRatio }), isSelectable ? { replaceMerge: ['series'] } : { notMerge: true })
    took?.(performance.now() - from)
    if (ends) onEnds?.(ends.map(end => end && (chart.convertToPixel({ xAxisIndex: 0, yAxisIndex: 0 }, [end.at, end.value])[1] ?? null)))
    if (low === undefined || high === undefined) return
    onPlaced?.(Number(chart.convertToPixel({ xAxisIndex: 0 }, low)), Number(chart.convertToPixel({ xAxisIndex: 0 }, high)))
  }, [chart, option, size, took, isSelectable, low, high, onPlaced, ends, onEnds])
  useEffect(() => {
    if (!chart || !onAxisSelect) return undefined
    const select = (event: unknown): void => {
      const { parallelAxisId, intervals } = event as { parallelAxisId: string; intervals: [number, number][] }
      onAxisSelect(parallelAxisId, intervals)
    }
    chart.on('axisareaselected', select)
    return () => {
      if (!chart.isDisposed()) chart.off('axisareaselected', select)
    }
  }, [chart, onAxisSelect])
  return <div ref={host} className="p-drawing" {...(label === undefined ? {} : { role: 'img', 'aria-label': label })} />
}

const downloadSize = { width: 960, height: 600 } as const

/** The chart as SVG. */
export function svgOf(option: OptionOf): string {
  const chart = init(null, null, { renderer: 'svg', ssr: true, ...downloadSize })
  try {
    chart.setOption(option({ ...downloadSize, density: 2 }))
    return chart.renderToSVGString()
  } finally {
    chart.dispose()
  }
}

/** The chart as PNG of twice `size`, on `background`; null where the browser cannot make one. */
export function pngOf(option: OptionOf, background: string, size: { width: number; height: number } = downloadSize): Promise<Blob | null> {
  const canvas = document.createElement('canvas')
  const chart = init(canvas, null, { renderer: 'canvas', devicePixelRatio: 2, ...size })
  chart.setOption(option({ ...size, density: 2 }))
  const made = chart.renderToCanvas({ pixelRatio: 2, backgroundColor: background })
  return new Promise(done => {
    made.toBlob(picture => {
      chart.dispose()
      done(picture)
    }, 'image/png')
  })
}
