// The script of every worker for models, runs or repairs: its name selects the role. One script for all, so that what they share (the
// compiler and the engine) is fetched and cached on the device once. The worker of the open model's own run is a script by itself: exported
// pages contain it whole.
const roles = {
  runs: () => import('../../sim-engine/threads/runs.ts'),
  training: () => import('../../sim-engine/threads/learning.ts'),
  recording: () => import('../../sim-engine/threads/recording.ts'),
  tests: () => import('../../sim-engine/threads/testing.ts'),
  copilot: () => import('../copilot/tools-worker.ts'),
  guide: () => import('../copilot/guide-worker.ts'),
}

export type WorkerRole = keyof typeof roles

const isRole = (name: string): name is WorkerRole => Object.hasOwn(roles, name)

/** Messages that arrive before the role of the worker is loaded; delivered then. */
const early: unknown[] = []
const keep = ({ data }: MessageEvent<unknown>): void => void early.push(data)

function become(name: string): void {
  if (!isRole(name)) throw new Error(`no worker is called ${name}`)
  addEventListener('message', keep)
  roles[name]().then(
    () => {
      removeEventListener('message', keep)
      for (const data of early) dispatchEvent(new MessageEvent('message', { data }))
    },
    (error: unknown) =>
      // Thrown outside of the promise, so that the page receives it as the worker's error event.
      setTimeout(() => {
        throw error
      }),
  )
}

become(self.name)
