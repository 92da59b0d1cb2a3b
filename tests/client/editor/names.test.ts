// What can be read on the canvas at each distance.
import { english } from '../../../model-schema/words.ts'
import { describe, expect, it } from 'vitest'
import { SvgPen } from '../../../client/canvas/paint/pen.ts'
import { paintCardMarks, paintScene, type Badges, type ScenePainting } from '../../../client/canvas/paint/scene.ts'
import type { Camera } from '../../../client/editor/geometry/camera.ts'
import { palettes } from '../../../client/ui/theme.ts'
import { liveValues } from '../../../client/editor/chrome/live.ts'
import { mostEnlarged } from '../../../client/canvas/Cards.tsx'
import { setField } from '../../../model-schema/edit.ts'
import { editorOf, processFile, type Driver } from '../../help/editor.ts'
import { frameAt } from '../../help/engine.ts'

type Seen = { text: string; pixels: number; x: number; y: number }

type Run = { tokens?: Readonly<Record<string, number>>; live?: Readonly<Record<string, string>> }

/** The canvas from this far away, with what a run says; every letter is as wide as half its height. */
function drawing({ editor }: Driver, zoom: number, { tokens = {}, live = {} }: Run = {}): string {
  const pen = new SvgPen({ sans: 'sans', mono: 'mono' }, (text, font) => text.length * 0.5 * Number(/([\d.]+)px/.exec(font)?.[1]))
  paintScene(pen, paintingOf(editor, { x: -500, y: -500, zoom }, { tokens }, live))
  return pen.document({ x: 0, y: 0, w: 1, h: 1 }, '#fff')
}

function paintingOf(
  editor: Driver['editor'],
  camera: Camera,
  badges: Partial<Badges>,
  live: Readonly<Record<string, string>> = {},
): ScenePainting {
  return {
    scene: editor.scene,
    camera,
    size: { w: 1200, h: 900 },
    selection: new Set(),
    hover: null,
    bending: null,
    carried: null,
    badges: { problems: new Map(), tokens: {}, breakpoints: new Map(), here: null, ...badges },
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
  }
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

  it('a name and its value take the room of the icon from further away', () => {
    const driver = editorOf({
      format: 'holo',
      version: 1,
      elements: {
        s1: { kind: 'scenario', name: 'Scenario', rank: 'a0' },
        ill: { parent: 's1', rank: 'a1', kind: 'statistic', geo: [0, 0, 120, 24], name: 'grown', expression: '0' },
      },
    })
    expect(seen(driver, 0.7, { live: { ill: '1,361' } }).map(({ text }) => text)).toEqual(['grown', '1,361'])
  })

  it('a value that a person sets is shown before the run that will use it, and in a run from then on', () => {
    const frame = frameAt(1, 4, { values: { rate: 3, sick: true } })
    const shown = { frame, status: 'ended' as const, pending: {}, inputs: { rate: 5 } }
    expect(liveValues({ ...shown, frame: null, status: 'ready' })('rate')).toBe('5')
    expect(liveValues({ ...shown, frame: null, status: 'ready' })('sick')).toBeNull()
    expect(liveValues(shown)('rate')).toBe('3')
    expect(liveValues(shown)('sick')).toBe('true')
    expect(liveValues({ ...shown, pending: { rate: { value: 7, tick: 4 } } })('rate')).toBe('7')
  })
})

describe('live cards', () => {
  const driver = editorOf({
    format: 'holo',
    version: 1,
    elements: {
      s1: { kind: 'scenario', name: 'Scenario', rank: 'a0' },
      chart: { parent: 's1', rank: 'a1', kind: 'chart', geo: [0, 0, 360, 220], name: 'Waiting' },
      slider: { parent: 's1', rank: 'a2', kind: 'controller', geo: [3000, 0, 200, 56], name: 'Rate' },
    },
  })
  const marks = (ids: readonly string[], zoom = 1): string => {
    const pen = new SvgPen({ sans: 'sans', mono: 'mono' }, text => text.length)
    const { editor } = driver
    const problems = new Map(ids.map(id => [id, 'todo' as const]))
    paintCardMarks(pen, { ...palettes.light, dark: false }, editor.scene, { x: -100, y: -100, zoom }, { w: 1200, h: 900 }, problems)
    return pen.document({ x: 0, y: 0, w: 1, h: 1 }, '#fff')
  }

  it('have the ring of what is left to do on the sheet above them, not below', () => {
    expect(marks(['chart'])).toContain('<circle cx="344" cy="0" r="5.5"')
    expect(marks(['slider'])).not.toContain('<circle')
    expect(marks(['chart'], 0.2)).not.toContain('<circle')
    const { editor } = driver
    const pen = new SvgPen({ sans: 'sans', mono: 'mono' }, text => text.length)
    const camera = { x: -100, y: -100, zoom: 1 }
    paintScene(pen, paintingOf(editor, camera, { problems: new Map([['chart', 'todo' as const]]) }))
    expect(pen.document({ x: 0, y: 0, w: 1, h: 1 }, '#fff')).not.toContain('r="5.5"')
  })

  it('are enlarged from far away as long as their content has room', () => {
    expect(mostEnlarged({ w: 360, h: 220 })).toBe(3)
    expect(mostEnlarged({ w: 200, h: 56 })).toBe(1.6)
    expect(mostEnlarged({ w: 60, h: 20 })).toBe(1)
  })

  it('come first when a model is opened in a window in which all of it would be too small', () => {
    const opened = (h: number): number => {
      const { editor } = editorOf({
        format: 'holo',
        version: 1,
        elements: {
          s1: { kind: 'scenario', name: 'Scenario', rank: 'a0' },
          chart: { parent: 's1', rank: 'a1', kind: 'chart', geo: [0, 0, 800, 400], name: 'Waiting' },
          note: { parent: 's1', rank: 'a2', kind: 'note', geo: [0, 440, 800, 600], text: 'How it works' },
        },
      })
      editor.view.setState({ size: { w: 0, h: 0 } })
      editor.resize({ w: 1000, h })
      return editor.view.getState().camera.zoom
    }
    expect(opened(900)).toBeCloseTo((900 - 64) / 1056)
    expect(opened(600)).toBeGreaterThan(1)
  })
})
