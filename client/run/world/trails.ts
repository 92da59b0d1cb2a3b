// The trails behind agents: where they were in the frames seen so far. Kept as one piece per frame, the way from the frame before,
// so that memory is bounded by dropping the oldest, and going back in time by dropping the newest.
import type { Id } from '../../../model-schema/model.ts'
import type { Frame, Loaded } from '../../../sim-engine/messages.ts'
import type { AgentLayer, LinkLayer } from './scene.ts'

/** The trails to keep: those of whole populations and of single agents; and their length in frames. */
export type Traced = { populations: readonly Id[]; agents: readonly { population: Id; entity: number }[]; length: number }

export const untraced: Traced = { populations: [], agents: [], length: 0 }

type Space = Loaded['spaces'][number]

type Places = { ids: Float64Array; x: Float32Array; y: Float32Array; z: Float32Array | null; colors: Uint32Array }
/** Lines from x1, y1 (, z1) to x2, y2 (, z2). */
type Piece = {
  time: number
  count: number
  x1: number[]
  y1: number[]
  z1: number[]
  x2: number[]
  y2: number[]
  z2: number[]
  colors: number[]
}
/** The trail of a population, or of one agent. */
type Track = { population: Id; entity: number | null; pieces: Piece[]; last: { time: number; places: Places } | null }

/** Most lines of all trails, whatever the length asked for. */
const maxTrailLines = 100_000
/** Steps of fading. */
const fades = 12

export class Trails {
  #tracks = new Map<string, Track>()
  #load = -1

