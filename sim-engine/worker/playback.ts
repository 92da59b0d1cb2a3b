// The state of the page's run: a reducer. Requests of a person and their results are events; what has to be done is a list
// of effects, carried out by `player.ts`.
import type { RunState } from '../messages.ts'
import { unreachable } from '../../model-schema/unreachable.ts'

/** What the engine is busy with between messages: playing; on the way to another time; on the way to a token's next step. */
type Job = 'play' | 'travel' | 'token'

export type Playback = { readonly state: RunState; readonly job: Job | null }

export type PlaybackEvent =
  | { is: 'play' }
  | { is: 'pause' }
  /** One tick or instant is asked for. */
  | { is: 'step' }
  /** The next step of a token is asked for. */
  | { is: 'token' }
  /** The timeline was sent to another time; `there` when nothing has to be computed to get there. */
  | { is: 'travel'; there: boolean }
  /** What was asked for is done, or there is something to stop for. */
  | { is: 'stopped' }
  /** The end of a journey; `ready` before the first instant. */
  | { is: 'arrived'; ready: boolean }
  /** The run has a result. */
  | { is: 'over' }

export type Effect =
  /** The stretch that is due is not wanted any more. */
  | 'halt'
  /** The debugger leaves the step at which it is stopped. */
  | 'let go'
  /** One tick or instant, to be answered by `stopped` or `over`. */
  | 'advance'
  /** A stretch of the job is due. */
  | 'go on'
  /** The journey is over: to be answered by `arrived` or `over`. */
  | 'arrive'
  | 'show'
  | 'tell end'

/** A run that was just begun. */
export const atStart: Playback = { state: 'ready', job: null }

const unchanged = (now: Playback): [Playback, readonly Effect[]] => [now, []]

export function afterEvent(now: Playback, event: PlaybackEvent): [Playback, readonly Effect[]] {
  const isEnded = now.state === 'ended'
  switch (event.is) {
    case 'play':
      if (isEnded) return unchanged(now)
      return [{ state: 'playing', job: 'play' }, now.job === 'play' ? ['let go', 'go on'] : ['halt', 'let go', 'go on']]
    case 'pause':
      return now.state === 'playing' ? [{ state: 'paused', job: null }, ['halt', 'show']] : unchanged(now)
    case 'step':
      return [{ ...now, job: null }, isEnded ? ['halt'] : ['halt', 'advance']]
    case 'token':
      return isEnded ? unchanged(now) : [{ state: 'playing', job: 'token' }, ['halt', 'go on']]
    case 'travel':
      return [{ state: 'paused', job: 'travel' }, ['halt', event.there ? 'arrive' : 'go on']]
    case 'stopped':
      return [{ state: 'paused', job: null }, ['halt', 'show']]
    case 'arrived':
      return [{ state: event.ready ? 'ready' : 'paused', job: null }, ['halt', 'show']]
    case 'over':
      // A journey from an ended run back to its end says so again.
      return [{ state: 'ended', job: null }, isEnded ? ['halt'] : ['halt', 'tell end']]
    default:
      return unreachable(event)
  }
}
