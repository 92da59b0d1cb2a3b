// Verification of signatures on any curve: a*G + b*P for the base point G, whose multiples are kept, and another point P.
import { sizes, type Curve } from './library.ts'

type Combination = {
  /** A point and its scalar, and the scalar of the base point. The point may be changed. */
  readonly point: number
  readonly ofPoint: number
  readonly ofBase: number
  readonly sum: number
  /** Makes the sum. */
  readonly add: () => void
}

/** Of each byte of a scalar that is not 0, times what its place is worth, there is a multiple of the base point. */
const multiplesOfPlace = 255

/** Multiples of the base point: those of a place behind one another. */
function multiplesOfBase(curve: Curve): number {
  const { call } = curve
  const first = curve.room(sizes.scalar * multiplesOfPlace * sizes.g1)
  const worth = curve.room(sizes.g1)
  call._mclBnG1_getBasePoint(worth)
  let next = first
  for (let place = 0; place < sizes.scalar; place++) {
    curve.copy(next, worth, sizes.g1)
    for (let byte = 2; byte <= multiplesOfPlace; byte++) call._mclBnG1_add((next += sizes.g1), next - sizes.g1, worth)
    call._mclBnG1_add(worth, next, worth)
    next += sizes.g1
  }
  // Points with 1 as their third coordinate are added faster.
  for (let point = first; point < next; point += sizes.g1) call._mclBnG1_normalize(point, point)
  return first
}

export function combination(curve: Curve): Combination {
  const { call } = curve
  const [point, ofPoint, ofBase] = [curve.room(sizes.g1), curve.room(sizes.scalar), curve.room(sizes.scalar)]
  const [sum, written] = [curve.room(sizes.g1), curve.room(sizes.scalar)]
  let multiples: number | undefined
  function addBase(): void {
    multiples ??= multiplesOfBase(curve)
    call._mclBnFr_serialize(written, sizes.scalar, ofBase)
    const { bytes } = curve
    for (let place = 0; place < sizes.scalar; place++) {
      const byte = bytes[written + place]!
      if (byte > 0) call._mclBnG1_add(sum, sum, multiples + (place * multiplesOfPlace + byte - 1) * sizes.g1)
    }
  }
  return {
    point,
    ofPoint,
    ofBase,
    sum,
    add() {
      call._mclBnG1_mulVec(sum, point, ofPoint, 1)
      addBase()
    },
  }
}
