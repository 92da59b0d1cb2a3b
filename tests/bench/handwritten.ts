// The bench's yardstick: the model classes of the bench written by hand over typed arrays, as fast as JavaScript goes
// without tricks. Each function builds its model for a seed and returns `steps(n)`, which advances it and returns a
// statistic, so that set-up stays out of the time.
import { below, bits, shuffle, stream, uniform, type Stream } from '../../sim-engine/kernel/random.ts'

export type Handwritten = { steps(n: number): number }

function shuffleInts(s: Stream, items: Int32Array, length = items.length): void {
  for (let i = length - 1; i > 0; i--) {
    const j = below(s, i + 1)
    const item = items[i]!
    items[i] = items[j]!
    items[j] = item
  }
}

/** Schelling on a bounded W x W grid, K agents, radius R, threshold T. Statistic: share of happy agents. */
export function schelling(seed: number, W: number, K: number, R: number, T: number): Handwritten {
  const s = stream(seed, 0, 'schelling')
  const cells = Array.from({ length: W * W }, (_, i) => i)
  shuffle(s, cells)
  const grid = new Int8Array(W * W)
  const at = new Int32Array(K)
  const group = new Uint8Array(K)
  const happy = new Uint8Array(K)
  for (let i = 0; i < K; i++) {
    at[i] = cells[i]!
    group[i] = i < K / 2 ? 1 : 0
    grid[at[i]!] = group[i] === 1 ? 1 : -1
  }
  const empty = Int32Array.from(cells.slice(K))
  const order = Int32Array.from({ length: K }, (_, i) => i)
  return {
    steps(n) {
      for (let t = 0; t < n; t++) {
        shuffleInts(s, order)
        for (let k = 0; k < K; k++) {
          const i = order[k]!
          const cell = at[i]!
          const x = cell % W
          const y = (cell - x) / W
          const mine = grid[cell]!
          let same = -1
          const x0 = x < R ? 0 : x - R
          const x1 = x + R >= W ? W - 1 : x + R
          const y1 = y + R >= W ? W - 1 : y + R
          for (let yy = y < R ? 0 : y - R; yy <= y1; yy++)
            for (let c = yy * W + x0, end = yy * W + x1; c <= end; c++) if (grid[c] === mine) same++
          if (same >= T) happy[i] = 1
          else {
            happy[i] = 0
            const e = below(s, empty.length)
            const to = empty[e]!
            empty[e] = cell
            grid[cell] = 0
            grid[to] = mine
            at[i] = to
          }
        }
      }
      let sum = 0
      for (let i = 0; i < K; i++) sum += happy[i]!
      return sum / K
    },
  }
}

/** Burning forest on W x W, all cells at once, every cell evaluated. Statistic: burnt cells. */
export function fire(seed: number, W: number, density: number): Handwritten {
  const s = stream(seed, 0, 'fire')
  let now = new Uint8Array(W * W)
  let next = new Uint8Array(W * W)
  for (let x = 0; x < W; x++) for (let y = 0; y < W; y++) if (uniform(s) < density) now[y * W + x] = x === 0 ? 2 : 1
  return {
    steps(n) {
      for (let t = 0; t < n; t++) {
        for (let y = 0; y < W; y++)
          for (let x = 0; x < W; x++) {
            const c = y * W + x
            const state = now[c]!
            next[c] =
              state === 2
                ? 3
                : state === 1 &&
                    ((x > 0 && now[c - 1] === 2) ||
                      (x < W - 1 && now[c + 1] === 2) ||
                      (y > 0 && now[c - W] === 2) ||
                      (y < W - 1 && now[c + W] === 2))
                  ? 2
                  : state
          }
        ;[now, next] = [next, now]
      }
      let burnt = 0
      for (let c = 0; c < W * W; c++) if (now[c] === 3) burnt++
      return burnt
    },
  }
}

