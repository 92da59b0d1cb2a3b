// Starting, stopping and continuing a training, and how far it is. Stays in sight whatever is looked at.
import { plural } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { CloudServerOutlined } from '@ant-design/icons'
import { Button, Progress, Tooltip } from 'antd'
import { useMemo } from 'react'
import { useStore } from 'zustand'
import { useWords } from '../../i18n/locale.ts'
import { complain, confirmed, warn } from '../../ui/toast.ts'
import { useDuration } from '../duration.ts'
import { lacking } from '../limits.ts'
import type { Jump } from '../plan/Plan.tsx'
import { useNumber } from '../results/useNumber.ts'
import { useConducting, useExperiment } from '../scope.ts'
import { Unready, useUnready } from '../Unready.tsx'
import { Upgrade } from '../Upgrade.tsx'
import type { RunsWhere } from '../conduct/conducting.ts'
import { openTraining, placeOf } from './trainer.ts'
import { useTrainer } from './useTrainer.ts'
import { keyOf } from '../../../sim-engine/experiment.ts'

export function TrainingBar({ jump, onStart }: { jump: Jump; onStart: () => void }) {
  const { t } = useLingui()
  const words = useWords()
  const number = useNumber()
  const duration = useDuration()
  const { conductor, experiment, limits, session } = useExperiment()
  const preparation = useConducting(state => state.preparation)
  const trainer = useTrainer()
  const { entry, running, part, rate, failure, history, ...now } = useStore(trainer.store)
  // Of a training that is followed again its epochs are known first.
  const decisions = Math.max(now.decisions, entry?.rows.at(-1)?.decisions ?? 0)
  const prepared = preparation?.ok ? preparation.prepared : null
  const key = useMemo(() => (prepared ? keyOf(prepared) : null), [prepared])
  const epochs = experiment.learning?.epochs ?? 0
  const here = openTraining(history, key, epochs, 'here')
  const there = openTraining(history, key, epochs, 'server')
  const open = here ?? there
  const errors = preparation?.problems.filter(({ severity }) => severity === 'error') ?? []
  const lacks = lacking(limits.level, 'learning')
  const lacksServer = lacks ?? lacking(limits.level, 'cloudRuns')
  const unready = useUnready(errors)
  const why = unready ?? lacks ?? ''
  const start = async (where: RunsWhere): Promise<void> => {
    // What was edited a moment ago counts.
    const edited = conductor.prepared()
    if (edited === null) return
    // Shows the training that was started.
    onStart()
    if ((await trainer.start(edited, where)) === 'elsewhere') warn(t`It is running in another tab. Look there, or stop it first.`)
  }
  const again = async (): Promise<void> => {
    if (!open) return
    const sure = await confirmed({
      title: t`Begin again from the first epoch?`,
      content: t`What this training has learned so far is deleted from this device.`,
      ok: t`Start over`,
      cancel: t`Cancel`,
    })
    if (!sure) return
    await trainer.forget(open.id)
    await start(placeOf(open))
  }
  const left = part > 0.02 && part < 1 && rate > 0 ? (decisions * (1 - part)) / part / rate : null
  const shown = entry?.ended ?? 'running'
  const endings = {
    running: t`learning`,
    stopped: t`stopped`,
    finished: entry?.report?.ending === 'threshold' ? t`threshold reached` : t`finished`,
    failed: t`interrupted`,
  }
  return (
    <section className="x-run" aria-label={t`Training`}>
      <div className="x-run-buttons">
        {running ? (
          <Button danger onClick={() => trainer.stop()} data-testid="stop">
            <Trans>Stop</Trans>
          </Button>
        ) : (
          <Tooltip title={why}>
            <Button
              type="primary"
              disabled={prepared === null || lacks !== null}
              onClick={() => void start('here').catch(complain)}
              data-testid="start"
            >
              {here ? <Trans>Continue</Trans> : <Trans>Start</Trans>}
            </Button>
          </Tooltip>
        )}
        {!running && !session.target.local && (
          <Tooltip title={why || lacksServer || t`The server trains and goes on when this page is closed. It takes cloud time.`}>
            <Button
              disabled={prepared === null || lacksServer !== null}
              onClick={() => void start('server').catch(complain)}
              data-testid="start-server"
            >
              {there ? <Trans>Continue on the server</Trans> : <Trans>Start on the server</Trans>}
            </Button>
          </Tooltip>
        )}
        <Button disabled={entry === null} onClick={() => trainer.reset()}>
          <Trans>Reset</Trans>
        </Button>
        {open && !running && (
          <Button type="text" onClick={() => void again().catch(complain)}>
            <Trans>Start over</Trans>
          </Button>
        )}
      </div>
      <div className="x-run-state" role="status" aria-live="polite">
        {unready !== null && !running ? (
          <Unready errors={errors} experiment={experiment.id} jump={jump} />
        ) : lacks !== null && !running ? (
          <span className="x-run-why">
            {why} <Upgrade />
          </span>
        ) : null}
        {entry && (
          <>
            <Progress
              percent={entry.ended === 'finished' ? 100 : Math.round(part * 100)}
              status={failure !== null ? 'exception' : running ? 'active' : entry.ended === 'finished' ? 'success' : 'normal'}
              showInfo={false}
              size="small"
              aria-label={t`Progress`}
            />
            <span
              className="x-run-figures h-num"
              data-testid="progress"
              data-done={decisions}
              data-status={running ? 'running' : shown}
              data-where={placeOf(entry)}
            >
              {running && placeOf(entry) === 'server' && (
                <Tooltip title={t`The server trains. This page may be closed: the training goes on.`}>
                  <span className="x-run-where">
                    <CloudServerOutlined aria-hidden="true" /> <Trans>On the server</Trans>
                  </span>
                </Tooltip>
              )}
              <span>{t`epoch ${number(entry.rows.length)} of ${number(entry.plan.schedule.epochs)}`}</span>
              <span>{t`${plural(decisions, { one: '# decision', other: '# decisions' })}`}</span>
              {running && rate > 0 && <span>{t`${number(Number(rate.toPrecision(3)))} decisions/s`}</span>}
              {running && left !== null && <span>{t`at most ${duration(left)} left`}</span>}
              {!running && <span>{endings[shown]}</span>}
            </span>
          </>
        )}
        {failure !== null && <span className="x-bad">{words(failure.words)}</span>}
      </div>
    </section>
  )
}
