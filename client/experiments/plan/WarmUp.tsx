// Finds how long the warm-up is: a few runs averaged over their time and smoothed (Welch's method), MSER-5's cut as a start, and a handle that sets it.
import { Trans, useLingui } from '@lingui/react/macro'
import { Alert, Button, InputNumber, Modal, Slider } from 'antd'
import { useEffect, useMemo, useState } from 'react'
import { kindOf } from '../../../model-schema/kinds.ts'
import { coursesOf, warmUpsOf, welch, type Courses, type Prepared } from '../../../sim-engine/experiment.ts'
import { FigureChart } from '../../charts/figure/FigureChart.tsx'
import { extentOf } from '../../charts/figure/figure.ts'
import { useInk } from '../../charts/ink.ts'
import { complain } from '../../ui/toast.ts'
import { Pick } from '../results/pick.tsx'
import { useNumber } from '../results/useNumber.ts'
import { useExperiment, write } from '../scope.ts'
import { inputsAt, jobOf, middleOf } from '../trial.ts'
import { createWorkers } from '../conduct/workers.ts'

/** Runs that are averaged. */
const replications = 20
/** Correlation of neighbouring values from which on single values of a run say little more than one. */
const correlated = 0.5

export function WarmUp({ prepared, close }: { prepared: Prepared; close: () => void }) {
  const { t } = useLingui()
  const [courses, setCourses] = useState<Courses | 'none' | null>(null)
  useEffect(() => {
    const stop = new AbortController()
    coursesIn(prepared, stop.signal)
      .then(found => setCourses(found ?? 'none'))
      .catch(error => {
        if (stop.signal.aborted) return
        complain(error)
        setCourses('none')
      })
    return () => stop.abort()
  }, [prepared])
  return (
    <Modal open title={t`How long is the warm-up?`} width={880} footer={null} onCancel={close}>
      {courses === null ? (
        <p role="status">{t`Making ${replications} runs …`}</p>
      ) : courses === 'none' ? (
        <Alert type="warning" title={t`The runs failed, or are shorter than 20 ticks: there is no course to look at.`} />
      ) : (
        <Curve courses={courses} current={Math.max(0, ...warmUpsOf(prepared.runnable))} close={close} />
      )}
    </Modal>
  )
}

async function coursesIn(prepared: Prepared, signal: AbortSignal): Promise<Courses | null> {
  const evaluator = createWorkers(prepared.runnable, 1)
  try {
    const point = prepared.free.length === 0 ? null : middleOf(prepared)
    const { inputs } = await inputsAt(prepared, evaluator, point, signal)
    const jobs = Array.from({ length: replications }, (_, run) => jobOf(prepared, inputs, run))
    return await coursesOf(prepared, jobs, runnable => createWorkers(runnable, prepared.experiment.threads), signal)
  } finally {
    evaluator.close()
  }
}

/** `current`: the longest warm-up that is left out now, where the handle is when nothing else is known. */
function Curve({ courses: { times, measures }, current, close }: { courses: Courses; current: number; close: () => void }) {
  const { t } = useLingui()
  const ink = useInk()
  const number = useNumber()
  const scope = useExperiment()
  const [measure, setMeasure] = useState(0)
  const [width, setWidth] = useState(Math.max(1, Math.round(times.length / 40)))
  const shown = measures[measure]
  const found = useMemo(() => welch(times, shown?.runs ?? [], width), [times, shown, width])
  const [chosen, setChosen] = useState<number | null>(scope.experiment.warmUpTicks)
  const last = times.at(-1) ?? 0
  const step = (times[1] ?? 1) - (times[0] ?? 0)
  const value = Math.min(chosen ?? found.suggested ?? current, last)
  const field = kindOf('experiment')?.fields.find(({ id }) => id === 'warmUpTicks')
  const [low, high] = extentOf(found.mean, 0.08)
  const points = (values: Float64Array) => times.map((time, k) => [time, values[k]!] as const)
  const label = shown?.label ?? ''
  const suggested = found.suggested === null ? '' : number(found.suggested)
  const leftOut = number(current)
  const runs = shown?.runs.length ?? 0
  return (
    <div className="x-warm-up">
      <div className="x-line">
        {measures.length > 1 && (
          <Pick
            label={t`Measure`}
            value={measure}
            onChange={setMeasure}
            options={measures.map((one, index) => ({ value: index, label: one.label }))}
          />
        )}
        <label className="x-pick">
          <span>{t`Smoothing`}</span>
          <Slider
            min={0}
            max={Math.max(1, Math.floor(times.length / 4))}
            value={width}
            onChange={setWidth}
            ariaLabelForHandle={t`Smoothing`}
            tooltip={{ open: false }}
          />
        </label>
      </div>
      <FigureChart
        title={t`${label}, mean of ${runs} runs`}
        x={{ label: t`Ticks`, low: 0, high: last }}
        y={{ label, low, high }}
        summary={t`Warm-up ${number(value)} of ${number(last)} ticks`}
        legend={[
          { label: t`Mean`, color: ink.lineStrong },
          { label: t`Smoothed`, color: ink.series(0) },
        ]}
        marks={[
          { is: 'areas', areas: [{ x: [0, value], y: [low, high], color: ink.muted }], opacity: 0.12 },
          { is: 'line', points: points(found.mean), color: ink.lineStrong, width: 1 },
          { is: 'line', points: points(found.smooth), color: ink.series(0), width: 2 },
        ]}
        handle={{ label: t`Warm-up in ticks`, value, step, text: t`${number(value)} ticks`, onChange: setChosen }}
      />
      <p className="h-muted">
        {found.suggested === null
          ? t`MSER-5 finds no end of the warm-up: the runs are too short, or never settle. ${leftOut} ticks are left out now.`
          : t`MSER-5 suggests ${suggested} ticks. Put the handle where the smoothed curve becomes level.`}{' '}
        {found.correlation > correlated &&
          t`Neighbouring values are correlated (${number(Number(found.correlation.toPrecision(2)))}): take the mean of whole runs as one value, as this experiment does.`}
      </p>
      <p className="h-muted">{t`A response that is itself an average since the start settles later than what it averages: look at the quantity itself.`}</p>
      <div className="x-line">
        <label className="x-pick">
          <span>{t`Warm-up in ticks`}</span>
          <InputNumber
            size="small"
            min={0}
            max={last}
            value={value}
            onChange={next => {
              if (next !== null) setChosen(next)
            }}
          />
        </label>
        {chosen !== null && found.suggested !== null && chosen !== found.suggested && (
          <Button size="small" onClick={() => setChosen(null)}>
            <Trans>As MSER-5 suggests</Trans>
          </Button>
        )}
        <Button
          size="small"
          type="primary"
          disabled={!scope.writable || !field}
          onClick={() => {
            if (field) write(scope, scope.root.id, field, value)
            close()
          }}
        >
          <Trans>Leave out {number(value)} ticks</Trans>
        </Button>
      </div>
    </div>
  )
}
