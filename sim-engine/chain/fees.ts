// The base fee of a block (EIP-1559).

/** EIP-1559: blocks aim at half their gas limit; the base fee moves by at most an eighth. */
const [elasticity, denominator] = [2n, 8n]

/** The base fee behind a block (EIP-1559). */
export function nextBaseFee(baseFee: bigint, gasUsed: bigint, gasLimit: bigint): bigint {
  const target = gasLimit / elasticity
  if (gasUsed === target || target === 0n) return baseFee
  if (gasUsed > target) {
    const rise = (baseFee * (gasUsed - target)) / target / denominator
    return baseFee + (rise > 1n ? rise : 1n)
  }
  return baseFee - (baseFee * (target - gasUsed)) / target / denominator
}
