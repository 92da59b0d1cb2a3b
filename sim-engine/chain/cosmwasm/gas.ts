// What things cost, in gas of the chain (Cosmos SDK, store/types/gas.go; wasmd, x/wasm/types/gas_register.go).

/** Gas of CosmWasm in one unit of gas of the chain. */
export const gasMultiplier = 140_000

export const price = {
  read: 1_000,
  readByte: 3,
  write: 2_000,
  writeByte: 30,
  remove: 1_000,
  next: 30,
  /** Of calling a contract. */
  instance: 60_000,
  transactionByte: 10,
  signature: 1_000,
  event: 20,
  attribute: 10,
  attributeByte: 1,
  /** Of a transfer of coins, where the real bank reads and writes two balances. */
  transfer: 20_000,
  humanize: 5,
  canonicalize: 4,
} as const

/** Gas of CosmWasm of its cryptography (cosmwasm-vm, environment.rs). */
export const cryptoGas = {
  secp256k1Verify: 154_000_000,
  secp256k1Recover: 162_000_000,
  secp256r1Verify: 279_000_000,
  ed25519Verify: 63_000_000,
} as const

/** Bytes of a transaction around its message: signature, fee, public key. */
export const envelopeBytes = 300
