// What policies are worth by calculation, where that is possible: samples of learning are held against it.

/** Chances of a Poisson number, from 0 on; what is left goes to the last one. */
function poisson(mean: number, count: number): number[] {
  const chances = [Math.exp(-mean)]
  for (let k = 1; k < count; k++) chances.push((chances[k - 1]! * mean) / k)
  chances[count - 1]! += 1 - chances.reduce((sum, one) => sum + one, 0)
  return chances
}

const [mostStock, mostOrder, meanDemand] = [60, 10, 5]

/**
 * Mean cost a day of the sample "lost-sales" under a policy: holding 1, shortage 4 a unit, what is ordered can be sold the day after tomorrow. From the
 * stationary distribution of its Markov chain, within 1e-9.
 */
export function lostSalesCost(order: (stock: number, coming: number) => number): number {
  const width = mostOrder + 1
  const demands = poisson(meanDemand, 30)
  let shares = new Float64Array((mostStock + 1) * width)
  shares[5 * width + 5] = 1
  const orders = Array.from({ length: shares.length }, (_, state) => order(Math.floor(state / width), state % width))
  const costs = Array.from({ length: mostStock + 1 }, (_, stock) =>
    demands.reduce((sum, p, demand) => sum + p * (Math.max(0, stock - demand) + 4 * Math.max(0, demand - stock)), 0),
  )
  for (let before = NaN, round = 0; round < 20_000; round++) {
    const next = new Float64Array(shares.length)
    let cost = 0
    shares.forEach((share, state) => {
      if (share === 0) return
      const stock = Math.floor(state / width)
      cost += share * costs[stock]!
      demands.forEach((p, demand) => {
        const left = Math.min(mostStock, Math.max(0, stock - demand) + (state % width))
        next[left * width + orders[state]!]! += share * p
      })
    })
    shares = next
    if (round > 50 && Math.abs(cost - before) < 1e-9) return cost
    before = cost
  }
  throw new Error('lostSalesCost: no stationary distribution')
}

/** Gain a unit of time of a queue that lets customers in below a number of them: .9 come and 1 is served a unit of time, 10 for each, 1 for each waiting (Naor 1969). */
export function admissionGain(threshold: number): number {
  const shares = Array.from({ length: threshold + 1 }, (_, n) => 0.9 ** n)
  const sum = shares.reduce((a, b) => a + b, 0)
  const waiting = shares.reduce((total, share, n) => total + (n * share) / sum, 0)
  return 0.9 * 10 * (1 - shares[threshold]! / sum) - waiting
}
