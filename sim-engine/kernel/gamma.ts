// Logarithm of the gamma function: the one definition, for draws, densities and quantiles.
import { log } from './math.ts'

/** For x > 0: Stirling's series after shifting x above 7; error below 1e-14 * max(1, |value|). */
export function logGamma(x: number): number {
  if (x === 1 || x === 2) return 0
  let shift = 0
  let y = x
  if (x < 7) {
    let product = 1
    for (; y < 7; y++) product *= y
    shift = log(product)
  }
  const z = 1 / (y * y)
  let series = -0.0295506535947712
  for (const coefficient of coefficients) series = series * z + coefficient
  return (y - 0.5) * log(y) - y + 0.9189385332046728 + series / y - shift
}

/** B(2k) / (2k (2k - 1)), highest first, after that of k = 8. */
const coefficients = [
  0.00641025641025641, -0.0019175269175269176, 0.0008417508417508417, -0.0005952380952380953, 0.0007936507936507937, -0.002777777777777778,
  0.08333333333333333,
]
