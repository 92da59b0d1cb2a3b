// What the parts of precompiles that are loaded apart calculate; the curves, whichever library does it (mcl/, noble/).

/** Gives the output, or ends the call by a `Halt`. */
export type Calculation = (input: Uint8Array) => Uint8Array

export type Secp256k1 = {
  /** The address of the key that signed a hash, as 20 bytes; `undefined` for an invalid signature. */
  readonly signer: (hash: Uint8Array, recovery: number, r: Uint8Array, s: Uint8Array) => Uint8Array | undefined
}

export type P256 = {
  /** Whether a signature holds. Input, of 32 bytes each: hash, r, s, and the coordinates of the key. */
  readonly verify: (input: Uint8Array) => boolean
}

export type Bn254 = Readonly<Record<'add' | 'multiply' | 'pairing', Calculation>>

export type Bls12 = Readonly<
  Record<'addG1' | 'multiplyG1' | 'addG2' | 'multiplyG2' | 'pairing' | 'mapToG1' | 'mapToG2' | 'evaluatePoint', Calculation>
>

export type Curves = { secp256k1: Secp256k1; p256: P256; bn254: Bn254; bls12: Bls12 }

export type Powers = {
  /** The power, the exponent in hexadecimal digits; `null` where the modulus is too large, or WebAssembly may not be made. */
  readonly shortPower: (base: bigint, exponent: string, modulus: bigint) => bigint | null
}

type Digests = Readonly<Record<'sha256' | 'ripemd160', Calculation>>

export type Parts = Curves & { powers: Powers; digests: Digests }
