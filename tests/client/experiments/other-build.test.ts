// What is said of server runs that are refused: the page is of another build than the server, or has another state of the files.
import { afterEach, expect, test, vi } from 'vitest'
import { english } from '../../../model-schema/words.ts'
import { otherState } from '../../../sim-engine/experiment.ts'
import { whyFailed } from '../../../client/experiments/conduct/cloud.ts'
import { whenOtherBuild } from '../../../client/ui/loading/version.ts'

afterEach(() => {
  vi.unstubAllEnvs()
  vi.unstubAllGlobals()
})

const refused = { failure: otherState, error: english(otherState) }
const serverHas = (version: number): void => {
  vi.stubEnv('VITE_VERSION', '5')
  vi.stubGlobal('fetch', async () => Response.json({ version }))
}

test('runs that a server of another build refuses are explained by the build, and reloading is offered', async () => {
  serverHas(6)
  const offer = vi.fn<() => void>()
  const stop = whenOtherBuild(offer)
  expect(english(await whyFailed(refused))).toContain('different versions of Holarchy')
  expect(offer).toHaveBeenCalledTimes(1)
  // Other failures have their own reasons, whatever the builds.
  expect(english(await whyFailed({ failure: null, error: 'Out of memory' }))).toBe('Out of memory')
  expect(offer).toHaveBeenCalledTimes(1)
  stop()
})

test('with the same build, or one that cannot be told, it is the state of the files', async () => {
  for (const version of [5, 0]) {
    serverHas(version)
    expect(await whyFailed(refused)).toBe(otherState)
  }
})
