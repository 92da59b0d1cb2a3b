// What can be read on the canvas at each distance.
import { english } from '../../model-schema/words.ts'
import { describe, expect, it } from 'vitest'
import { SvgPen } from '../../client/canvas/paint/pen.ts'
import { paintScene } from '../../client/canvas/paint/scene.ts'
import { palettes } from '../../client/ui/theme.ts'
import { setField } from '../../model-schema/edit.ts'
import { editorOf, processFile, type Driver } from '../help/editor.ts'

type Seen = { text: string; pixels: number; x: number; y: number }

type Run = { tokens?: Readonly<Record<string, number>>; live?: Readonly<Record<string, string>> }

/** The canvas from this far away, with what a run says; every letter is as wide as half its height. */
function drawing({ editor }: Driver, zoom: number, { tokens = {}, live = {} }: Run = {}): string {
  const pen = new SvgPen({ sans: 'sans', mono: 'mono' }, (text, font) => text.length * 0.5 * Number(/([\d.]+)px/.exec(font)?.[1]))
  paintScene(pen, {
    scene: editor.scene,
    camera: { x: -500, y: -500, zoom },
    size: { w: 1200, h: 900 },
    selection: new Set(),
    hover: null,
    bending: null,
    carried: null,
    badges: { problems: new Map(), tokens, breakpoints: new Map(), here: null },
    base: {
      look: { ...palettes.light, dark: false },
      model: editor.model,
      words: english,
      renaming: null,
      picture: () => null,
      level: () => null,
      live: id => live[id] ?? null,
    },
    routing: 100,
  })
  return pen.document({ x: 0, y: 0, w: 1, h: 1 }, '#fff')
}

/** Its texts, with their size on the screen. */
function seen(driver: Driver, zoom: number, run: Run = {}): Seen[] {
  const texts = drawing(driver, zoom, run).matchAll(/<text x="([-\d.]+)" y="([-\d.]+)"[^>]*font-size="([\d.]+)"[^>]*>([^<]*)</g)
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

describe('what a run says on the canvas', () => {
  it('a few tokens at a step are discs, many a number', () => {
    const driver = shop()
    const [pack, ready] = [driver.named('Pack').id, driver.named('Ready').id]
    const discs = (tokens: Readonly<Record<string, number>>): number =>
      (drawing(driver, 1, { tokens }).match(/<circle/g) ?? []).length - (drawing(driver, 1).match(/<circle/g) ?? []).length
    expect(discs({ [pack]: 5, [ready]: 2 })).toBe(7)
    expect(discs({ [pack]: 40, [ready]: 9 })).toBe(0)
    expect(seen(driver, 1, { tokens: { [pack]: 40, [ready]: 9 } }).map(({ text }) => text)).toEqual(expect.arrayContaining(['40', '9']))
  })

  it('a value is shown whole: under the name where there is room for two lines, else the name is cut for it', () => {
    const part = { parent: 's1', rank: 'a1' }
    const driver = editorOf({
      format: 'holo',
      version: 1,
      elements: {
        s1: { kind: 'scenario', name: 'Scenario', rank: 'a0' },
        low: { ...part, kind: 'variable', geo: [0, 0, 120, 32], name: 'mean_time_in_system', initial: '0' },
        high: { ...part, rank: 'a2', kind: 'statistic', geo: [0, 100, 120, 40], name: 'mean_waiting_time', expression: '0' },
      },
    })
    const texts = seen(driver, 1, { live: { low: '123,456', high: '98,765' } })
    const at = (text: string): Seen | undefined => texts.find(one => one.text === text)
    expect(at('98,765')?.y).toBeGreaterThan(120)
    expect(texts.filter(({ y }) => y === 16).map(({ text }) => text)).toEqual([expect.stringMatching(/^me.*…$/), '123,456'])
  })
})
