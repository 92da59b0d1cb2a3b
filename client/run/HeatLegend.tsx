// What the colours of the heat on the canvas mean, and how to be rid of them.
import { CloseOutlined } from '@ant-design/icons'
import { Trans, useLingui } from '@lingui/react/macro'
import { Button } from 'antd'
import { heatColor } from '../canvas/paint/heat.ts'
import './bar/bar.css'
import { useRun } from './RunProvider.tsx'

const shares = [0.01, 0.05, 0.25, 1]

export function HeatLegend() {
  const { t, i18n } = useLingui()
  const run = useRun()
  const percent = new Intl.NumberFormat(i18n.locale, { style: 'percent' })
  return (
    <aside className="h-heat-legend" aria-label={t`Heat: share of the run’s time`} onPointerDown={event => event.stopPropagation()}>
      <span>
        <Trans>Share of the time</Trans>
      </span>
      <ul>
        {shares.map(share => (
          <li key={share}>
            <i style={{ background: heatColor(share) }} aria-hidden="true" />
            {percent.format(share)}
          </li>
        ))}
      </ul>
      <Button
        size="small"
        type="text"
        icon={<CloseOutlined aria-hidden />}
        aria-label={t`Hide the heat`}
        onClick={() => run.setHeat(false)}
      />
    </aside>
  )
}
