// What a page loads before it can run a model with a chain: brotli-compressed kB of the parts beyond the engine's own worker.
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { build } from 'vite'
import type { Rollup } from 'vite'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../../..')

/** The files that come with one, each once. */
function withImports(chunks: ReadonlyMap<string, Rollup.OutputChunk>, first: string): Set<string> {
  const files = new Set([first])
  for (const file of files) for (const next of chunks.get(file)!.imports) files.add(next)
  return files
}

test('the chain is at most 40 kB; neither cryptography, forks nor the reference machine come with it', async () => {
  const output = await build({
    root,
    configFile: false,
    logLevel: 'silent',
    build: { write: false, rollupOptions: { input: join(root, 'sim-engine/threads/simulation.ts') } },
  })
  if (!('output' in output)) throw new Error('the build watches')
  const chunks = new Map(output.output.flatMap(one => (one.type === 'chunk' ? [[one.fileName, one] as const] : [])))
  const holding = (part: string): string => [...chunks.values()].find(one => one.moduleIds.some(id => id.endsWith(part)))!.fileName
  const engine = withImports(chunks, [...chunks.values()].find(one => one.isEntry)!.fileName)
  const chain = [...withImports(chunks, holding('chain/run.ts'))].filter(file => !engine.has(file))
  const size = chain.reduce((sum, file) => sum + brotliCompressSync(chunks.get(file)!.code).length, 0)
  expect(size).toBeGreaterThan(10_000)
  expect(size).toBeLessThanOrEqual(40_000)
  for (const part of [
    'protocol/powers.ts',
    'protocol/digests.ts',
    'hashes/sha2.js',
    'fork/recorded-state.ts',
    'mcl/bls12.ts',
    'mcl/secp256k1.ts',
    'dist/mcl_c.js',
    'noble/secp256k1.ts',
    'protocol/kzg.ts',
    'curves/bn254.js',
    'abstract/weierstrass.js',
    'vm/dist/esm/runTx.js',
  ])
    for (const first of [engine, new Set(chain)]) expect([part, first.has(holding(part))]).toEqual([part, false])
  // A model without a chain loads none of it.
  for (const part of ['evm/vm.ts', 'chain/ledger.ts', 'chain/codec.ts']) expect([part, engine.has(holding(part))]).toEqual([part, false])
})
