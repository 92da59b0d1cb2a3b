// The protocol rules of Ethereum's hard forks as data. A fork is the one before it with some fields changed.

export type Fork = 'london' | 'paris' | 'shanghai' | 'cancun' | 'prague' | 'osaka'

export type Rules = {
  fork: Fork
  /** Opcode 0x44 reads the beacon's randomness instead of the difficulty (EIP-4399). */
  randomness: boolean
  /** PUSH0 (EIP-3855). */
  push0: boolean
  /** The block's beneficiary is warm from the start (EIP-3651). */
  warmCoinbase: boolean
  /** Creation code has a price a word and a largest size (EIP-3860). */
  meteredInitCode: boolean
  /** TLOAD, TSTORE, MCOPY, BLOBHASH, BLOBBASEFEE; SELFDESTRUCT deletes only what the transaction created (EIP-1153, 5656, 4844, 6780). */
  cancun: boolean
  /** Most blobs a block may carry, and the denominator of the blob price's exponential. */
  maxBlobs: number
  blobFeeFraction: bigint
  /** BLS12-381 precompiles, delegated accounts, a floor for the price of calldata (EIP-2537, 7702, 7623). */
  prague: boolean
  /** CLZ, P-256, dearer modular exponentiation, at most 2^24 gas a transaction (EIP-7939, 7951, 7883, 7825). */
  osaka: boolean
}

const london: Rules = {
  fork: 'london',
  randomness: false,
  push0: false,
  warmCoinbase: false,
  meteredInitCode: false,
  cancun: false,
  maxBlobs: 0,
  blobFeeFraction: 3_338_477n,
  prague: false,
  osaka: false,
}
const paris: Rules = { ...london, fork: 'paris', randomness: true }
const shanghai: Rules = { ...paris, fork: 'shanghai', push0: true, warmCoinbase: true, meteredInitCode: true }
const cancun: Rules = { ...shanghai, fork: 'cancun', cancun: true, maxBlobs: 6 }
const prague: Rules = { ...cancun, fork: 'prague', prague: true, maxBlobs: 9, blobFeeFraction: 5_007_716n }
const osaka: Rules = { ...prague, fork: 'osaka', osaka: true }

export const rulesOf: Record<Fork, Rules> = { london, paris, shanghai, cancun, prague, osaka }

/** When the forks began to hold, by chain id: seconds since 1970. Ethereum: EIP-7949 and the upgrades' announcements; BSC: its releases. */
const beginnings: Readonly<Record<string, readonly (readonly [Fork, number])[]>> = {
  '1': [
    ['osaka', 1_764_798_551],
    ['prague', 1_746_612_311],
    ['cancun', 1_710_338_135],
    ['shanghai', 1_681_338_455],
    ['paris', 1_663_224_179],
    ['london', 1_628_166_822],
  ],
  '56': [
    ['prague', 1_742_436_600],
    ['cancun', 1_718_863_500],
    ['shanghai', 1_705_996_800],
  ],
}

/** The fork that holds on a chain for a block of that time; undefined for blocks before London, and on BSC before Shanghai. */
export const forkAt = (chainId: bigint, timestamp: number): Fork | undefined =>
  beginnings[String(chainId)]?.find(([, since]) => timestamp >= since)?.[0]

export const maxCodeBytes = 24_576
export const maxInitCodeBytes = 2 * maxCodeBytes
export const maxCallDepth = 1024
/** Most gas a transaction may ask for from Osaka on (EIP-7825). */
export const maxTransactionGasOsaka = 1 << 24
