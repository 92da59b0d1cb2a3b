// Hashes of blocks that the protocol keeps in a contract from Prague on (EIP-2935), for contracts that read further back than BLOCKHASH.
import { Code } from './code.ts'
import { fromHex } from './word.ts'

export const historyAddress = 0x0000f90827f1c53a10cb7a02335b175320002935n
const historyBlocks = 8191n

/** The contract: input is a number of a block; it gives its hash, or fails where it is too old or not made. */
export const historyCode = new Code(
  fromHex(
    '0x3373fffffffffffffffffffffffffffffffffffffffe14604657602036036042575f35600143038111604257611fff81430311604257611fff9006545f5260205ff35b5f5ffd5b5f35611fff60014303065500',
  )!,
)

/** Where the hash of a block is kept. */
export const historySlot = (number: bigint): bigint => number % historyBlocks
