import { describe, expect, it } from 'vitest'
import {
  fitted,
  fittedAmong,
  isFollowable,
  nextZoom,
  toCanvas,
  toScreen,
  viewOf,
  zoomedAt,
  type Camera,
} from '../../../client/editor/geometry/camera.ts'
import {
  around,
  encloses,
  grown,
  onBorder,
  overlaps,
  resized,
  simplified,
  spanned,
  handles,
  type Box,
  type Point,
} from '../../../client/editor/geometry/geometry.ts'
import { bendsAfterDrag, route } from '../../../client/editor/geometry/route.ts'
import { roomInView } from '../../../client/editor/geometry/room.ts'
import type { Scene } from '../../../client/editor/scene.ts'
import { snapped } from '../../../client/editor/geometry/snap.ts'
import { seeds, type Chance } from '../../help/random.ts'

const boxOf = (random: Chance, spread = 900): Box => ({
  x: random.below(spread),
  y: random.below(spread),
  w: 32 + random.below(120),
  h: 32 + random.below(90),
})
const apart = (a: Box, b: Box, by: number): boolean =>
  a.x - by >= b.x + b.w || b.x - by >= a.x + a.w || a.y - by >= b.y + b.h || b.y - by >= a.y + a.h

const segments = (line: readonly Point[]): [Point, Point][] => line.slice(1).map((p, i) => [line[i] ?? p, p])
const onEdge = (box: Box, p: Point): boolean =>
  ((p.x === box.x || p.x === box.x + box.w) && p.y >= box.y && p.y <= box.y + box.h) ||
  ((p.y === box.y || p.y === box.y + box.h) && p.x >= box.x && p.x <= box.x + box.w)
const pierces = ([a, b]: [Point, Point], box: Box): boolean =>
  Math.min(a.x, b.x) < box.x + box.w && Math.max(a.x, b.x) > box.x && Math.min(a.y, b.y) < box.y + box.h && Math.max(a.y, b.y) > box.y

describe('camera', () => {
  it('shows a whole model at once while its charts stay large enough to be followed', () => {
    const chart = { w: 300, h: 220 }
    expect(isFollowable(0.7, [chart])).toBe(true)
    expect(isFollowable(0.66, [chart])).toBe(false)
    // What is small at full size can't be larger; without charts only the zoom counts.
    expect(isFollowable(1, [{ w: 200, h: 90 }])).toBe(true)
    expect(isFollowable(0.62, [])).toBe(true)
    expect(isFollowable(0.55, [])).toBe(false)
  })
  it('screen and canvas points are inverse', () => {
    seeds(100, random => {
      const camera = { x: random.next() * 1e4, y: random.next() * 1e4, zoom: 0.05 + random.next() * 8 }
      const p = { x: random.next() * 2000, y: random.next() * 2000 }
      const back = toScreen(camera, toCanvas(camera, p))
      expect(back.x).toBeCloseTo(p.x, 6)
      expect(back.y).toBeCloseTo(p.y, 6)
    })
  })

  it('zooming keeps the point under the pointer, and stays within 5% and 800%', () => {
    seeds(100, random => {
      const camera = { x: random.next() * 500, y: random.next() * 500, zoom: 1 }
      const screen = { x: random.below(1000), y: random.below(800) }
      const next = zoomedAt(camera, screen, 0.001 + random.next() * 20)
      expect(next.zoom).toBeGreaterThanOrEqual(0.05)
      expect(next.zoom).toBeLessThanOrEqual(8)
      expect(toCanvas(next, screen).x).toBeCloseTo(toCanvas(camera, screen).x, 6)
    })
  })

  it('fitting shows the whole box', () => {
    seeds(100, random => {
      const box = boxOf(random, 5000)
      const size = { w: 300 + random.below(1200), h: 300 + random.below(800) }
      expect(encloses(viewOf(fitted(box, size), size), box)).toBe(true)
    })
  })

  it('fitting a part shows all of it, and of what is left over as much of the rest as there is room for', () => {
    seeds(200, random => {
      const box = boxOf(random, 3000)
      const rest = around([box, boxOf(random, 3000)])!
      const size = { w: 320 + random.below(1400), h: 420 + random.below(700) }
      const camera = fittedAmong(box, rest, size, 32)
      const plain = fitted(box, size, 32)
      expect(camera.zoom).toBe(plain.zoom)
      expect(encloses(viewOf(camera, size), box)).toBe(true)
      const seen = (one: Camera): number => {
        const view = viewOf(one, size)
        return Math.min(view.y + view.h, rest.y + rest.h) - Math.max(view.y, rest.y)
      }
      expect(seen(camera)).toBeGreaterThanOrEqual(seen(plain) - 1e-6)
    })
    const size = { w: 800, h: 600 }
    const cards = { x: 0, y: 0, w: 736, h: 400 }
    expect(fittedAmong(cards, { ...cards, h: 900 }, size, 32)).toEqual({ x: -32, y: -32, zoom: 1 })
    expect(fittedAmong(cards, { ...cards, y: -500, h: 900 }, size, 32)).toEqual({ x: -32, y: -168, zoom: 1 })
    expect(fittedAmong(cards, cards, size, 32)).toEqual(fitted(cards, size, 32))
  })

  it('zoom steps go up and down the same ladder', () => {
    expect(nextZoom(1, 1)).toBe(1.25)
    expect(nextZoom(1, -1)).toBe(0.8)
    expect(nextZoom(8, 1)).toBe(8)
    expect(nextZoom(0.05, -1)).toBe(0.05)
  })
})

