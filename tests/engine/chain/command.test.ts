// The command line and models with a chain: runs load the chain's code by themselves, bad contracts are reported with the field that is wrong.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { mainUntil } from '../../../sim-engine/cli.ts'

const folder = mkdtempSync(join(tmpdir(), 'holarchy-chain-'))
afterAll(() => rmSync(folder, { recursive: true }))

async function holarchy(...args: readonly string[]): Promise<{ code: number; out: string; err: string }> {
  let [out, err] = ['', '']
  const output = { out: (text: string) => void (out += text), err: (text: string) => void (err += text) }
  const code = await mainUntil(args, output, new AbortController().signal)
  return { code, out, err }
}

const samplePath = (name: string): string => new URL(`../../../model-schema/samples/${name}.holo`, import.meta.url).pathname

type Elements = Record<string, Record<string, unknown>>

/** The market sample with its pool contract changed. */
function tampered(change: (pool: Record<string, unknown>, elements: Elements) => void): string {
  const file = JSON.parse(readFileSync(samplePath('arbitrage'), 'utf8')) as { elements: Elements }
  const pool = Object.values(file.elements).find(({ kind, name }) => kind === 'contract' && name === 'pool')!
  change(pool, file.elements)
  const path = join(folder, 'tampered.holo')
  writeFileSync(path, JSON.stringify(file))
  return path
}

describe('holarchy run', () => {
  test('runs a model with a chain; the same seed gives the same hash', async () => {
    const runs = await Promise.all([1, 2].map(() => holarchy('run', samplePath('arbitrage'), '--ticks', '20', '--json')))
    const [first, second] = runs.map(({ out }) => JSON.parse(out) as { result: { end: string }; hash: string })
    expect(first).toMatchObject({ result: { end: 'success' } })
    expect(second?.hash).toBe(first?.hash)
  })

  test('loads no cryptography that no contract of the model calls', async () => {
    vi.resetModules()
    const command = await import('../../../sim-engine/cli.ts')
    const { curveParts, isLoaded } = await import('../../../sim-engine/chain/evm/protocol/curves.ts')
    const output = { out: () => undefined, err: () => undefined }
    expect(await command.mainUntil(['run', samplePath('arbitrage'), '--ticks', '2'], output, new AbortController().signal)).toBe(0)
    expect(curveParts.filter(isLoaded)).toEqual([])
  })

  test('replications go from a fresh chain each', async () => {
    const { code, out } = await holarchy('run', samplePath('vesting'), '--ticks', '8', '--replications', '2', '--json')
    expect(code).toBe(0)
    expect(out).toContain('released')
  })
})

describe('holarchy check: what is wrong with a contract', () => {
  test.each<[string, (pool: Record<string, unknown>) => void, RegExp]>([
    ['an artifact cut short', pool => (pool['artifact'] = String(pool['artifact']).slice(0, 500)), /9033 .*artifact.*no JSON/],
    ['an artifact without an ABI', pool => (pool['artifact'] = '{"bytecode":"0x00"}'), /9033 .*there is no "abi"/],
    [
      'an ABI with an unknown type',
      pool => (pool['artifact'] = String(pool['artifact']).replaceAll('uint256', 'uint257')),
      /9033 .*uint257/,
    ],
    ['bytecode with other signs', pool => (pool['artifact'] = String(pool['artifact']).replace('"0x60', '"0xgg')), /9033 .*hexadecimal/],
    ['too many arguments', pool => (pool['arguments'] = '[1, 2, 3, 4]'), /8002 .*3 arguments are needed/],
    [
      'a method that is gone',
      pool => (pool['artifact'] = String(pool['artifact']).replace('"name":"sync"', '"name":"sink"')),
      /9033 .*no method sync/,
    ],
  ])('%s', async (_, change, message) => {
    const { code, out } = await holarchy('check', tampered(change))
    expect(out).toMatch(message)
    expect(code).toBe(1)
  })

  test('bytecode that was tampered with ends the run with the contract and its reason', async () => {
    const path = tampered(
      pool => (pool['artifact'] = String(pool['artifact']).replace(/"bytecode":"0x[\da-f]{40}/, `"bytecode":"0x${'fe'.repeat(20)}`)),
    )
    expect((await holarchy('check', path)).code).toBe(0)
    const { code, out, err } = await holarchy('run', path)
    expect(code).toBe(1)
    expect(out + err).toMatch(/10067 .*"pool".*invalid/)
  })
})