/** Conway's Life on a W x W torus, one byte a cell. Statistic: living cells. */
export function life(seed: number, W: number): Handwritten {
  const s = stream(seed, 0, 'life')
  let now = Uint8Array.from({ length: W * W }, () => (uniform(s) < 0.3 ? 1 : 0))
  let next = new Uint8Array(W * W)
  return {
    steps(n) {
      for (let t = 0; t < n; t++) {
        for (let y = 0; y < W; y++) {
          const up = (y === 0 ? W - 1 : y - 1) * W
          const here = y * W
          const down = (y === W - 1 ? 0 : y + 1) * W
          for (let x = 0; x < W; x++) {
            const l = x === 0 ? W - 1 : x - 1
            const r = x === W - 1 ? 0 : x + 1
            const sum =
              now[up + l]! +
              now[up + x]! +
              now[up + r]! +
              now[here + l]! +
              now[here + r]! +
              now[down + l]! +
              now[down + x]! +
              now[down + r]!
            next[here + x] = sum === 3 || (sum === 2 && now[here + x] === 1) ? 1 : 0
          }
        }
        ;[now, next] = [next, now]
      }
      let alive = 0
      for (let c = 0; c < W * W; c++) alive += now[c]!
      return alive
    },
  }
}

/** SIR on a random network of n nodes and 5 n links, all at once. Statistic: share recovered. */
export function sirNetwork(seed: number, n: number, infected0: number): Handwritten {
  const s = stream(seed, 0, 'sir')
  const m = 5 * n
  const a = new Int32Array(m)
  const b = new Int32Array(m)
  const start = new Int32Array(n + 1)
  for (let k = 0; k < m; k++) {
    a[k] = below(s, n)
    do b[k] = below(s, n)
    while (a[k] === b[k])
    start[a[k]! + 1]!++
    start[b[k]! + 1]!++
  }
  for (let i = 0; i < n; i++) start[i + 1]! += start[i]!
  const fill = start.slice(0, n)
  const other = new Int32Array(2 * m)
  for (let k = 0; k < m; k++) {
    other[fill[a[k]!]!++] = b[k]!
    other[fill[b[k]!]!++] = a[k]!
  }
  let now = new Uint8Array(n)
  for (let k = 0; k < infected0;) {
    const i = below(s, n)
    if (now[i] === 0) {
      now[i] = 1
      k++
    }
  }
  let next = now.slice()
  return {
    steps(ticks) {
      for (let t = 0; t < ticks; t++) {
        next.set(now)
        for (let i = 0; i < n; i++)
          if (now[i] === 1) {
            for (let k = start[i]!, end = start[i + 1]!; k < end; k++) {
              const j = other[k]!
              if (now[j] === 0 && uniform(s) < 0.05) next[j] = 1
            }
            if (uniform(s) < 0.1) next[i] = 2
          }
        ;[now, next] = [next, now]
      }
      let recovered = 0
      for (let i = 0; i < n; i++) if (now[i] === 2) recovered++
      return recovered / n
    },
  }
}

/** M/M/c, first come first served, N customers, on a binary heap of departures. Statistic: mean wait. `steps(N)`. */
export function queue(seed: number, servers: number, lambda: number): Handwritten {
  const arrivals = stream(seed, 0, 'arrivals')
  const services = stream(seed, 0, 'services')
  const exponential = (s: Stream, mean: number) => -mean * Math.log(1 - uniform(s))
  return {
    steps(N) {
      const due = new Float64Array(servers + 1)
      let busy = 0
      const add = (time: number) => {
        let i = busy++
        while (i > 0) {
          const parent = (i - 1) >> 1
          if (due[parent]! <= time) break
          due[i] = due[parent]!
          i = parent
        }
        due[i] = time
      }
      const take = () => {
        const last = due[--busy]!
        let i = 0
        for (;;) {
          let child = 2 * i + 1
          if (child >= busy) break
          if (child + 1 < busy && due[child + 1]! < due[child]!) child++
          if (due[child]! >= last) break
          due[i] = due[child]!
          i = child
        }
        due[i] = last
      }
      const waiting = new Float64Array(1 << 20)
      let head = 0
      let tail = 0
      let arrived = 0
      let left = 0
      let wait = 0
      let nextArrival = exponential(arrivals, 1 / lambda)
      while (left < N) {
        if (arrived < N && (busy === 0 || nextArrival < due[0]!)) {
          const now = nextArrival
          arrived++
          nextArrival = now + exponential(arrivals, 1 / lambda)
          if (busy < servers) add(now + exponential(services, 1))
          else waiting[tail++ & 1048575] = now
        } else {
          const now = due[0]!
          take()
          left++
          if (head < tail) {
            wait += now - waiting[head++ & 1048575]!
            add(now + exponential(services, 1))
          }
        }
      }
      return wait / N
    },
  }
}