describe('boxes', () => {
  it('a spanned box is the same from any corner', () => {
    expect(spanned({ x: 10, y: 40 }, { x: 30, y: 20 })).toEqual(spanned({ x: 30, y: 20 }, { x: 10, y: 40 }))
  })

  it('around encloses every box', () => {
    seeds(50, random => {
      const boxes = Array.from({ length: 1 + random.below(9) }, () => boxOf(random))
      const all = around(boxes)
      expect(all).not.toBeNull()
      for (const box of boxes) expect(all && encloses(all, box)).toBe(true)
    })
  })

  it('a border point lies on the border, and nothing on the border is nearer', () => {
    seeds(200, random => {
      const box = boxOf(random)
      const p = { x: random.below(1200), y: random.below(1200) }
      const at = onBorder(box, p)
      expect(onEdge(box, at)).toBe(true)
      const d = Math.hypot(at.x - p.x, at.y - p.y)
      for (let t = 0; t <= 1; t += 0.05) {
        for (const q of [
          { x: box.x + box.w * t, y: box.y },
          { x: box.x + box.w * t, y: box.y + box.h },
          { x: box.x, y: box.y + box.h * t },
          { x: box.x + box.w, y: box.y + box.h * t },
        ])
          expect(Math.hypot(q.x - p.x, q.y - p.y)).toBeGreaterThanOrEqual(d - 1e-9)
      }
    })
  })

  it('resizing keeps the opposite corner and the least size', () => {
    seeds(200, random => {
      const box = boxOf(random)
      const handle = random.pick(handles)
      const next = resized(box, handle, random.below(400) - 200, random.below(400) - 200, { w: 24, h: 24 })
      expect(next.w).toBeGreaterThanOrEqual(24)
      expect(next.h).toBeGreaterThanOrEqual(24)
      if (handle.includes('w')) expect(next.x + next.w).toBe(box.x + box.w)
      else expect(next.x).toBe(box.x)
      if (handle.includes('n')) expect(next.y + next.h).toBe(box.y + box.h)
      else expect(next.y).toBe(box.y)
    })
  })
})

