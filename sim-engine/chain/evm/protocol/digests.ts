// SHA-256 and RIPEMD-160 at addresses 2 and 3, by @noble.
import { ripemd160 as ripemd } from '@noble/hashes/legacy.js'
import { sha256 as sha } from '@noble/hashes/sha2.js'
import type { Parts } from './parts.ts'

export const sha256: Parts['digests']['sha256'] = input => sha(input)
export const ripemd160: Parts['digests']['ripemd160'] = input => ripemd(input)
