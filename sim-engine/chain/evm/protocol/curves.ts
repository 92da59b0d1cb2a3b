// Cryptography on elliptic curves is half of the machine's code and most contracts never call it: it is in two parts of their own, which
// are loaded before a run whose contracts may call them. Runs are synchronous and cannot wait for them.
import { RunError } from '../../../problems.ts'
import { say } from '../../../../model-schema/words.ts'

const loaders = { signatures: () => import('./signatures.ts'), pairings: () => import('./pairings.ts') } as const
type Loaders = typeof loaders
export type CurvePart = keyof Loaders
type Loaded = { [P in CurvePart]?: Awaited<ReturnType<Loaders[P]>> }

export const curveParts = Object.keys(loaders) as readonly CurvePart[]

const loaded: Loaded = {}

export const isLoaded = (part: CurvePart): boolean => loaded[part] !== undefined

export async function loadCurves(parts: Iterable<CurvePart>): Promise<void> {
  await Promise.all(
    [...parts].map(async part => {
      if (part === 'signatures') loaded.signatures ??= await loaders.signatures()
      else loaded.pairings ??= await loaders.pairings()
    }),
  )
}

const missing = (address: number): RunError =>
  new RunError(10067, [
    say('the code of the precompile at address {address} is not loaded; check the connection, then run again', { address }),
  ])

/** A part that a precompile needs. 10067 where it is not there: it could not be loaded, or nothing showed that it would be called. */
export function curves<P extends CurvePart>(part: P, address: number): NonNullable<Loaded[P]> {
  const found = loaded[part]
  if (found !== undefined) return found
  void loadCurves([part]).catch(() => undefined)
  throw missing(address)
}

/** Addresses of the precompiles of each part. */
const addressesOf: Readonly<Record<CurvePart, readonly number[]>> = {
  signatures: [1, 0x100],
  pairings: [6, 7, 8, 10, 11, 12, 13, 14, 15, 16, 17],
}
const callOpcodes: ReadonlySet<number> = new Set([0xf1, 0xf2, 0xf4, 0xfa])
const PUSH1 = 0x60
const PUSH2 = 0x61
const PUSH32 = 0x7f

/**
 * The parts that code may call: it has a call, and pushes one of their addresses somewhere. A wrong yes costs a file that is not needed.
 * An address that is calculated or comes from outside is not seen; such a call says that the part is missing.
 */
export function curvesOfCode(code: Uint8Array): CurvePart[] {
  let calls = false
  const pushed = new Set<number>()
  for (let at = 0; at < code.length; at++) {
    const opcode = code[at]!
    if (callOpcodes.has(opcode)) calls = true
    else if (opcode === PUSH1) pushed.add(code[at + 1] ?? 0)
    else if (opcode === PUSH2) pushed.add(((code[at + 1] ?? 0) << 8) | (code[at + 2] ?? 0))
    if (opcode >= PUSH1 && opcode <= PUSH32) at += opcode - PUSH1 + 1
  }
  return calls ? curveParts.filter(part => addressesOf[part].some(address => pushed.has(address))) : []
}
