// A picture drawn by ECharts, which is loaded with the first of them. Canvas on the page; for downloads the same as SVG, or larger as PNG.
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
import { optionOf, type Drawn } from './option.ts'

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

export type DrawingProps = {
  drawn: Omit<Drawn, 'width' | 'height' | 'density' | 'titled'>
  label: string
  /** Told how long drawing took, in milliseconds, so that it is not asked for too often. */
  took?(ms: number): void
}

export function Drawing({ drawn, label, took }: DrawingProps) {
  const host = useRef<HTMLDivElement>(null)
  const [chart, setChart] = useState<ECharts | null>(null)
  const [size, setSize] = useState({ width: 0, height: 0 })
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
    chart.setOption(optionOf({ ...drawn, ...size, density: devicePixelRatio, titled: null }), { notMerge: true })
    took?.(performance.now() - from)
  }, [chart, drawn, size, took])
  return <div ref={host} className="p-drawing" role="img" aria-label={label} />
}

const exported = { width: 960, height: 600 } as const

/** The picture with its title and legend, as SVG. */
export function svgOf(drawn: DrawingProps['drawn'], titled: string): string {
  const chart = init(null, null, { renderer: 'svg', ssr: true, ...exported })
  try {
    chart.setOption(optionOf({ ...drawn, ...exported, density: 2, titled }))
    return chart.renderToSVGString()
  } finally {
    chart.dispose()
  }
}

/** The same at twice the size of its pixels; null where it can't be made. */
export function pngOf(drawn: DrawingProps['drawn'], titled: string): Promise<Blob | null> {
  const canvas = document.createElement('canvas')
  const chart = init(canvas, null, { renderer: 'canvas', devicePixelRatio: 2, ...exported })
  chart.setOption(optionOf({ ...drawn, ...exported, density: 2, titled }))
  const made = chart.renderToCanvas({ pixelRatio: 2, backgroundColor: drawn.ink.surface })
  return new Promise(done => {
    made.toBlob(picture => {
      chart.dispose()
      done(picture)
    }, 'image/png')
  })
}
