// Prices in gas, named as in the Yellow Paper's fee schedule and the EIPs that changed it (2028, 2200, 2929, 3529, 3860, 4844, 7623, 7702).

export const price = {
  transaction: 21_000,
  transactionCreate: 32_000,
  dataZero: 4,
  dataNonZero: 16,
  /** A token of calldata under the floor price of EIP-7623; a non-zero byte counts as four tokens. */
  dataFloorToken: 10,
  accessListAddress: 2400,
  accessListSlot: 1900,
  authorization: 25_000,
  authorizationRefund: 12_500,
  initCodeWord: 2,
  codeByte: 200,
  create: 32_000,
  callValue: 9000,
  callStipend: 2300,
  newAccount: 25_000,
  coldAccount: 2600,
  warmAccess: 100,
  coldSlot: 2100,
  slotSet: 20_000,
  slotReset: 2900,
  slotClearRefund: 4800,
  slotSentry: 2300,
  selfDestruct: 5000,
  expByte: 50,
  keccakWord: 6,
  copyWord: 3,
  log: 375,
  logTopic: 375,
  logByte: 8,
  blob: 131_072,
} as const

/** The largest part of the gas used that refunds may return: one in `refundQuotient` (EIP-3529). */
export const refundQuotient = 5

export const wordsOf = (bytes: number): number => Math.ceil(bytes / 32)

/** Gas that a call may pass on at most: all but one 64th (EIP-150). */
export const passable = (gas: number): number => gas - Math.floor(gas / 64)

/** Price of blob gas, by the excess of earlier blocks: factor * e ** (excess / denominator) in integers (EIP-4844). */
export function blobGasPrice(excess: bigint, fraction: bigint): bigint {
  let sum = 0n
  let term = fraction
  for (let i = 1n; term > 0n; i++) {
    sum += term
    term = (term * excess) / (fraction * i)
  }
  return sum / fraction
}