describe('snapping', () => {
  it('takes a neighbour’s edge within reach and says so, else the grid', () => {
    const box = { x: 103, y: 301, w: 40, h: 40 }
    const edge = snapped(box, [{ x: 100, y: 0, w: 60, h: 20 }], 6)
    expect(box.x + edge.dx).toBe(100)
    expect(edge.guides.map(guide => [guide.axis, guide.at])).toEqual([['x', 100]])
    const free = snapped(box, [], 6)
    expect([box.x + free.dx, box.y + free.dy]).toEqual([104, 300])
    expect(free.guides).toEqual([])
  })

  it('aligns centres of different sizes', () => {
    const snap = snapped({ x: 205, y: 108, w: 40, h: 40 }, [{ x: 0, y: 92, w: 120, h: 72 }], 6)
    expect(108 + snap.dy + 20).toBe(92 + 36)
  })

  it('makes gaps equal: between two, and after or before two in a row or column, and says which', () => {
    seeds(300, random => {
      const [gap, w, h] = [20 + random.below(80), 40 + random.below(100), 30 + random.below(60)]
      // Heights differ by odd numbers, so that no edge or centre line attracts.
      const first = { x: random.below(500), y: random.below(500), w: 40 + random.below(90), h: h + 61 }
      const second = { x: first.x + first.w + gap, y: first.y + 17, w: 40 + random.below(90), h: h + 95 }
      const off = (random.below(9) - 4) / 2
      const near = (x: number, w: number) => ({ x: x + off, y: first.y + 24, w, h })
      const turned = ({ x, y, w, h }: Box): Box => ({ x: y, y: x, w: h, h: w })
      const far = { x: second.x + second.w + w + 2 * gap, y: first.y + 9, w: 50, h: h + 133 }
      for (const [box, others] of [
        [near(second.x + second.w + gap, w), [first, second]],
        [near(first.x - gap - w, w), [first, second]],
        [near(second.x + second.w + gap, w), [first, second, far]],
      ] as const) {
        const across = snapped(box, others, 6)
        const down = snapped(turned(box), others.map(turned), 6)
        expect(down.dy).toBeCloseTo(across.dx, 9)
        if (across.guides.some(guide => guide.axis === 'x')) continue
        expect(across.dx).toBeCloseTo(-off, 9)
        const found = across.gaps.filter(one => one.axis === 'x')
        expect(found.length).toBeGreaterThanOrEqual(2)
        for (const one of found) expect(one.to - one.from).toBeCloseTo(gap, 9)
        expect(down.gaps.filter(one => one.axis === 'y')).toHaveLength(found.length)
      }
    })
  })

  it('knows no gaps where boxes lie over one another, in other rows, or out of reach', () => {
    const [first, second] = [
      { x: 0, y: 0, w: 60, h: 60 },
      { x: 100, y: 3, w: 60, h: 71 },
    ]
    expect(snapped({ x: 203, y: 213, w: 40, h: 40 }, [first, second], 6).gaps).toEqual([])
    expect(snapped({ x: 150, y: 13, w: 40, h: 33 }, [first, second], 2).gaps).toEqual([])
    expect(snapped({ x: 213, y: 13, w: 40, h: 33 }, [first, second], 2).gaps).toEqual([])
    expect(snapped({ x: 7, y: 9, w: 40, h: 33 }, [], 6).gaps).toEqual([])
  })
})

