// The runs' controls: one line for all of them, and one for each where there are several. Play, step, begin again, speed, seed, the tick it is.
import { CaretRightFilled, LoadingOutlined, PauseOutlined, StepForwardOutlined, UndoOutlined } from '@ant-design/icons'
import { Trans, useLingui } from '@lingui/react/macro'
import { Button, InputNumber, Popover, Select, Tooltip } from 'antd'
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { useStore } from 'zustand'
import type { Association } from '../../../model-schema/dashboard.ts'
import { formatNumber } from '../../charts/format.ts'
import { useWords } from '../../i18n/locale.ts'
import { ProblemLine } from '../../panels/ProblemLine.tsx'
import { AskedCard } from '../../run/bar/AskedCard.tsx'
import '../../run/bar/bar.css'
import { speeds } from '../../run/bar/commands.ts'
import type { Run, RunStatus } from '../../run/run.ts'
import { RunScope } from '../../run/RunProvider.tsx'
import type { Kept } from './kept.ts'
import { lockstep, statusOfAll } from './lockstep.ts'
import { markOf, useBoard } from '../scope.ts'
import { StoredLine } from './StoredRun.tsx'
import type { Stored } from './stored.ts'

type Part = { association: Association; run: Run; kept: Kept | null; stored: Stored | null }

/** The runs that are there, in the order of their associations. */
function useParts(): Part[] {
  const { dashboard, runs } = useBoard()
  return useMemo(
    () =>
      dashboard.associations.flatMap(association => {
        const run = runs.get(association.id)
        return run?.state === 'open' ? [{ association, run: run.run, kept: run.kept, stored: run.stored }] : []
      }),
    [dashboard, runs],
  )
}

export function RunLine({ trailing }: { trailing?: React.ReactNode }) {
  const { t } = useLingui()
  const parts = useParts()
  // A kept run is not played.
  const runs = useSteady(parts.filter(({ kept }) => kept === null).map(({ run }) => run))
  const together = useMemo(() => lockstep(runs), [runs])
  useEffect(() => () => together.close(), [together])
  useKeys(together, runs)
  const status = statusOfAll(useStatuses(runs))
  const [first] = parts
  if (!first)
    return trailing ? (
      <div className="d-runline" data-bare>
        {trailing}
      </div>
    ) : null
  return (
    <div className="d-runline" role="toolbar" aria-label={t`Run controls`}>
      {runs.length > 0 && (
        <Buttons
          status={status}
          play={together.play}
          pause={together.pause}
          step={together.step}
          reset={together.reset}
          label={runs.length > 1 ? t`all runs` : ''}
        />
      )}
      {parts.length === 1 && first.kept ? (
        <>
          <Clock run={first.run} />
          <KeptLine kept={first.kept} />
        </>
      ) : parts.length === 1 ? (
        <>
          <Clock run={first.run} />
          <Speed run={first.run} set={together.setSpeed} />
          {first.stored ? <StoredLine run={first.run} stored={first.stored} /> : <Seed run={first.run} />}
          <Standing run={first.run} stored={first.stored} />
        </>
      ) : (
        <>
          {runs[0] && <Speed run={runs[0]} set={together.setSpeed} />}
          <div className="d-parts">
            {parts.map(part => (
              <OneRun key={part.association.id} {...part} />
            ))}
          </div>
        </>
      )}
      {trailing}
    </div>
  )
}

/** The same array as long as the runs are the same. */
function useSteady(runs: Run[]): readonly Run[] {
  const [kept, setKept] = useState<readonly Run[]>(runs)
  const changed = kept.length !== runs.length || kept.some((run, i) => run !== runs[i])
  if (changed) setKept(runs)
  return changed ? runs : kept
}

function useStatuses(runs: readonly Run[]): RunStatus[] {
  const text = useSyncExternalStore(
    changed => {
      const stops = runs.map(run => run.subscribe((now, before) => now.status !== before.status && changed()))
      return () => stops.forEach(stop => stop())
    },
    () => runs.map(run => run.getState().status).join(' '),
  )
  return text === '' ? [] : runs.map(run => run.getState().status)
}

type ButtonsProps = { status: RunStatus; label: string; play(): void; pause(): void; step(): void; reset(): void; small?: boolean }

function Buttons({ status, label, play, pause, step, reset, small = false }: ButtonsProps) {
  const { t } = useLingui()
  const playing = status === 'playing'
  const stuck = status === 'problems' || status === 'broken'
  const verb = playing ? t`Pause` : status === 'ended' ? t`Play again` : t`Play`
  const of = (word: string): string => (label === '' ? word : t`${word}: ${label}`)
  const size = small ? 'small' : 'middle'
  return (
    <div className="d-buttons">
      <Tooltip title={of(verb)}>
        <Button
          type={small ? 'text' : 'primary'}
          shape={small ? 'circle' : 'default'}
          className={small ? '' : 'h-play'}
          data-playing={playing || undefined}
          size={size}
          icon={
            status === 'loading' ? (
              <LoadingOutlined aria-hidden />
            ) : playing ? (
              <PauseOutlined aria-hidden />
            ) : (
              <CaretRightFilled aria-hidden />
            )
          }
          disabled={stuck}
          aria-label={of(verb)}
          onClick={playing ? pause : play}
        />
      </Tooltip>
      <Tooltip title={of(t`One tick`)}>
        <Button
          type="text"
          shape="circle"
          size={size}
          icon={<StepForwardOutlined aria-hidden />}
          disabled={stuck || status === 'ended' || status === 'loading'}
          aria-label={of(t`One tick`)}
          onClick={step}
        />
      </Tooltip>
      <Tooltip title={of(t`Reset`)}>
        <Button
          type="text"
          shape="circle"
          size={size}
          icon={<UndoOutlined aria-hidden />}
          disabled={status === 'broken' || status === 'loading'}
          aria-label={of(t`Reset`)}
          onClick={reset}
        />
      </Tooltip>
    </div>
  )
}

