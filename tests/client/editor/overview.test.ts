// The overview updates changes in place: the sheet is then as if all had been drawn again.
import { afterEach, describe, expect, it, vi } from 'vitest'
import { Overview } from '../../../client/canvas/overview.ts'
import { editorOf, processFile } from '../../help/editor.ts'
import { seeds } from '../../help/random.ts'

/** A raster without smoothing: a pixel is covered when its middle is. */
class Raster {
  fillStyle = ''
  strokeStyle = ''
  lineWidth = 1
  pixels = new Uint8Array(0)
  fills = 0
  #w = 0
  #h = 0
  #scale = 1
  #path: [number, number, number, number] | null = null
  #clip: [number, number, number, number] | null = null
  size(w: number, h: number): void {
    this.#w = w
    this.#h = h
    this.pixels = new Uint8Array(w * h)
  }
  setTransform(scale: number): void {
    this.#scale = scale
  }
  save(): void {}
  restore(): void {
    this.#clip = null
  }
  beginPath(): void {}
  rect(...path: [number, number, number, number]): void {
    this.#path = path
  }
  clip(): void {
    this.#clip = this.#path
  }
  fillRect(x: number, y: number, w: number, h: number): void {
    this.fills++
    this.#cover(x, y, w, h, 1)
  }
  clearRect(x: number, y: number, w: number, h: number): void {
    this.#cover(x, y, w, h, 0)
  }
  strokeRect(): void {}
  drawImage(): void {}
  #cover(x: number, y: number, w: number, h: number, to: number): void {
    const s = this.#scale
    for (let j = 0; j < this.#h; j++)
      for (let i = 0; i < this.#w; i++) {
        const [px, py] = [i + 0.5, j + 0.5]
        if (px < x * s || px >= (x + w) * s || py < y * s || py >= (y + h) * s) continue
        const c = this.#clip
        if (c && (px < c[0] || px >= c[0] + c[2] || py < c[1] || py >= c[1] + c[3])) continue
        this.pixels[j * this.#w + i] = to
      }
  }
}

/** Canvases made while it lasts draw on rasters; the rasters, in the order they were made. */
function rasters(): Raster[] {
  const made: Raster[] = []
  // Nothing is put off: every look at the clock is a while later.
  let now = 0
  vi.spyOn(performance, 'now').mockImplementation(() => (now += 1000))
  vi.stubGlobal('devicePixelRatio', 1)
  vi.stubGlobal('document', {
    createElement: () => {
      const raster = new Raster()
      made.push(raster)
      let width = 0
      return {
        getContext: () => raster,
        set width(w: number) {
          width = w
        },
        set height(h: number) {
          raster.size(width, h)
        },
      }
    },
  })
  return made
}

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const colors = { lineStrong: '#888', accent: '#00f' }

describe('the overview', () => {
  it('mends what moved and went', () =>
    seeds(5, random => {
      const places: Record<string, [string, number, number]> = {}
      for (let i = 0; i < 60; i++) places[`n${i}`] = ['compute', (i % 10) * 200, Math.floor(i / 10) * 140]
      const { editor } = editorOf(processFile(places, []))
      editor.resize({ w: 1000, h: 700 })
      editor.enter('go')
      editor.fit()
      const made = rasters()
      const kept = new Overview(editor)
      const over = new Raster()
      over.size(168, 112)
      const draw = (overview: Overview): boolean => Reflect.apply(overview.draw, overview, [over, colors])
      draw(kept)
      const first = made[0]?.fills ?? 0
      for (let i = 0; i < 20; i++) {
        const id = `n${11 + random.below(8)}`
        if (!editor.scene.box(id)) continue
        editor.select([id])
        if (random.chance(0.2)) editor.removeSelected()
        else {
          const box = editor.scene.box(id)
          if (box) editor.scene.preview(new Map([[id, [box.x + 37 * random.next(), box.y + 53 * random.next(), box.w, box.h]]]))
        }
        draw(kept)
      }
      draw(new Overview(editor))
      expect(made).toHaveLength(2)
      expect(made[0]?.pixels.some(pixel => pixel === 1)).toBe(true)
      expect(made[0]?.pixels).toEqual(made[1]?.pixels)
      // Twenty drawings of everything would be more.
      expect(made[0]?.fills).toBeLessThan(first * 10)
    }))
})
