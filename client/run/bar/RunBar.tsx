// The run's controls in one line: play, step, reset, speed, seed, the current time, and the state of the run. Narrow screens keep the
// buttons and the time; the rest moves behind one more button.
import {
  BorderOutlined,
  BranchesOutlined,
  CaretRightFilled,
  CloseOutlined,
  ControlOutlined,
  LoadingOutlined,
  PauseOutlined,
  StepBackwardOutlined,
  StepForwardOutlined,
  UndoOutlined,
} from '@ant-design/icons'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { Button, InputNumber, Popover, Slider, Tooltip } from 'antd'
import { useEffect, useState, type ReactNode } from 'react'
import type { Id } from '../../../model-schema/model.ts'
import { formatNumber } from '../../charts/format.ts'
import { useWords } from '../../i18n/locale.ts'
import { referenceOfProblem } from '../../reference/link.ts'
import { toneOf, type Tone } from '../../panels/problems.ts'
import { notify } from '../../ui/toast.ts'
import { useMedia } from '../../ui/useMedia.ts'
import './bar.css'
import { AskedCard } from './AskedCard.tsx'
import { runCommandOf, runCommands, speedPlace, speeds } from './commands.ts'
import { takeKey } from '../keptKey.ts'
import type { RunView } from '../run.ts'
import { useRun, useRunView, useSeldom } from '../RunProvider.tsx'
import { unreachable } from '../../../model-schema/unreachable.ts'

type Props = {
  /** Shows an element, and a place in one of its fields. */
  onShow?: ((element: Id, field?: string, from?: number, to?: number) => void) | undefined
  /** Opens the list of problems. */
  onProblems?: (() => void) | undefined
  /** Leaves the narrow form to the screen's width unless given. */
  compact?: boolean
}

export function RunBar({ onShow, onProblems, compact }: Props) {
  const { t } = useLingui()
  const run = useRun()
  const narrow = useMedia('(max-width: 720px)')
  const status = useRunView(view => view.status)
  const isCompact = compact ?? narrow
  useRunKeys()
  useEndToast(onShow)

  const canGoBack = useRunView(
    view =>
      view.stop !== null ||
      ((view.status === 'playing' || view.status === 'paused' || view.status === 'ended') && (view.frame?.tick ?? 0) > 0),
  )
  const playing = status === 'playing'
  const stuck = status === 'problems' || status === 'broken'
  // Playing an unfinished model shows what is missing and where; recent edits are checked first.
  const playOrShow = (): void => {
    run.toggle()
    const { status: now, problems } = run.getState()
    if (now !== 'problems') return
    const first = problems.find(one => one.severity === 'error')
    onProblems?.()
    if (first) onShow?.(first.at.id, first.at.field, first.at.from, first.at.to)
  }
  const isExplained = status === 'problems' && (onShow ?? onProblems) !== undefined
  const playLabel = playing ? t`Pause` : status === 'ended' ? t`Play again` : t`Play`
  return (
    <div className="h-run-bar" role="toolbar" aria-label={t`Run controls`} data-compact={isCompact || undefined}>
      <div className="h-run-buttons">
        <Control label={playLabel} command="run-play">
          <Button
            type="primary"
            className="h-play"
            data-playing={playing || undefined}
            icon={
              status === 'loading' ? (
                <LoadingOutlined aria-hidden />
              ) : playing ? (
                <PauseOutlined aria-hidden />
              ) : (
                <CaretRightFilled aria-hidden />
              )
            }
            disabled={stuck && !isExplained}
            data-unready={isExplained || undefined}
            aria-label={playLabel}
            onClick={isExplained ? playOrShow : run.toggle}
          />
        </Control>
        {!isCompact && (
          <Control label={t`One tick back`} command="run-back">
            <Button
              type="text"
              icon={<StepBackwardOutlined aria-hidden />}
              disabled={!canGoBack}
              aria-label={t`One tick back`}
              onClick={run.back}
            />
          </Control>
        )}
        <Control label={t`One tick`} command="run-step">
          <Button
            type="text"
            icon={<StepForwardOutlined aria-hidden />}
            disabled={stuck || status === 'ended' || status === 'loading'}
            aria-label={t`One tick`}
            onClick={run.step}
          />
        </Control>
        <Control label={t`Reset`} command="run-reset">
          <Button
            type="text"
            icon={<UndoOutlined aria-hidden />}
            disabled={status === 'broken' || status === 'loading'}
            aria-label={t`Reset`}
            onClick={run.reset}
          />
        </Control>
      </div>
      <Popover trigger="click" placement="bottom" content={<Timeline />}>
        <button type="button" className="h-run-time">
          <span className="h-visually-hidden">{t`Timeline`} </span>
          <Clock />
        </button>
      </Popover>
      {isCompact ? (
        <Popover
          trigger="click"
          placement="top"
          content={
            <div className="h-run-more">
              <SpeedSlider />
              <SeedField />
            </div>
          }
        >
          <Button type="text" shape="circle" icon={<ControlOutlined aria-hidden />} aria-label={t`Speed and seed`} />
        </Popover>
      ) : (
        <>
          <Popover trigger="click" placement="bottom" content={<SpeedSlider />}>
            <Button type="text" size="small" className="h-run-speed">
              <span className="h-visually-hidden">{t`Speed`} </span>
              <SpeedText />
            </Button>
          </Popover>
          <SeedField />
        </>
      )}
      <Beside />
      <Standing onShow={onShow} onProblems={onProblems} />
      <Progress />
      <AskedCard />
    </div>
  )
}