function Clock({ run }: { run: Run }) {
  const { i18n } = useLingui()
  const tick = useStore(run, ({ frame }) => frame?.tick ?? 0)
  const shown = formatNumber(tick, i18n.locale)
  return (
    <output className="d-clock h-num">
      <Trans>tick {shown}</Trans>
    </output>
  )
}

/** Problems of the model, the end, or what else a person should know of a run. */
function Standing({ run, stored }: { run: Run; stored: Stored | null }) {
  const { t } = useLingui()
  const words = useWords()
  const status = useStore(run, view => view.status)
  const problems = useStore(run, view => view.problems)
  const broken = useStore(run, view => view.broken)
  const stale = useStore(run, view => view.stale)
  const result = useStore(run, view => view.result)
  if (status === 'problems') {
    const errors = problems.filter(({ severity }) => severity === 'error')
    return (
      <Popover
        trigger={['click', 'hover']}
        content={
          <div className="d-problems">
            {errors.slice(0, 5).map(problem => (
              <ProblemLine key={`${problem.at.id} ${problem.code} ${problem.at.field ?? ''}`} problem={problem} />
            ))}
          </div>
        }
      >
        <button type="button" className="d-standing" data-tone="bad">
          <Trans>The model has problems</Trans>
        </button>
      </Popover>
    )
  }
  if (status === 'broken')
    return (
      <Button size="small" danger onClick={run.restart} title={broken ? words(broken.message) : undefined}>
        <Trans>Start again</Trans>
      </Button>
    )
  const apply = (): void => {
    run.reset()
    if (stored) run.play()
  }
  if (stale)
    return (
      <Button size="small" onClick={apply} title={t`The model or its cards have changed since this run began.`}>
        <Trans>Apply changes</Trans>
      </Button>
    )
  if (status === 'ended') {
    const failed = result?.end === 'failed' ? result.problem : null
    return (
      <span className="d-standing" title={failed ? words(failed.message) : undefined} data-tone={failed ? 'bad' : undefined}>
        {failed ? <Trans>Stopped by an error</Trans> : <Trans>Ended</Trans>}
      </span>
    )
  }
  return null
}

function Speed({ run, set }: { run: Run; set(speed: number | null): void }) {
  const { t, i18n } = useLingui()
  const speed = useStore(run, view => view.speed)
  const options = [...new Set([...speeds, speed])]
    .toSorted((a, b) => (a ?? Infinity) - (b ?? Infinity))
    .map(one => {
      const shown = one === null ? '' : formatNumber(one, i18n.locale)
      return { value: String(one), label: one === null ? t`As fast as it goes` : one === 1 ? t`1 tick/s` : t`${shown} ticks/s` }
    })
  return (
    <Select
      className="d-speed"
      size="small"
      variant="filled"
      popupMatchSelectWidth={false}
      aria-label={t`Speed`}
      value={String(speed)}
      options={options}
      onChange={next => set(next === 'null' ? null : Number(next))}
    />
  )
}

function Seed({ run }: { run: Run }) {
  const { t } = useLingui()
  const own = useStore(run, view => view.seed)
  const used = useStore(run, view => view.loaded?.seed ?? null)
  return (
    <label className="d-seed">
      <Trans>Seed</Trans>
      <InputNumber
        size="small"
        variant="filled"
        controls={false}
        min={0}
        max={4294967295}
        precision={0}
        changeOnBlur
        changeOnWheel={false}
        aria-label={t`Seed`}
        value={own ?? used}
        onChange={next => typeof next === 'number' && next !== (own ?? used) && run.setSeed(next)}
      />
    </label>
  )
}

/** Which run is shown in the place of a live one. */
function KeptLine({ kept }: { kept: Kept }) {
  const { i18n } = useLingui()
  const at = new Date(kept.at).toLocaleString(i18n.locale, { dateStyle: 'medium', timeStyle: 'short' })
  return (
    <span className="d-standing">
      <Trans>A run kept on {at}</Trans>
    </span>
  )
}

function OneRun({ association, run, kept, stored }: Part) {
  const { dashboard } = useBoard()
  const { t } = useLingui()
  const status = useStore(run, view => view.status)
  const name = association.name || t`Run`
  return (
    <div className="d-part" role="group" aria-label={name}>
      <i style={{ background: markOf(dashboard, association.id) }} />
      <strong title={name}>{name}</strong>
      {!kept && <Buttons small status={status} label={name} play={run.play} pause={run.pause} step={run.step} reset={run.reset} />}
      <RunScope run={run}>
        <AskedCard of={dashboard.associations.length > 1 ? name : ''} />
      </RunScope>
      <Clock run={run} />
      {kept ? (
        <KeptLine kept={kept} />
      ) : (
        <>
          {stored ? <StoredLine run={run} stored={stored} /> : <Seed run={run} />}
          <Standing run={run} stored={stored} />
        </>
      )}
    </div>
  )
}

/** The same keys as in the model editor, for all runs. */
function useKeys(together: ReturnType<typeof lockstep>, runs: readonly Run[]): void {
  useEffect(() => {
    const press = (event: globalThis.KeyboardEvent): void => {
      if (event.defaultPrevented || event.repeat || !(event.ctrlKey || event.metaKey) || event.key !== 'Enter') return
      event.preventDefault()
      if (statusOfAll(runs.map(run => run.getState().status)) === 'playing') together.pause()
      else together.play()
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [together, runs])
}
