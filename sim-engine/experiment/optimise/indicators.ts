// How good a front is: hypervolume (While, Bradstreet, Barone 2012), IGD+ (Ishibuchi et al. 2015), additive epsilon (Zitzler et al. 2003).
// All objectives are to be made small.

type Front = readonly (readonly number[])[]

/** The volume between a front and a reference point; points that are not better than it in every objective count for nothing. */
export function hypervolume(front: Front, reference: readonly number[]): number {
  const inside = front.filter(point => point.every((value, k) => value < reference[k]!))
  return volume(minimal(inside), reference)
}

function volume(front: Front, reference: readonly number[]): number {
  if (front.length === 0) return 0
  if (reference.length === 1) return reference[0]! - Math.min(...front.map(([value]) => value!))
  if (reference.length === 2) {
    let total = 0
    let ceiling = reference[1]!
    for (const [x, y] of front.toSorted((a, b) => a[0]! - b[0]! || a[1]! - b[1]!)) {
      if (y! >= ceiling) continue
      total += (reference[0]! - x!) * (ceiling - y!)
      ceiling = y!
    }
    return total
  }
  // What each point adds to those after it, worst last objective first, so that the limited fronts lose that objective.
  const last = reference.length - 1
  const order = front.toSorted((a, b) => b[last]! - a[last]!)
  return order.reduce((sum, point, i) => {
    const limited = order.slice(i + 1).map(other => other.slice(0, last).map((value, k) => Math.max(value, point[k]!)))
    const lower = reference.slice(0, last)
    const box = lower.reduce((area, value, k) => area * (value - point[k]!), 1)
    return sum + (reference[last]! - point[last]!) * (box - volume(minimal(limited), lower))
  }, 0)
}

/** Those no other is at least as good as, equal ones once. */
function minimal(front: Front): Front {
  const kept: (readonly number[])[] = []
  for (const point of front) {
    if (kept.some(other => other.every((value, k) => value <= point[k]!))) continue
    for (let i = kept.length - 1; i >= 0; i--) if (point.every((value, k) => value <= kept[i]![k]!)) kept.splice(i, 1)
    kept.push(point)
  }
  return kept
}

/** Mean distance from the points of the true front to the nearest of ours, counting only where ours is worse. */
export function igdPlus(front: Front, truth: Front): number {
  const sum = truth.reduce((total, wanted) => {
    const nearest = Math.min(...front.map(point => point.reduce((d, value, k) => d + Math.max(0, value - wanted[k]!) ** 2, 0)))
    return total + Math.sqrt(nearest)
  }, 0)
  return sum / truth.length
}

/** By how much ours has to be shifted to be at least as good as every point of the true front. */
export const additiveEpsilon = (front: Front, truth: Front): number =>
  Math.max(...truth.map(wanted => Math.min(...front.map(point => Math.max(...point.map((value, k) => value - wanted[k]!))))))
