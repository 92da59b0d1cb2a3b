// Remainders and quotients as Python has them, in the subset that lower/typescript.ts lowers: `mod` and `floordiv` of
// formula/runtime/operators.ts where both numbers are whole, to the bit. Others are left to those.

/* oxlint-disable oxc/erasing-op -- 0 keeps the sign of the dividend */

type i32 = number
type f64 = number

/** Whether the two below may be asked: whole numbers of 32 bits, the divisor greater than 0. */
export function areWhole(a: f64, b: f64): i32 {
  return b > 0.0 && b < 2147483648.0 && Math.floor(b) === b && a > -2147483648.0 && a < 2147483648.0 && Math.floor(a) === a ? 1 : 0
}
/** The remainder has the sign of the dividend where it is 0. */
export function wholeRest(a: f64, b: f64): f64 {
  const rest = a - Math.floor(a / b) * b
  return rest === 0.0 ? a * 0.0 : rest
}
export function wholeQuotient(a: f64, b: f64): f64 {
  return Math.floor(a / b) + 0.0
}
