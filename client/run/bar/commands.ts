// The commands of a run, as data: the bar's buttons, the editor's shortcuts, menus and cheat sheet read it.
import type { Run } from '../run.ts'
import { say, type Words } from '../../../model-schema/words.ts'

export type RunCommand = {
  readonly id: 'run-play' | 'run-step' | 'run-back' | 'run-reset' | 'run-faster' | 'run-slower' | 'run-into' | 'run-over' | 'run-out'
  readonly words: Words
  readonly group: 'run'
  /** `Mod` is Ctrl, on a Mac Cmd. The first is shown in menus. */
  readonly keys: readonly string[]
  /** True, or why not. */
  may(run: Run): true | Words
  do(run: Run): void
}

/** Ticks per second to choose from, slow to fast; the last is as fast as it goes. */
export const speeds: readonly (number | null)[] = [0.5, 1, 2, 5, 10, 20, 30, 60, 120, 250, 500, 1000, null]

/** The place of a speed among `speeds`, or of the nearest one below. */
export function speedPlace(speed: number | null): number {
  if (speed === null) return speeds.length - 1
  return Math.max(
    0,
    speeds.findLastIndex(one => one !== null && one <= speed),
  )
}

const notNow = say('The model can’t run yet.')

const running = (run: Run): true | Words => {
  const { status } = run.getState()
  return status === 'problems' || status === 'broken' ? notNow : true
}

const faster = (run: Run, by: number): void => {
  const next = speeds[Math.min(speeds.length - 1, Math.max(0, speedPlace(run.getState().speed) + by))]
  if (next !== undefined) run.setSpeed(next)
}

function stepping(id: RunCommand['id'], words: Words, key: string, how: 'into' | 'over' | 'out'): RunCommand {
  return {
    id,
    words,
    group: 'run',
    keys: [key],
    may(run) {
      const { status, stop } = run.getState()
      if (how !== 'into' && !stop) return say('The run is not stopped at a step.')
      return status === 'ready' || status === 'paused' || say('Pause the run first.')
    },
    do: run => run.stepToken(how),
  }
}

export const runCommands: readonly RunCommand[] = [
  {
    id: 'run-play',
    words: say('Play or pause'),
    group: 'run',
    keys: ['Mod+Enter', 'Shift+Space'],
    may: running,
    do: run => run.toggle(),
  },
  {
    id: 'run-step',
    words: say('One tick'),
    group: 'run',
    keys: ['Mod+.'],
    may: run => (run.getState().status === 'ended' ? say('The run has ended.') : running(run)),
    do: run => run.step(),
  },
  {
    id: 'run-back',
    words: say('One tick back'),
    group: 'run',
    keys: ['Mod+,'],
    may: run => run.getState().stop !== null || (run.getState().frame?.tick ?? 0) > 0 || say('The run stands at its beginning.'),
    do: run => run.back(),
  },
  {
    id: 'run-reset',
    words: say('Reset the run'),
    group: 'run',
    keys: ['Mod+Shift+Enter'],
    may: run => (run.getState().status === 'broken' ? notNow : true),
    do: run => run.reset(),
  },
  stepping('run-over', say('Over this step'), 'F10', 'over'),
  stepping('run-into', say('To the next step'), 'F11', 'into'),
  stepping('run-out', say('Out of this process'), 'Shift+F11', 'out'),
  { id: 'run-faster', words: say('Faster'), group: 'run', keys: ['Mod+]'], may: () => true, do: run => faster(run, 1) },
  { id: 'run-slower', words: say('Slower'), group: 'run', keys: ['Mod+['], may: () => true, do: run => faster(run, -1) },
]

/** The command a key press means, or null. Letters and signs typed into a field are the field's. */
export function runCommandOf(
  event: Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey'>,
  inField: boolean,
): RunCommand | null {
  const mod = event.ctrlKey || event.metaKey
  if (event.altKey || (inField && !mod && !/^F\d+$/.test(event.key))) return null
  const key = event.code === 'Space' ? 'Space' : event.key
  const pressed = `${mod ? 'Mod+' : ''}${event.shiftKey ? 'Shift+' : ''}${key}`
  return runCommands.find(command => command.keys.includes(pressed)) ?? null
}