describe('routing', () => {
  it('goes from border to border with right angles only, never through its own shapes', () => {
    seeds(300, random => {
      const a = boxOf(random)
      const b = boxOf(random)
      if (!apart(a, b, 1)) return
      const line = route({ box: a, point: a }, { box: b, point: b }, [], [])
      expect(line.length).toBeGreaterThanOrEqual(2)
      expect(onEdge(a, line[0] ?? b)).toBe(true)
      expect(onEdge(b, line.at(-1) ?? a)).toBe(true)
      for (const [p, q] of segments(line)) expect(p.x === q.x || p.y === q.y).toBe(true)
      if (apart(a, b, 40))
        for (const segment of segments(line)) expect(pierces(segment, grown(a, -1)) || pierces(segment, grown(b, -1))).toBe(false)
    })
  })

  it('walks around what stands between', () => {
    let walked = 0
    seeds(200, random => {
      const a = { x: 0, y: 300, w: 120, h: 72 }
      const b = { x: 900, y: 200 + random.below(300), w: 120, h: 72 }
      const walls = Array.from({ length: 1 + random.below(6) }, () => ({
        x: 220 + random.below(480),
        y: random.below(700),
        w: 60 + random.below(80),
        h: 60 + random.below(80),
      }))
      const line = route({ box: a, point: a }, { box: b, point: b }, [], walls)
      for (const segment of segments(line)) for (const wall of walls) expect(pierces(segment, wall)).toBe(false)
      if (line.length > 2) walked++
    })
    expect(walked).toBeGreaterThan(50)
  })

  it('is straight between shapes on one line', () => {
    const a = { x: 0, y: 0, w: 100, h: 60 }
    const b = { x: 200, y: 0, w: 100, h: 60 }
    expect(route({ box: a, point: a }, { box: b, point: b }, [], [])).toEqual([
      { x: 100, y: 30 },
      { x: 200, y: 30 },
    ])
  })

  it('turns half-way when the shapes are offset', () => {
    const a = { x: 0, y: 0, w: 100, h: 60 }
    const b = { x: 300, y: 20, w: 100, h: 60 }
    expect(route({ box: a, point: a }, { box: b, point: b }, [], []).map(p => p.x)).toEqual([100, 200, 200, 300])
  })

  it('leaves a side with a label alone when another will do', () => {
    const a = { x: 0, y: 0, w: 40, h: 40 }
    const b = { x: 160, y: 120, w: 120, h: 72 }
    const start = (avoid?: 'bottom') => route({ box: a, point: a, avoid }, { box: b, point: b }, [], [])[0]
    expect(start('bottom')?.y).toBeLessThan(40)
    const below = { x: -40, y: 200, w: 120, h: 72 }
    expect(route({ box: a, point: a, avoid: 'bottom' }, { box: below, point: below }, [], []).length).toBeGreaterThanOrEqual(2)
  })

  it('keeps manual bends and only adapts the outer legs', () => {
    seeds(100, random => {
      const a = { x: random.below(100), y: 300 + random.below(50), w: 120, h: 72 }
      const b = { x: 800, y: 300 + random.below(50), w: 120, h: 72 }
      const bends = [
        { x: 400, y: 100 },
        { x: 600, y: 100 },
      ]
      const line = route({ box: a, point: a }, { box: b, point: b }, bends, [])
      for (const bend of bends) expect(line).toContainEqual(bend)
      for (const [p, q] of segments(line)) expect(p.x === q.x || p.y === q.y).toBe(true)
    })
  })

  it('ends at the last known point when a shape is gone', () => {
    const b = { x: 400, y: 0, w: 100, h: 60 }
    const line = route({ box: null, point: { x: 10, y: 20 } }, { box: b, point: b }, [], [])
    expect(line[0]).toEqual({ x: 10, y: 20 })
    expect(onEdge(b, line.at(-1) ?? { x: 0, y: 0 })).toBe(true)
  })

  it('dragging a run moves it, keeps both ends and right angles', () => {
    seeds(200, random => {
      const a = boxOf(random, 300)
      const b = { ...boxOf(random, 300), x: 600 + random.below(200) }
      const line = route({ box: a, point: a }, { box: b, point: b }, [], [])
      const index = random.below(line.length - 1)
      const [p, q] = segments(line)[index] ?? []
      if (!p || !q) return
      const at = { x: random.below(900), y: random.below(900) }
      const moved = simplified([line[0] ?? p, ...bendsAfterDrag(line, index, at), line.at(-1) ?? q])
      for (const [r, s] of segments(moved)) expect(r.x === s.x || r.y === s.y).toBe(true)
      const across = p.y === q.y ? 'y' : 'x'
      expect(moved.some(r => r[across] === at[across])).toBe(true)
    })
  })
})

describe('room in view', () => {
  it('is the nearest free place, inside, or none', () => {
    seeds(60, random => {
      const view = { x: random.below(400), y: random.below(400), w: 500 + random.below(400), h: 400 + random.below(300) }
      const boxes = Array.from({ length: random.below(30) }, () => ({ ...boxOf(random, 1000), kind: undefined }))
      const box = { x: view.x + 200, y: view.y + 150, w: 40 + random.below(120), h: 30 + random.below(60) }
      // The scene gives more than what is asked for in full.
      const found = roomInView({ visible: () => ({ boxes, wires: [] }) } as unknown as Scene, view, box)
      const isFree = (spot: Box): boolean => !boxes.some(other => overlaps(grown(spot, 8), other))
      if (found === null) return
      expect([found.w, found.h]).toEqual([box.w, box.h])
      expect(isFree(found)).toBe(true)
      expect(found.x >= view.x && found.y >= view.y && found.x + box.w <= view.x + view.w && found.y + box.h <= view.y + view.h).toBe(true)
      const far = Math.hypot(found.x - box.x, found.y - box.y)
      for (const [dx, dy] of [
        [8, 0],
        [-8, 0],
        [0, 8],
        [0, -8],
      ] as const) {
        const other = { ...found, x: found.x + dx, y: found.y + dy }
        const isInside =
          other.x >= view.x + 16 &&
          other.y >= view.y + 16 &&
          other.x + box.w <= view.x + view.w - 16 &&
          other.y + box.h <= view.y + view.h - 16
        if (isInside && Math.hypot(other.x - box.x, other.y - box.y) < far) expect(isFree(other)).toBe(false)
      }
    })
    const full = { visible: () => ({ boxes: [{ x: 0, y: 0, w: 1000, h: 1000, kind: undefined }], wires: [] }) } as unknown as Scene
    expect(roomInView(full, { x: 0, y: 0, w: 600, h: 400 }, { x: 50, y: 50, w: 40, h: 40 })).toBeNull()
  })
})
