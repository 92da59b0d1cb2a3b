// A figure with its title, legend and download.
import { DownloadOutlined } from '@ant-design/icons'
import { useLingui } from '@lingui/react/macro'
import { Button } from 'antd'
import { lazy, Suspense, useCallback, useRef } from 'react'
import { useLocale } from '../../i18n/locale.ts'
import { download } from '../../run/download.ts'
import { complain } from '../../ui/toast.ts'
import { loadPart } from '../../ui/updates.ts'
import { useInk } from '../ink.ts'
import type { EChartProps, OptionOf } from '../render/EChart.tsx'
import type { Figure } from './figure.ts'
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

export function FigureChart({ title, height = 300, summary, legend, ...figure }: FrameProps & Figure) {
  const ink = useInk()
  const locale = useLocale()
  return (
    <OptionChart title={title} height={height} summary={summary} legend={legend} option={size => figureOption(figure, ink, locale, size)} />
  )
}

type OptionChartProps = FrameProps & Required<Pick<FrameProps, 'height'>> & { option: OptionOf } & Pick<EChartProps, 'onAxisSelect'>

/** The frame of a figure around any ECharts option. */
export function OptionChart({ title, height, summary, legend, option, onAxisSelect }: OptionChartProps) {
  const { t } = useLingui()
  const ink = useInk()
  const drawing = useRef<HTMLDivElement>(null)
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
          icon={<DownloadOutlined />}
          aria-label={t`Save ${title} as PNG`}
          title={t`Save as PNG`}
          onClick={() => void save().catch(complain)}
        />
      </figcaption>
      <div ref={drawing} className="f-drawing" style={{ height }} role="img" aria-label={`${title}. ${summary}`} dir="ltr">
        <Suspense fallback={null}>
          <EChart option={option} {...(onAxisSelect ? { onAxisSelect } : {})} />
        </Suspense>
      </div>
    </figure>
  )
}