  /** How many lines there are. */
  get size(): number {
    let size = 0
    for (const { pieces } of this.#tracks.values()) for (const piece of pieces) size += piece.count
    return size
  }

  /** Takes in a frame. One from earlier than the newest is a way back: what was later is forgotten. */
  see(frame: Frame, agents: readonly AgentLayer[], space: Space, wanted: Traced): void {
    if (frame.load !== this.#load) this.#tracks.clear()
    this.#load = frame.load
    const before = this.#tracks
    this.#tracks = new Map()
    // A trail that is no longer wanted is dropped at once; a new one begins now.
    const want = (population: Id, entity: number | null): void => {
      const key = `${population} ${entity ?? ''}`
      this.#tracks.set(key, before.get(key) ?? { population, entity, pieces: [], last: null })
    }
    for (const population of wanted.populations) want(population, null)
    for (const { population, entity } of wanted.agents) if (!wanted.populations.includes(population)) want(population, entity)
    for (const track of this.#tracks.values()) {
      const layer = agents.find(one => one.population === track.population)
      if (layer) lengthen(track, frame, layer, space)
      shorten(track.pieces, wanted.length, maxTrailLines / this.#tracks.size)
    }
  }

  /** The lines to be drawn, oldest first. Their transparency is in the bits above the colour: 0 opaque .. 255. */
  lines(): LinkLayer[] {
    return [...this.#tracks].filter(([, track]) => track.pieces.length > 0).map(([key, track]) => joined(key, track.pieces))
  }
}

function lengthen(track: Track, frame: Frame, layer: AgentLayer, space: Space): void {
  const { pieces, last } = track
  const { time } = frame
  while ((pieces.at(-1)?.time ?? -Infinity) > time) pieces.pop()
  const places = placesOf(layer, track.entity)
  // After a jump there is a gap: the path between was not observed.
  if (last && last.time <= time && !frame.rewound) {
    const piece = way(last.places, places, space, time)
    if (piece.count > 0) pieces.push(piece)
  }
  track.last = { time, places }
}

/** Leaves the newest `length` pieces, and of those as many as have no more than `lines` lines, but one at least. */
function shorten(pieces: Piece[], length: number, lines: number): void {
  let sum = 0
  let kept = 0
  while (kept < Math.min(length, pieces.length)) {
    sum += pieces.at(-1 - kept)?.count ?? 0
    if (sum > lines && kept > 0) break
    kept++
  }
  pieces.splice(0, pieces.length - kept)
}

function placesOf({ ids, x, y, z, colors, count }: AgentLayer, entity: number | null): Places {
  const shown = ids.subarray(0, count)
  if (entity === null) return { ids: shown, x, y, z: z ?? null, colors }
  const i = shown.indexOf(entity)
  const end = i < 0 ? 0 : i + 1
  const start = Math.max(0, i)
  return {
    ids: ids.slice(start, end),
    x: x.slice(start, end),
    y: y.slice(start, end),
    z: z?.slice(start, end) ?? null,
    colors: colors.slice(start, end),
  }
}

function way(before: Places, now: Places, space: Space, time: number): Piece {
  const piece: Piece = { time, count: 0, x1: [], y1: [], z1: [], x2: [], y2: [], z2: [], colors: [] }
  const half = space.topology === 'discrete' ? 0.5 : 0
  const width = space.maxX - space.minX + 2 * half
  const height = space.maxY - space.minY + 2 * half
  const box = { minX: space.minX - half, maxX: space.maxX + half, minY: space.minY - half, maxY: space.maxY + half }
  const put = (x1: number, y1: number, z1: number, x2: number, y2: number, z2: number, color: number): void => {
    piece.x1.push(x1)
    piece.y1.push(y1)
    piece.x2.push(x2)
    piece.y2.push(y2)
    if (now.z) piece.z1.push(z1)
    if (now.z) piece.z2.push(z2)
    piece.colors.push(color)
    piece.count++
  }
  const find = finder(before.ids)
  for (let i = 0; i < now.ids.length; i++) {
    const was = find(now.ids[i] ?? 0, i)
    if (was < 0) continue
    const x1 = before.x[was] ?? 0
    const y1 = before.y[was] ?? 0
    const z1 = before.z?.[was] ?? 0
    const x2 = now.x[i] ?? 0
    const y2 = now.y[i] ?? 0
    const z2 = now.z?.[i] ?? 0
    if (x1 === x2 && y1 === y2 && z1 === z2) continue
    const color = now.colors[i] ?? 0
    const overX = space.wrapX && Math.abs(x2 - x1) > width / 2 ? Math.sign(x1 - x2) * width : 0
    const overY = space.wrapY && Math.abs(y2 - y1) > height / 2 ? Math.sign(y1 - y2) * height : 0
    if (overX === 0 && overY === 0) {
      put(x1, y1, z1, x2, y2, z2, color)
      continue
    }
    // Over a border: out on one side, in on the other.
    for (const [fromX, fromY] of [
      [x1, y1],
      [x1 - overX, y1 - overY],
    ] as const) {
      const dx = x2 + overX - x1
      const dy = y2 + overY - y1
      const inside = within(box, fromX, fromY, dx, dy)
      if (!inside) continue
      const [a, b] = inside
      const at = (t: number): [number, number, number] => [fromX + t * dx, fromY + t * dy, z1 + t * (z2 - z1)]
      put(...at(a), ...at(b), color)
    }
  }
  return piece
}

/** Finds the index of an id in a list; most ids keep the index of the list before. */
function finder(ids: Float64Array): (id: number, guess: number) => number {
  let places: Map<number, number> | null = null
  return (id, guess) => {
    if (ids[guess] === id) return guess
    places ??= new Map(Array.from(ids, (one, i) => [one, i]))
    return places.get(id) ?? -1
  }
}

/** The part of a line within a box, as shares of its length (Liang and Barsky 1984); null = none. */
function within(
  box: { minX: number; maxX: number; minY: number; maxY: number },
  x: number,
  y: number,
  dx: number,
  dy: number,
): [number, number] | null {
  let first = 0
  let last = 1
  for (const [along, low, high] of [
    [dx, box.minX - x, box.maxX - x],
    [dy, box.minY - y, box.maxY - y],
  ] as const) {
    if (along === 0) {
      if (low > 0 || high < 0) return null
      continue
    }
    const one = low / along
    const other = high / along
    first = Math.max(first, Math.min(one, other))
    last = Math.min(last, Math.max(one, other))
  }
  return first < last ? [first, last] : null
}

function joined(key: string, pieces: readonly Piece[]): LinkLayer {
  const count = pieces.reduce((sum, piece) => sum + piece.count, 0)
  const column = (name: 'x1' | 'y1' | 'z1' | 'x2' | 'y2' | 'z2'): Float32Array => {
    const all = new Float32Array(count)
    let at = 0
    for (const piece of pieces) {
      all.set(piece[name], at)
      at += piece.count
    }
    return all
  }
  const colors = new Uint32Array(count)
  let at = 0
  for (const [k, piece] of pieces.entries()) {
    const age = Math.floor(((pieces.length - 1 - k) / Math.max(1, pieces.length)) * fades) / fades
    const clear = Math.round((0.15 + 0.8 * age) * 255) * 0x1000000
    for (let i = 0; i < piece.count; i++) colors[at++] = clear + ((piece.colors[i] ?? 0) & 0xffffff)
  }
  const deep = pieces.some(piece => piece.z1.length > 0)
  return {
    kind: 'link',
    population: `trail ${key}`,
    count,
    x1: column('x1'),
    y1: column('y1'),
    x2: column('x2'),
    y2: column('y2'),
    ...(deep && { z1: column('z1'), z2: column('z2') }),
    colors,
    thickness: new Float32Array(count).fill(1.5),
  }
}