function Control({ label, command, children }: { label: string; command: string; children: ReactNode }) {
  // Touch has no shortcuts to show, and the tooltip would cover the control.
  const isPointed = useMedia('(hover: hover)')
  const keys = runCommands.find(one => one.id === command)?.keys[0]
  const isMac = typeof navigator !== 'undefined' && /Mac|iP(hone|ad)/.test(navigator.userAgent)
  const shown = keys
    ?.replaceAll('Mod', isMac ? '⌘' : 'Ctrl')
    .replace('Enter', '↵')
    .replace('Shift', isMac ? '⇧' : 'Shift')
  return (
    <Tooltip
      {...(isPointed ? {} : { open: false })}
      title={
        <>
          {label} {shown && <kbd className="h-key">{shown}</kbd>}
        </>
      }
    >
      {children}
    </Tooltip>
  )
}

/** Every tick the run has reached, to go back to. */
function Timeline() {
  const { t, i18n } = useLingui()
  const run = useRun()
  const { frame, furthest, status, fork } = useSeldom(60)
  // Until the run has got there, the handle stays where it was put.
  const [wanted, setWanted] = useState<{ tick: number; since: typeof frame } | null>(null)
  const tick = wanted && wanted.since === frame ? wanted.tick : (frame?.tick ?? 0)
  const shown = formatNumber(tick, i18n.locale)
  const last = formatNumber(furthest, i18n.locale)
  return (
    <div className="h-run-slider">
      <div>
        <Trans>Timeline</Trans>
        <span>
          <b>{t`${shown} of ${last}`}</b>
          <Button
            size="small"
            type="text"
            icon={<StepBackwardOutlined aria-hidden />}
            disabled={tick === 0}
            aria-label={t`One tick back`}
            onClick={run.back}
          />
        </span>
      </div>
      <Slider
        min={0}
        max={Math.max(1, furthest)}
        value={tick}
        disabled={furthest === 0 || status === 'loading'}
        tooltip={{ open: false }}
        ariaLabelForHandle={t`Tick shown`}
        onChange={to => {
          setWanted({ tick: to, since: frame })
          run.seek(to)
        }}
      />
      <small>
        <Trans>Drag to an earlier tick: the run goes back to it and continues from there.</Trans>
      </small>
      <Button
        size="small"
        icon={<BranchesOutlined aria-hidden />}
        disabled={status === 'loading' || status === 'problems' || status === 'broken' || fork !== null}
        onClick={run.startFork}
      >
        <Trans>Fork a what-if here</Trans>
      </Button>
    </div>
  )
}

