// Loads the precompiles on elliptic curves and the digests. They are most of the machine's code and most contracts never call them, so each curve
// is a module that is loaded before a run with contracts that may call it; a run is synchronous and cannot wait. mcl/ calculates curves in
// WebAssembly. Where the page's policy refuses WebAssembly, noble/ calculates in JavaScript: equal results, up to 70 times as slow.
import { RunError } from '../../../problems.ts'
import { say } from '../../../../model-schema/words.ts'
import { addressesCalled, pushed, pushedBytes } from './called.ts'
import type { Curves, Parts, Powers } from './parts.ts'

export type CurvePart = keyof Parts

/** Addresses of the precompiles of each part. */
const addressesOf: Readonly<Record<CurvePart, readonly number[]>> = {
  secp256k1: [1],
  p256: [0x100],
  bn254: [6, 7, 8],
  bls12: [10, 11, 12, 13, 14, 15, 16, 17],
  powers: [5],
  digests: [2, 3],
}
export const curveParts = Object.keys(addressesOf) as readonly CurvePart[]

const loaded: Partial<Parts> = {}
const loading = new Map<CurvePart, Promise<void>>()

export const isLoaded = (part: CurvePart): boolean => loaded[part] !== undefined

async function loadCurve<P extends keyof Curves>(part: P): Promise<void> {
  const { make } = await import('./mcl/parts.ts')
  loaded[part] = (await make(part)) ?? (await import('./noble/parts.ts')).parts[part]
}

async function load(part: CurvePart): Promise<void> {
  if (part === 'powers') loaded.powers = await import('./powers.ts')
  else if (part === 'digests') loaded.digests = await import('./digests.ts')
  else await loadCurve(part)
}

/** One that cannot be loaded is tried again when it is asked for again. */
function loadOnce(part: CurvePart): Promise<void> {
  const known = loading.get(part)
  if (known !== undefined) return known
  const asked = load(part)
  loading.set(part, asked)
  asked.catch(() => loading.delete(part))
  return asked
}

export async function loadCurves(parts: Iterable<CurvePart>): Promise<void> {
  await Promise.all([...parts].map(loadOnce))
}

const missing = (address: number): RunError =>
  new RunError(10067, [
    say('the code of the precompile at address {address} is not loaded; check the connection, then run again', { address }),
  ])

/** Powers are calculated without this part too, more slowly: it is used from when it is there. */
export function powersIfLoaded(): Powers | undefined {
  if (loaded.powers === undefined) void loadCurves(['powers']).catch(() => undefined)
  return loaded.powers
}

/** A part that a precompile needs. 10067 where it is not there: it could not be loaded, or nothing showed that it would be called. */
export function curves<P extends CurvePart>(part: P, address: number): Parts[P] {
  const found: Parts[P] | undefined = loaded[part]
  if (found !== undefined) return found
  void loadCurves([part]).catch(() => undefined)
  throw missing(address)
}

/** All that code pushes. */
function allPushed(code: Uint8Array): Set<bigint> {
  const words = new Set<bigint>()
  for (let at = 0; at < code.length; at += 1 + pushedBytes(code[at]!)) words.add(pushed(code, at))
  return words
}

/**
 * The parts that code calls. Where its ways are too entangled: those an address of which it pushes somewhere. A wrong yes costs a file that is
 * not needed. An address that is calculated, kept or comes from outside is not seen; such a call says that the part is missing.
 */
export function curvesOfCode(code: Uint8Array): CurvePart[] {
  const called = addressesCalled(code) ?? allPushed(code)
  return curveParts.filter(part => addressesOf[part].some(address => called.has(BigInt(address))))
}
