// What can be read on the canvas at each distance.
import { english } from '../../model-schema/words.ts'
import { describe, expect, it } from 'vitest'
import { SvgPen } from '../../client/canvas/paint/pen.ts'
import { paintScene } from '../../client/canvas/paint/scene.ts'
import { palettes } from '../../client/ui/theme.ts'
import { setField } from '../../model-schema/edit.ts'
import { editorOf, processFile, type Driver } from '../help/editor.ts'

type Seen = { text: string; pixels: number; x: number; y: number }

/** The texts on the canvas from this far away, with their size on the screen; every letter is as wide as half its height. */
function seen({ editor }: Driver, zoom: number): Seen[] {
  const pen = new SvgPen({ sans: 'sans', mono: 'mono' }, (text, font) => text.length * 0.5 * Number(/([\d.]+)px/.exec(font)?.[1]))
  paintScene(pen, {
    scene: editor.scene,
    camera: { x: -500, y: -500, zoom },
    size: { w: 1200, h: 900 },
    selection: new Set(),
    hover: null,
    bending: null,
    carried: null,
    badges: { problems: new Map(), tokens: {}, breakpoints: new Map(), here: null },
    base: {
      look: { ...palettes.light, dark: false },
      model: editor.model,
      words: english,
      renaming: null,
      picture: () => null,
      level: () => null,
    },
    routing: 100,
  })
  const texts = pen
    .document({ x: 0, y: 0, w: 1, h: 1 }, '#fff')
    .matchAll(/<text x="([-\d.]+)" y="([-\d.]+)"[^>]*font-size="([\d.]+)"[^>]*>([^<]*)</g)
  return [...texts].map(([, x, y, size, text]) => ({ text: String(text), pixels: Number(size) * zoom, x: Number(x), y: Number(y) }))
}

const shop = (): Driver => {
  const driver = editorOf(
    processFile({ Pack: ['compute', 0, 0], ship: ['compute', 0, 200], Ready: ['gateway', 300, 0], wait: ['delay', 300, 200] }),
  )
  setField(driver.doc, 'ship', 'name', 'Ship it')
  setField(driver.doc, 'wait', 'name', 'Wait for the customer')
  driver.editor.goTo(driver.named('Go').id)
  return driver
}

describe('names on the canvas', () => {
  it('stand in letters of eleven pixels where the rest of the text would be too small', () => {
    const texts = seen(shop(), 0.38)
    expect(texts.map(({ text }) => text)).toEqual(expect.arrayContaining(['Pack', 'Ship it', 'Ready']))
    for (const { pixels } of texts) expect(pixels).toBeCloseTo(11, 5)
  })

  it('go on to another line, or are cut, and stay within their shape', () => {
    const driver = shop()
    const { geo } = driver.named('Wait for the customer')
    const texts = seen(driver, 0.38)
      .filter(({ x }) => x > 250 && x < geo[0] + geo[2])
      .filter(({ y }) => y > 150)
    expect(texts.map(({ text }) => text)).toEqual(['Wait', 'for th…'])
    for (const { text, y, pixels } of texts) {
      expect((text.length * 0.5 * pixels) / 0.38).toBeLessThanOrEqual(geo[2])
      expect(Math.abs(y - (geo[1] + geo[3] / 2))).toBeLessThan(geo[3] / 2)
    }
  })

  it('are as large as everything else from near by', () => {
    const texts = seen(shop(), 1)
    expect(texts.find(({ text }) => text === 'Pack')?.pixels).toBe(13)
  })
})
