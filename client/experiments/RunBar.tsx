// Starting, stopping and continuing, and how far it is. Stays in sight whatever is looked at.
import { plural } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { CloudServerOutlined } from '@ant-design/icons'
import { Button, Progress, Tooltip } from 'antd'
import { keyOf } from '../../sim-engine/experiment.ts'
import { useMemo } from 'react'
import { Unready, useUnready } from './Unready.tsx'
import { Upgrade } from './Upgrade.tsx'
import { formatNumber } from '../charts/format.ts'
import { useLocale } from '../i18n/locale.ts'
import { complain, confirmed, warn } from '../ui/toast.ts'
import { useDuration } from './duration.ts'
import { openEntry, type RunsWhere } from './conduct/conducting.ts'
import { isOfEngine } from './conduct/engine.ts'
import { lacking } from './limits.ts'
import { useConducting, useExperiment } from './scope.ts'
import type { Jump } from './plan/Plan.tsx'

export function RunBar({ jump, onStart }: { jump: Jump; onStart: () => void }) {
  const { t } = useLingui()
  const { conductor, experiment, session, limits } = useExperiment()
  const { preparation, status, failure, results, full, history, entry } = useConducting(state => state)
  const prepared = preparation?.ok ? preparation.prepared : null
  const key = useMemo(() => (prepared ? keyOf(prepared) : null), [prepared])
  const open = openEntry(history, key)
  const running = status === 'running'
  const live = experiment.type === 'exploration' && experiment.design === 'live'
  const errors = preparation?.problems.filter(({ severity }) => severity === 'error') ?? []
  const reset = async (): Promise<void> => {
    const sure =
      !running ||
      (await confirmed({
        title: t`Stop and put the results away?`,
        content: t`What was run stays in the history; it can be continued from there.`,
        ok: t`Reset`,
        cancel: t`Cancel`,
      }))
    if (sure) conductor.reset()
  }
  const lacks = lacking(limits.level, experiment.type)
  const lacksServer = lacks ?? lacking(limits.level, 'cloudRuns')
  const blocked = prepared === null || live || lacks !== null || (full && !open)
  const unready = useUnready(errors)
  const why = unready ?? lacks ?? (full && !open ? t`The history is full: delete entries` : '')
  return (
    <section className="x-run" aria-label={t`Run`}>
      <div className="x-run-buttons" hidden={live && !running && results === null}>
        {running ? (
          <Button danger onClick={() => conductor.stop()} data-testid="stop">
            <Trans>Stop</Trans>
          </Button>
        ) : (
          <Tooltip title={why}>
            <Button type="primary" disabled={blocked} onClick={() => void start().catch(complain)} data-testid="start">
              {open ? <Trans>Continue</Trans> : <Trans>Start</Trans>}
            </Button>
          </Tooltip>
        )}
        {!running && !session.target.local && (
          <Tooltip title={why || lacksServer || t`The server makes the runs and goes on when this page is closed. It takes cloud time.`}>
            <Button
              disabled={blocked || lacksServer !== null}
              onClick={() => void start('server').catch(complain)}
              data-testid="start-server"
            >
              {open ? <Trans>Continue on the server</Trans> : <Trans>Start on the server</Trans>}
            </Button>
          </Tooltip>
        )}
        <Button disabled={results === null && !running} onClick={() => void reset().catch(complain)}>
          <Trans>Reset</Trans>
        </Button>
        {open && !running && (
          <Tooltip
            title={t`${plural(open.runs, { one: 'Forgets the # run made so far and begins again', other: 'Forgets the # runs made so far and begins again' })}`}
          >
            <Button type="text" onClick={() => void again().catch(complain)}>
              <Trans>Start over</Trans>
            </Button>
          </Tooltip>
        )}
      </div>
      <div className="x-run-state" role="status" aria-live="polite">
        {unready !== null && !running ? (
          <Unready errors={errors} experiment={experiment.id} jump={jump} />
        ) : (lacks !== null || (full && !open)) && !running ? (
          <span className="x-run-why">
            {why} {lacks !== null && <Upgrade />}
          </span>
        ) : live ? (
          <span className="h-muted">{t`Move the sliders: each position is run as you go.`}</span>
        ) : null}
        {entry && <Reached />}
        {entry && !isOfEngine(entry) && (
          <span className="x-other-engine" data-testid="other-engine">
            {t`Another version of the engine made these runs: new runs may differ, and a start begins from the first run.`}
          </span>
        )}
        {failure !== null && <span className="x-bad">{failure}</span>}
      </div>
    </section>
  )

  async function start(where?: RunsWhere): Promise<void> {
    // Shows the run that was started.
    onStart()
    if ((await conductor.start(where)) === 'elsewhere') warn(t`It is running in another tab. Look there, or stop it first.`)
  }

  async function again(): Promise<void> {
    if (!open) return
    const sure = await confirmed({
      title: t`Begin again from the first run?`,
      content: t`${plural(open.runs, { one: 'The # run made so far is deleted from the history.', other: 'The # runs made so far are deleted from the history.' })}`,
      ok: t`Start over`,
      cancel: t`Cancel`,
    })
    if (!sure) return
    await conductor.forget([open.id])
    await start()
  }
}

/** How far the runs are. */
function Reached() {
  const { t } = useLingui()
  const language = useLocale()
  const duration = useDuration()
  const { status, done, planned, rate, failure, results, where } = useConducting(state => state)
  const running = status === 'running'
  const number = (value: number): string => formatNumber(value, language)
  const ended: Record<typeof status, string> = {
    idle: '',
    running: t`running`,
    finished: t`finished`,
    budget: t`most runs reached`,
    stopped: t`stopped`,
    failed: t`interrupted`,
  }
  return (
    <>
      <Progress
        percent={status === 'finished' ? 100 : planned === null || planned === 0 ? 50 : Math.min(100, (done / planned) * 100)}
        status={failure !== null ? 'exception' : running ? 'active' : status === 'finished' ? 'success' : 'normal'}
        showInfo={false}
        size="small"
        aria-label={t`Progress`}
      />
      <span className="x-run-figures h-num" data-testid="progress" data-done={done} data-status={status} data-where={where}>
        {running && where === 'server' && (
          <Tooltip title={t`The server makes the runs. This page may be closed: they go on.`}>
            <span className="x-run-where">
              <CloudServerOutlined aria-hidden="true" /> <Trans>On the server</Trans>
            </span>
          </Tooltip>
        )}
        <span>
          {planned === null || status === 'finished'
            ? t`${plural(done, { one: '# run', other: '# runs' })}`
            : t`${number(done)} of ${number(planned)} runs`}
        </span>
        {running && rate > 0 && <span>{t`${number(Number(rate.toPrecision(3)))} runs/s`}</span>}
        {running && rate > 0 && planned !== null && planned > done && <span>{t`${duration((planned - done) / rate)} left`}</span>}
        {(results?.failed ?? 0) > 0 && <span className="x-bad">{t`${number(results?.failed ?? 0)} failed`}</span>}
        {!running && <span>{ended[status]}</span>}
      </span>
    </>
  )
}
