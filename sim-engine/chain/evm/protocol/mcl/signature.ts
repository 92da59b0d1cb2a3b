// What signatures on any curve are made of: the sum of two products, the first with the curve's base point.
import { sizes, type Curve } from './library.ts'

/** `points` and `scalars` are two each. `base` puts the base point back first: a sum may change how points are written. */
export type Combination = { readonly points: number; readonly scalars: number; readonly sum: number; readonly base: () => void }

export function combination(curve: Curve): Combination {
  const generator = curve.room(sizes.g1)
  curve.call._mclBnG1_getBasePoint(generator)
  const points = curve.room(2 * sizes.g1)
  return {
    points,
    scalars: curve.room(2 * sizes.scalar),
    sum: curve.room(sizes.g1),
    base: () => curve.copy(points, generator, sizes.g1),
  }
}
