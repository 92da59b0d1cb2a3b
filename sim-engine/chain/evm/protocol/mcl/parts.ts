// The cryptography on each curve by mcl: see library.ts.
import type { Curves } from '../parts.ts'
import * as bls12 from './bls12.ts'
import * as bn254 from './bn254.ts'
import { curveOf, type Curve } from './library.ts'
import * as p256 from './p256.ts'
import * as secp256k1 from './secp256k1.ts'

const makers: { readonly [P in keyof Curves]: { readonly on: (curve: Curve) => Curves[P] } } = { secp256k1, p256, bn254, bls12 }

/** `null` where WebAssembly may not be made. */
export async function make<P extends keyof Curves>(part: P): Promise<Curves[P] | null> {
  const curve = await curveOf(part)
  return curve === null ? null : makers[part].on(curve)
}