/** Tick, and the model's time where it says more: between ticks, or on a calendar. */
function Clock() {
  const { t, i18n } = useLingui()
  const { frame } = useSeldom(60)
  const tick = frame?.tick ?? 0
  const time = frame?.time ?? 0
  const now = frame?.now ?? null
  return (
    <div className="h-run-clock">
      <span>
        <small>{t`tick`}</small> <b>{formatNumber(tick, i18n.locale)}</b>
      </span>
      {now !== null ? (
        <time dateTime={new Date(now).toISOString()}>
          {new Intl.DateTimeFormat(i18n.locale, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' }).format(now)}
        </time>
      ) : (
        !Number.isInteger(time) && (
          <span>
            <small>{t`time`}</small>{' '}
            <b>{new Intl.NumberFormat(i18n.locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 }).format(time)}</b>
          </span>
        )
      )}
    </div>
  )
}

function SpeedText() {
  const { t, i18n } = useLingui()
  const speed = useRunView(view => view.speed)
  if (speed === null) return <>{t`as fast as possible`}</>
  const rate = formatNumber(speed, i18n.locale)
  return <>{speed === 1 ? t`1 tick/s` : t`${rate} ticks/s`}</>
}

const presets = [1, 10, 30, 120, null] as const

function SpeedSlider() {
  const { t, i18n } = useLingui()
  const run = useRun()
  const speed = useRunView(view => view.speed)
  const fastest = useRunView(view => view.fastest)
  const most = fastest === null ? '' : formatNumber(fastest, i18n.locale)
  const isBeyond = (one: number | null): boolean => fastest !== null && (one === null || one > fastest)
  const nameOf = (one: number | null): string => (one === null ? t`max` : formatNumber(one, i18n.locale))
  return (
    <div className="h-run-slider">
      <div>
        <Trans>Speed</Trans>
        <b>
          <SpeedText />
        </b>
      </div>
      <Slider
        min={0}
        max={speeds.length - 1}
        value={speedPlace(speed)}
        onChange={place => run.setSpeed(speeds[place] ?? null)}
        tooltip={{ formatter: place => nameOf(speeds[place ?? 0] ?? null) }}
        ariaLabelForHandle={t`Speed in ticks per second`}
        ariaValueTextFormatterForHandle={place => nameOf(speeds[place] ?? null)}
      />
      <div className="h-run-presets">
        {presets.map(one => (
          <Button
            key={String(one)}
            size="small"
            type={one === speed ? 'primary' : 'default'}
            aria-pressed={one === speed}
            disabled={isBeyond(one)}
            onClick={() => run.setSpeed(one)}
          >
            {nameOf(one)}
          </Button>
        ))}
      </div>
      {fastest === null ? null : (
        <small>
          {t`The current subscription plays at most ${most} ticks a second.`}{' '}
          <a href="/account/subscription" target="_blank" rel="noreferrer">
            <Trans>Compare plans</Trans>
          </a>
        </small>
      )}
    </div>
  )
}

function SeedField() {
  const { t } = useLingui()
  const run = useRun()
  const seed = useRunView(view => view.seed)
  const used = useRunView(view => view.seedUsed)
  return (
    <div className="h-run-seed">
      <label>
        <Trans>Seed</Trans>
        <InputNumber
          size="small"
          variant="filled"
          min={0}
          max={4_294_967_295}
          precision={0}
          controls={false}
          value={seed ?? used}
          changeOnWheel={false}
          onChange={value => run.setSeed(value)}
        />
      </label>
      <Tooltip title={t`Another seed`}>
        <Button
          type="text"
          size="small"
          icon={<Dice />}
          aria-label={t`Another seed`}
          onClick={() => run.setSeed(crypto.getRandomValues(new Uint32Array(1))[0] ?? 1)}
        />
      </Tooltip>
    </div>
  )
}

function Dice() {
  return (
    <svg width="1em" height="1em" viewBox="0 0 16 16" fill="none" aria-hidden>
      <rect x="1.75" y="1.75" width="12.5" height="12.5" rx="3" stroke="currentColor" strokeWidth="1.3" />
      <g fill="currentColor">
        <circle cx="5" cy="5" r="1.2" />
        <circle cx="11" cy="5" r="1.2" />
        <circle cx="8" cy="8" r="1.2" />
        <circle cx="5" cy="11" r="1.2" />
        <circle cx="11" cy="11" r="1.2" />
      </g>
    </svg>
  )
}

/** The state of the run, and the one action it calls for. */
function Standing({ onShow, onProblems }: Pick<Props, 'onShow' | 'onProblems'>) {
  const { t } = useLingui()
  const words = useWords()
  const run = useRun()
  const status = useRunView(view => view.status)
  const result = useRunView(view => view.result)
  const hash = useRunView(view => view.summary?.hash)
  const stale = useRunView(view => view.stale)
  // What was set after the end, the next run begins with.
  const asked = useRunView(view => Object.keys(view.pending).length > 0)
  const silent = useRunView(view => view.silent)
  const broken = useRunView(view => view.broken)
  const errors = useRunView(view => countOf(view.problems, 'error'))
  const todos = useRunView(view => countOf(view.problems, 'todo'))

  if (broken) {
    return (
      <Pill tone="bad" title={words(broken.fix)}>
        <Trans>The engine stopped.</Trans>
        <a href={referenceOfProblem(broken.code)} target="_blank" rel="noreferrer" title={String(broken.code)}>
          {t`Why?`}
        </a>
        <Button size="small" type="link" onClick={run.restart}>
          <Trans>Start again</Trans>
        </Button>
      </Pill>
    )
  }
  if (silent) {
    return (
      <Pill tone="warn">
        <LoadingOutlined aria-hidden /> <Trans>Still working…</Trans>
        <Button size="small" type="link" icon={<BorderOutlined aria-hidden />} onClick={run.restart}>
          <Trans>Stop</Trans>
        </Button>
      </Pill>
    )
  }
  if (stale) {
    return (
      <Pill tone="warn">
        <Trans>Model changed</Trans>
        <Button size="small" type="link" onClick={run.reset}>
          <Trans>Restart to apply</Trans>
        </Button>
      </Pill>
    )
  }
  if (status === 'problems') {
    return (
      <Pill tone={errors > 0 ? 'bad' : 'warn'}>
        <Button size="small" type="link" danger={errors > 0} disabled={!onProblems} onClick={onProblems}>
          {errors > 0 ? (
            <Plural value={errors} one="# problem to solve" other="# problems to solve" />
          ) : (
            <Plural value={todos} one="# thing left to do" other="# things left to do" />
          )}
        </Button>
      </Pill>
    )
  }
  if (status === 'ended' && asked) {
    return (
      <Pill tone="warn">
        <Trans>Inputs changed</Trans>
        <Button size="small" type="link" onClick={run.play}>
          <Trans>Run again</Trans>
        </Button>
      </Pill>
    )
  }
  if (status === 'ended' && result) {
    const element = result.end === 'failed' ? result.problem.at.id : result.end === 'terminated' ? result.element : null
    const show = () => {
      if (result.end === 'failed') onShow?.(result.problem.at.id, result.problem.at.field, result.problem.at.from, result.problem.at.to)
      else if (element) onShow?.(element)
    }
    return (
      <Pill
        tone={result.end === 'failed' ? 'bad' : result.end === 'success' ? 'ok' : 'warn'}
        title={
          result.end === 'failed'
            ? words(result.problem.fix)
            : hash && t`Fingerprint of this run: ${hash}. Equal runs have equal ones, in every browser and on the command line.`
        }
      >
        <ResultText result={result} />
        {element && onShow && (
          <Button size="small" type="link" onClick={show}>
            <Trans>Show</Trans>
          </Button>
        )}
      </Pill>
    )
  }
  const plain: Partial<Record<RunView['status'], string>> = {
    loading: t`Loading…`,
    ready: t`Ready`,
    playing: t`Running`,
    paused: t`Paused`,
  }
  return <Pill tone={status === 'playing' ? 'live' : 'plain'}>{plain[status]}</Pill>
}

const countOf = (problems: RunView['problems'], tone: Tone): number =>
  problems.reduce((count, one) => count + (one.severity === 'error' && toneOf(one) === tone ? 1 : 0), 0)

/** Other activities: a what-if next to the run, profiling. */
function Beside() {
  const { t } = useLingui()
  const run = useRun()
  const fork = useRunView(view => view.fork !== null)
  const profiling = useRunView(view => view.profiling)
  return (
    <>
      {fork && (
        <Pill tone="plain">
          <BranchesOutlined aria-hidden /> <Trans>What if</Trans>
          <Button
            size="small"
            type="text"
            icon={<CloseOutlined aria-hidden />}
            aria-label={t`Discard the what-if`}
            onClick={() => run.endFork(false)}
          />
        </Pill>
      )}
      {profiling && (
        <Pill tone="plain">
          <Trans>Profiling</Trans>
          <Button
            size="small"
            type="text"
            icon={<CloseOutlined aria-hidden />}
            aria-label={t`Stop profiling`}
            onClick={() => run.setProfiling(false)}
          />
        </Pill>
      )}
    </>
  )
}

function Pill({
  tone,
  title,
  children,
}: {
  tone: 'plain' | 'live' | 'ok' | 'warn' | 'bad'
  title?: string | undefined
  children: ReactNode
}) {
  return (
    <div className="h-pill" data-tone={tone} title={title} role="status">
      {children}
    </div>
  )
}

function ResultText({ result }: { result: NonNullable<RunView['result']> }) {
  const { i18n } = useLingui()
  const words = useWords()
  if (result.end === 'terminated') return result.tip ? <>{result.tip}</> : <Trans>Stopped by the model</Trans>
  if (result.end === 'failed') {
    const reason = words(result.problem.message)
    return <Trans>Failed: {reason}</Trans>
  }
  if (result.end === 'limited') {
    const ticks = formatNumber(result.ticks, i18n.locale)
    return <Trans>Stopped at your plan’s limit of {ticks} ticks</Trans>
  }
  switch (result.reason) {
    case 'stop-condition':
      return <Trans>Finished: stop condition met</Trans>
    case 'nothing-left':
      return <Trans>Finished: nothing left to happen</Trans>
    case 'end-time':
      return <Trans>Finished: end time reached</Trans>
    case 'total-ticks':
      return <Trans>Finished: all ticks run</Trans>
    default:
      return unreachable(result.reason)
  }
}

/** Shows once how a run ended, also if its bar is out of view. */
function useEndToast(onShow: Props['onShow']): void {
  const { t } = useLingui()
  const words = useWords()
  const run = useRun()
  useEffect(
    () =>
      run.subscribe((now, before) => {
        const { result } = now
        if (!result || result === before.result) return
        // A successful end is shown in the bar only.
        if (result.end === 'success') return
        if (result.end === 'terminated') notify('info', t`The model stopped the run`, result.tip, { key: 'run-end' })
        else if (result.end === 'limited')
          notify('warning', t`The run reached your plan’s limit`, t`It went on up to the limit; what it showed is valid.`, {
            key: 'run-end',
          })
        else {
          const { at } = result.problem
          const action = onShow && (
            <Button size="small" type="primary" onClick={() => onShow(at.id, at.field, at.from, at.to)}>
              {t`Show where`}
            </Button>
          )
          notify('error', words(result.problem.message), words(result.problem.fix), { key: 'run-end', actions: action })
        }
      }),
    [run, onShow, t, words],
  )
}

/** How far the run has come of the ticks it is to make. */
function Progress() {
  const { t } = useLingui()
  const run = useRun()
  const { frame } = useSeldom(200)
  const total = run.model.getState().model.elements.get(run.scenario)?.fields['totalTicks']
  if (typeof total !== 'number' || total <= 0 || !frame || frame.tick === 0) return null
  const share = Math.min(1, frame.tick / total)
  return (
    <div
      className="h-run-progress"
      role="progressbar"
      aria-label={t`Progress of the run`}
      aria-valuenow={Math.round(share * 100)}
      aria-valuemin={0}
      aria-valuemax={100}
      style={{ transform: `scaleX(${share})` }}
    />
  )
}

/** Shortcuts work wherever nothing else has taken the key. */
function useRunKeys(): void {
  const run = useRun()
  useEffect(() => {
    const obey = (event: KeyboardEvent, inField: boolean): boolean => {
      const command = runCommandOf(event, inField)
      if (!command || command.may(run) !== true) return false
      command.do(run)
      return true
    }
    // Fields come first. Of tabs, buttons and lists only the plain keys do: what is pressed with Ctrl or Cmd is the run's before they see it.
    const pressed = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.repeat) return
      const target = event.target instanceof HTMLElement ? event.target : null
      const inField = target !== null && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
      const isFirst = event.eventPhase === Event.CAPTURING_PHASE
      if (isFirst && (inField || !(event.ctrlKey || event.metaKey))) return
      if (!obey(event, inField)) return
      event.preventDefault()
      if (isFirst) event.stopPropagation()
    }
    const early = takeKey()
    if (early) obey(early, false)
    window.addEventListener('keydown', pressed)
    window.addEventListener('keydown', pressed, true)
    return () => {
      window.removeEventListener('keydown', pressed)
      window.removeEventListener('keydown', pressed, true)
    }
  }, [run])
}