/** Boids one after another on a W x W torus. Statistic: polarisation. */
export function flocking(seed: number, W: number, count: number, R: number): Handwritten {
  const s = stream(seed, 0, 'flock')
  const x = new Float64Array(count)
  const y = new Float64Array(count)
  const u = new Float64Array(count)
  const v = new Float64Array(count)
  const side = Math.max(1, Math.floor(W / R))
  const head = new Int32Array(side * side).fill(-1)
  const next = new Int32Array(count)
  const prev = new Int32Array(count)
  const where = new Int32Array(count)
  const cellOf = (i: number) =>
    Math.min(side - 1, Math.floor((y[i]! * side) / W)) * side + Math.min(side - 1, Math.floor((x[i]! * side) / W))
  const insert = (i: number, c: number) => {
    where[i] = c
    prev[i] = -1
    next[i] = head[c]!
    if (head[c]! >= 0) prev[head[c]!] = i
    head[c] = i
  }
  for (let i = 0; i < count; i++) {
    x[i] = uniform(s) * W
    y[i] = uniform(s) * W
    const a = 2 * uniform(s) - 1
    const b = 2 * uniform(s) - 1
    const length = Math.sqrt(a * a + b * b)
    u[i] = a / length
    v[i] = b / length
    insert(i, cellOf(i))
  }
  const order = Int32Array.from({ length: count }, (_, i) => i)
  const reach = side >= 3 ? 1 : 0
  return {
    steps(n) {
      for (let t = 0; t < n; t++) {
        shuffleInts(s, order)
        for (let k = 0; k < count; k++) {
          const i = order[k]!
          const xi = x[i]!
          const yi = y[i]!
          const home = where[i]!
          const cx = home % side
          const cy = (home - cx) / side
          let number = 0
          let sx = 0
          let sy = 0
          let mx = 0
          let my = 0
          let ax = 0
          let ay = 0
          const y0 = reach === 1 ? cy - 1 : 0
          const y1 = reach === 1 ? cy + 1 : side - 1
          const x0 = reach === 1 ? cx - 1 : 0
          const x1 = reach === 1 ? cx + 1 : side - 1
          for (let gy = y0; gy <= y1; gy++)
            for (let gx = x0; gx <= x1; gx++) {
              const c = (gy < 0 ? side - 1 : gy >= side ? 0 : gy) * side + (gx < 0 ? side - 1 : gx >= side ? 0 : gx)
              for (let j = head[c]!; j >= 0; j = next[j]!) {
                if (j === i) continue
                let dx = x[j]! - xi
                let dy = y[j]! - yi
                if (dx > W / 2) dx -= W
                else if (dx < -W / 2) dx += W
                if (dy > W / 2) dy -= W
                else if (dy < -W / 2) dy += W
                const d2 = dx * dx + dy * dy
                if (d2 > R * R) continue
                number++
                sx += dx
                sy += dy
                mx += u[j]!
                my += v[j]!
                if (d2 < 1) {
                  ax -= dx
                  ay -= dy
                }
              }
            }
          const share = number > 1 ? number : 1
          let uu = u[i]! + (0.03 * sx + 0.015 * ax + 0.05 * mx) / share
          let vv = v[i]! + (0.03 * sy + 0.015 * ay + 0.05 * my) / share
          const length = Math.sqrt(uu * uu + vv * vv)
          if (length > 0) {
            uu /= length
            vv /= length
          }
          u[i] = uu
          v[i] = vv
          x[i] = (xi + uu + W) % W
          y[i] = (yi + vv + W) % W
          const c = cellOf(i)
          if (c !== home) {
            if (prev[i]! >= 0) next[prev[i]!] = next[i]!
            else head[home] = next[i]!
            if (next[i]! >= 0) prev[next[i]!] = prev[i]!
            insert(i, c)
          }
        }
      }
      let su = 0
      let sv = 0
      for (let i = 0; i < count; i++) {
        su += u[i]!
        sv += v[i]!
      }
      return Math.sqrt(su * su + sv * sv) / count
    },
  }
}

