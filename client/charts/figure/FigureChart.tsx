// A figure with its title, legend and download.
import { DownloadOutlined } from '@ant-design/icons'
import { useLingui } from '@lingui/react/macro'
import { Button } from 'antd'
import { lazy, Suspense, useCallback, useRef, useState } from 'react'
import { useLocale } from '../../i18n/locale.ts'
import { download } from '../../run/download.ts'
import { complain } from '../../ui/toast.ts'
import { loadPart } from '../../ui/loading/updates.ts'
import { useInk } from '../ink.ts'
import type { EChartProps, OptionOf } from '../render/EChart.tsx'
import { AxisHandle, type HandleProps } from './AxisHandle.tsx'
import { boundsOf, type Figure } from './figure.ts'
import { figureOption } from './option.ts'
import './figures.css'

const loadRenderer = () => loadPart(() => import('../render/EChart.tsx'))
const EChart = lazy(async () => ({ default: (await loadRenderer()).EChart }))

type FrameProps = {
  title: string
  /** Pixels. */
  height?: number
  /** The whole in one sentence, for people who do not see it. */
  summary: string
  legend?: readonly { label: string; color: string }[] | undefined
}

/** `handle`: a line across the figure that is moved along the x axis. */
export function FigureChart({ title, height = 300, summary, legend, handle, ...axes }: FrameProps & Figure & { handle?: HandleProps }) {
  const ink = useInk()
  const locale = useLocale()
  // An axis label that the title begins with is omitted.
  const figure: Figure = axes.y && title.startsWith(axes.y.label) ? { ...axes, y: { ...axes.y, label: '' } } : axes
  return (
    <OptionChart
      title={title}
      height={height}
      summary={summary}
      legend={legend}
      option={size => figureOption(figure, ink, locale, size)}
      handle={handle && figure.x ? { ...handle, ...boundsOf(figure.x) } : undefined}
    />
  )
}

type OptionChartProps = FrameProps &
  Required<Pick<FrameProps, 'height'>> & { option: OptionOf; handle?: (HandleProps & { min: number; max: number }) | undefined } & Pick<
    EChartProps,
    'onAxisSelect'
  >

/** The frame of a figure around any ECharts option. */
export function OptionChart({ title, height, summary, legend, option, onAxisSelect, handle }: OptionChartProps) {
  const { t } = useLingui()
  const ink = useInk()
  const drawing = useRef<HTMLDivElement>(null)
  const [places, setPlaces] = useState<{ from: number; to: number } | null>(null)
  const onPlaced = useCallback((from: number, to: number) => setPlaces({ from, to }), [])
  const save = useCallback(async (): Promise<void> => {
    const { pngOf } = await loadRenderer()
    const width = drawing.current?.clientWidth ?? 0
    const picture = width > 0 ? await pngOf(option, ink.surface, { width, height }) : null
    if (picture) download(picture, `${title}.png`)
  }, [option, ink, height, title])
  return (
    <figure className="f-chart">
      <figcaption>
        <strong>{title}</strong>
        {legend && (
          <span className="f-legend">
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
          icon={<DownloadOutlined aria-hidden />}
          aria-label={t`Save ${title} as PNG`}
          title={t`Save as PNG`}
          onClick={() => void save().catch(complain)}
        />
      </figcaption>
      <div className="f-plot" dir="ltr">
        <div ref={drawing} className="f-drawing" style={{ height }} role="img" aria-label={`${title}. ${summary}`}>
          <Suspense fallback={null}>
            <EChart
              option={option}
              {...(onAxisSelect ? { onAxisSelect } : {})}
              xPlaces={handle && { low: handle.min, high: handle.max, onPlaced }}
            />
          </Suspense>
        </div>
        {handle && places && <AxisHandle {...handle} {...places} />}
      </div>
    </figure>
  )
}
