// Directions spread evenly over the positive simplex (Das and Dennis 1998): reference points of NSGA-III, weights of MOEA/D.

/** All vectors of `objectives` multiples of 1 / divisions that sum to 1. */
export function lattice(objectives: number, divisions: number): number[][] {
  const found: number[][] = []
  const grow = (start: readonly number[], left: number): void => {
    if (start.length === objectives - 1) {
      found.push([...start, left / divisions])
      return
    }
    for (let i = 0; i <= left; i++) grow([...start, i / divisions], left - i)
  }
  grow([], divisions)
  return found
}

/** The finest lattice of at most `most` directions (at least the corners). */
export function directions(objectives: number, most: number): number[][] {
  if (objectives === 1) return [[1]]
  let divisions = 1
  while (combinations(divisions + objectives, objectives - 1) <= most) divisions++
  return lattice(objectives, divisions)
}

/** n over k. */
function combinations(n: number, k: number): number {
  let result = 1
  for (let i = 1; i <= k; i++) result = (result * (n - k + i)) / i
  return result
}