/** Wolves, sheep and grass on a bounded W x W grid. Statistic: sheep left. */
export function wolfSheep(seed: number, W: number, sheep0: number, wolves0: number, regrow: number, ps: number, pw: number): Handwritten {
  const s = stream(seed, 0, 'wolfsheep')
  const cells = W * W
  const grown = new Uint8Array(cells)
  const countdown = new Int32Array(cells)
  const animals = (first: number, most: number, food: number) => {
    const capacity = first * 16 + 65536
    const herd = {
      count: first,
      energy: new Float64Array(capacity),
      at: new Int32Array(capacity),
      dead: new Uint8Array(capacity),
      head: new Int32Array(cells).fill(-1),
      next: new Int32Array(capacity),
      prev: new Int32Array(capacity),
      order: new Int32Array(capacity),
      free: new Int32Array(capacity),
      frees: 0,
      slots: first,
      food,
    }
    for (let i = 0; i < first; i++) {
      herd.energy[i] = below(s, most)
      herd.order[i] = i
      enter(herd, i, below(s, cells))
    }
    return herd
  }
  type Herd = ReturnType<typeof animals>
  function enter(herd: Pick<Herd, 'at' | 'prev' | 'next' | 'head'>, i: number, c: number) {
    herd.at[i] = c
    herd.prev[i] = -1
    herd.next[i] = herd.head[c]!
    if (herd.head[c]! >= 0) herd.prev[herd.head[c]!] = i
    herd.head[c] = i
  }
  function leave(herd: Herd, i: number) {
    if (herd.prev[i]! >= 0) herd.next[herd.prev[i]!] = herd.next[i]!
    else herd.head[herd.at[i]!] = herd.next[i]!
    if (herd.next[i]! >= 0) herd.prev[herd.next[i]!] = herd.prev[i]!
  }
  const sheep = animals(sheep0, 10, 5)
  const wolves = animals(wolves0, 26, 13)
  for (let c = 0; c < cells; c++) {
    grown[c] = bits(s) & 1
    countdown[c] = grown[c] === 1 ? regrow : below(s, regrow)
  }
  const dx = [-1, 0, 1, -1, 1, -1, 0, 1]
  const dy = [-1, -1, -1, 0, 0, 1, 1, 1]
  function walk(herd: Herd, i: number): number {
    const d = below(s, 8)
    const c = herd.at[i]!
    const x = c % W
    const nx = Math.max(0, Math.min(W - 1, x + dx[d]!))
    const ny = Math.max(0, Math.min(W - 1, (c - x) / W + dy[d]!))
    leave(herd, i)
    enter(herd, i, ny * W + nx)
    return ny * W + nx
  }
  function kill(herd: Herd, i: number) {
    leave(herd, i)
    herd.dead[i] = 1
  }
  function act(herd: Herd, p: number, eat: (c: number) => boolean) {
    const living = herd.count
    shuffleInts(s, herd.order, living)
    let born = living
    for (let k = 0; k < living; k++) {
      const i = herd.order[k]!
      if (herd.dead[i] === 1) continue
      const c = walk(herd, i)
      herd.energy[i]! -= 1
      if (eat(c)) herd.energy[i]! += herd.food
      if (herd.energy[i]! < 0) kill(herd, i)
      else if (uniform(s) <= p) {
        herd.energy[i]! /= 2
        const child = herd.frees > 0 ? herd.free[--herd.frees]! : herd.slots++
        herd.energy[child] = herd.energy[i]!
        herd.dead[child] = 0
        enter(herd, child, c)
        herd.order[born++] = child
      }
    }
    herd.count = born
  }
  function bury(herd: Herd) {
    let kept = 0
    for (let k = 0; k < herd.count; k++) {
      const i = herd.order[k]!
      if (herd.dead[i] === 1) herd.free[herd.frees++] = i
      else herd.order[kept++] = i
    }
    herd.count = kept
  }
  return {
    steps(n) {
      for (let t = 0; t < n; t++) {
        act(sheep, ps, c => {
          if (grown[c] === 0) return false
          grown[c] = 0
          return true
        })
        bury(sheep)
        act(wolves, pw, c => {
          let there = 0
          for (let i = sheep.head[c]!; i >= 0; i = sheep.next[i]!) there++
          if (there === 0) return false
          let i = sheep.head[c]!
          for (let skip = below(s, there); skip > 0; skip--) i = sheep.next[i]!
          kill(sheep, i)
          return true
        })
        bury(sheep)
        bury(wolves)
        for (let c = 0; c < cells; c++)
          if (grown[c] === 0) {
            if (countdown[c]! <= 0) {
              grown[c] = 1
              countdown[c] = regrow
            } else countdown[c]!--
          }
      }
      return sheep.count
    },
  }
}
