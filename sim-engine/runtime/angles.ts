// Angles in the subset that lower/typescript.ts lowers: what kernel/math.ts and kernel/reduction.ts do, to the bit. Angles that are rare
// - huge, or close to a multiple of a quarter turn - are left to those files (`sinFar` and others, of the host).

/* oxlint-disable oxc/approx-constant -- the subset has no Math.PI */

type i32 = number
type f64 = number

declare function sinFar(x: f64): f64
declare function cosFar(x: f64): f64
declare function atan2Far(y: f64, x: f64): f64
declare function toI(x: f64): i32
declare function toF(x: i32): f64

/** The sine of x + y, where x is in [-pi/4, pi/4] and y its tail. */
export function sinNear(x: f64, y: f64): f64 {
  const z = x * x
  const v = z * x
  const r =
    8.33333333332248946124e-3 +
    z * (-1.98412698298579493134e-4 + z * (2.75573137070700676789e-6 + z * (-2.50507602534068634195e-8 + z * 1.58969099521155010221e-10)))
  return x - (z * (0.5 * y - v * r) - y - v * -1.66666666666666324348e-1)
}
export function cosNear(x: f64, y: f64): f64 {
  const z = x * x
  const size = Math.abs(x)
  const r =
    z *
    (4.16666666666666019037e-2 +
      z *
        (-1.38888888888741095749e-3 +
          z *
            (2.48015872894767294178e-5 +
              z * (-2.75573143513906633035e-7 + z * (2.0875723212981748279e-9 + z * -1.13596475577881948265e-11)))))
  const large = size >= 0.7812504768371582 ? 1.0 : 0.0
  const middle = (size >= 0.2999999523162842 ? 1.0 : 0.0) - large
  const half = size >= 0.5 ? 1.0 : 0.0
  const q = Math.floor(size * (4194304.0 - 2097152.0 * half)) * (5.960464477539063e-8 * (1.0 + half)) * middle + 0.28125 * large
  return 1.0 - q - (0.5 * z - q - (z * r - x * y))
}
export function sin(x: f64): f64 {
  const size = Math.abs(x)
  if (size <= 0.7853981633974483) {
    if (size < 7.450580596923828e-9) return x
    const z = x * x
    const v = z * x
    return (
      x +
      v *
        (-1.66666666666666324348e-1 +
          z *
            (8.33333333332248946124e-3 +
              z *
                (-1.98412698298579493134e-4 +
                  z * (2.75573137070700676789e-6 + z * (-2.50507602534068634195e-8 + z * 1.58969099521155010221e-10)))))
    )
  }
  if (!(size <= 1647099.3)) return sinFar(x)
  const m = toI(size * 6.36619772367581382433e-1 + 0.5)
  const n = toF(m)
  const r = size - n * 1.57079632673412561417
  const w = n * 6.07710050650619224932e-11
  const y = r - w
  if (Math.abs(y) * 65536.0 <= size) return sinFar(x)
  const lo = r - y - w
  const turned = toF(1 - (m & 2)) * (x < 0.0 ? -1.0 : 1.0)
  if ((m & 1) === 0) return sinNear(y, lo) * turned
  return cosNear(y, lo) * turned
}
export function cos(x: f64): f64 {
  const size = Math.abs(x)
  if (size <= 0.7853981633974483) return cosNear(x, 0.0)
  if (!(size <= 1647099.3)) return cosFar(x)
  const k = toI(size * 6.36619772367581382433e-1 + 0.5)
  const m = k + 1
  const n = toF(k)
  const r = size - n * 1.57079632673412561417
  const w = n * 6.07710050650619224932e-11
  const y = r - w
  if (Math.abs(y) * 65536.0 <= size) return cosFar(x)
  const lo = r - y - w
  const turned = toF(1 - (m & 2))
  if ((m & 1) === 0) return sinNear(y, lo) * turned
  return cosNear(y, lo) * turned
}
/** Of an angle in degrees. */
export function cosine(degrees: f64): f64 {
  if (degrees === 90.0 || degrees === 270.0) return 0.0
  if (degrees === 180.0) return -1.0
  return cos(degrees * 0.017453292519943295)
}
export function sine(degrees: f64): f64 {
  if (degrees === 0.0 || degrees === 180.0) return 0.0
  if (degrees === 90.0) return 1.0
  if (degrees === 270.0) return -1.0
  return sin(degrees * 0.017453292519943295)
}
/** The angle of a positive ratio. */
export function atanOf(size: f64): f64 {
  let hi = 0.0
  let lo = 0.0
  let t = size
  if (size < 0.4375) {
    if (size < 1.862645149230957e-9) return size
  } else if (size < 1.1875) {
    if (size < 0.6875) {
      hi = 4.63647609000806093515e-1
      lo = 2.26987774529616870924e-17
      t = (2.0 * size - 1.0) / (2.0 + size)
    } else {
      hi = 7.85398163397448278999e-1
      lo = 3.06161699786838301793e-17
      t = (size - 1.0) / (size + 1.0)
    }
  } else if (size < 2.4375) {
    hi = 9.82793723247329054082e-1
    lo = 1.39033110312309984516e-17
    t = (size - 1.5) / (1.0 + 1.5 * size)
  } else {
    hi = 1.570796326794896558
    lo = 6.12323399573676603587e-17
    t = -1.0 / size
  }
  const z = t * t
  const w = z * z
  const s =
    z *
    (3.33333333333329318027e-1 +
      w *
        (1.42857142725034663711e-1 +
          w *
            (9.09088713343650656196e-2 +
              w * (6.66107313738753120669e-2 + w * (4.97687799461593236017e-2 + w * 1.62858201153657823623e-2)))))
  const u =
    w *
    (-1.99999999998764832476e-1 +
      w * (-1.1111110405462355788e-1 + w * (-7.69187620504482999495e-2 + w * (-5.83357013379057348645e-2 + w * -3.6531572744216915527e-2))))
  if (hi === 0.0) return t - t * (s + u)
  return hi - (t * (s + u) - lo - t)
}
export function atan2(y: f64, x: f64): f64 {
  const ratio = Math.abs(y / x)
  if (!(ratio > 1e-15 && ratio < 1e15) || x === 1.0) return atan2Far(y, x)
  const z = atanOf(ratio)
  if (x > 0.0) return y < 0.0 ? -z : z
  return y < 0.0 ? z - 1.2246467991473532e-16 - 3.141592653589793 : 3.141592653589793 - (z - 1.2246467991473532e-16)
}
/** Degrees within [0, 360). */
export function fullTurn(degrees: f64): f64 {
  if (degrees >= 0.0 && degrees < 360.0) return degrees
  const turned = degrees - Math.floor(degrees / 360.0) * 360.0
  return turned >= 360.0 ? 0.0 : turned
}
