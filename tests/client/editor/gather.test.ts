// Groups, locks, tags, steps put into flows, ways in and out: what the pointer and the commands make of them.
import { describe, expect, it } from 'vitest'
import { fitted, viewOf } from '../../../client/editor/geometry/camera.ts'
import { clipText, pasteText } from '../../../client/editor/clipboard.ts'
import { run, type CommandId } from '../../../client/editor/commands.ts'
import { around, encloses, type Point } from '../../../client/editor/geometry/geometry.ts'
import { offerWithKey } from '../../../client/editor/grammar.ts'
import { handleNear, portedOf, wireEndAt } from '../../../client/editor/grips.ts'
import { Scene } from '../../../client/editor/scene.ts'
import type { Geo } from '../../../model-schema/model.ts'
import { editorOf, processFile, type Driver } from '../../help/editor.ts'
import { seeds } from '../../help/random.ts'
import { silentHost as host } from '../../../client/editor/quietHost.ts'
import { english } from '../../../model-schema/words.ts'

/** Steps `a` to `d` in a row of 200, `a` joined to `b`. */
function row(): Driver & { does(id: CommandId): boolean } {
  const driver = editorOf(
    processFile({ a: ['compute', 0, 100], b: ['compute', 200, 100], c: ['compute', 400, 100], d: ['compute', 600, 100] }, [['a', 'b']]),
  )
  driver.editor.enter('go')
  driver.editor.look({ x: 0, y: 0, zoom: 1 })
  return { ...driver, does: id => run(id, { editor: driver.editor, host }) }
}

const selected = ({ editor }: Driver): string[] => [...editor.view.getState().selection].sort()
const click = ({ editor }: Driver, x: number, keys = {}): void => void editor.down(x + 20, 150, keys).up(x + 20, 150, keys)

describe('a group', () => {
  it('is selected and moved as one, whichever member is taken', () => {
    const driver = row()
    driver.editor.select(['a', 'b'])
    expect(driver.does('group')).toBe(true)
    driver.editor.select([])
    click(driver, 200)
    expect(selected(driver)).toEqual(['a', 'b'])
    driver.editor.down(20, 150).move(20, 300).up(20, 350)
    expect(['a', 'b', 'c'].map(name => driver.named(name).geo[1])).toEqual([300, 300, 100])
    driver.editor.undo.undo()
    expect(['a', 'b'].map(name => driver.named(name).geo[1])).toEqual([100, 100])
  })

  it('is entered by a double click and left by Escape, level by level', () => {
    const driver = row()
    driver.editor.select(['a', 'b'])
    driver.does('group')
    driver.editor.select(['a', 'b', 'c'])
    driver.does('group')
    click(driver, 600)
    click(driver, 0)
    expect(selected(driver)).toEqual(['a', 'b', 'c'])
    driver.editor.doubleClick(20, 150)
    expect(selected(driver)).toEqual(['a', 'b'])
    driver.editor.doubleClick(20, 150)
    expect(selected(driver)).toEqual(['a'])
    driver.does('escape')
    expect(selected(driver)).toEqual(['a', 'b'])
    driver.does('escape')
    expect(selected(driver)).toEqual(['a', 'b', 'c'])
    driver.does('escape')
    expect(selected(driver)).toEqual([])
  })

  it('lets go of one member by Ctrl, and is left by taking something else', () => {
    const driver = row()
    driver.editor.select(['a', 'b'])
    driver.does('group')
    click(driver, 0, { ctrl: true })
    expect(selected(driver)).toEqual(['a'])
    driver.editor.doubleClick(20, 150)
    click(driver, 400)
    expect(driver.editor.view.getState().inside).toBeNull()
    click(driver, 0)
    expect(selected(driver)).toEqual(['a', 'b'])
  })

  it('is taken whole by a marquee that takes one of it, and by Shift', () => {
    const driver = row()
    driver.editor.select(['b', 'c'])
    driver.does('group')
    driver.editor.down(-40, 60).move(330, 190).up()
    expect(selected(driver)).toEqual(['a', 'b', 'c', 'f0'])
    driver.editor.select([])
    click(driver, 0)
    click(driver, 400, { shift: true })
    expect(selected(driver)).toEqual(['a', 'b', 'c'])
    click(driver, 200, { shift: true })
    expect(selected(driver)).toEqual(['a'])
  })

  it('is aligned and spaced as one block', () => {
    const driver = row()
    driver.editor.down(420, 150).move(420, 250).up(420, 250)
    driver.editor.select(['a', 'b'])
    driver.does('group')
    driver.editor.select(['a', 'b', 'c'])
    driver.does('alignTop')
    expect(['a', 'b', 'c'].map(name => driver.named(name).geo.slice(0, 2))).toEqual([
      [0, 100],
      [200, 100],
      [400, 100],
    ])
    driver.editor.select(['a', 'b', 'd'])
    driver.does('alignRight')
    expect(['a', 'b', 'd'].map(name => driver.named(name).geo[0])).toEqual([400, 600, 600])
  })

  it('stays one in copies, in this file and another', () => {
    const driver = row()
    driver.editor.select(['a', 'b'])
    driver.does('group')
    driver.does('duplicate')
    const copies = selected(driver).filter(id => driver.editor.scene.box(id))
    expect(copies).toHaveLength(2)
    const groups = copies.map(id => driver.editor.model.elements.get(id)?.groups?.join())
    expect(groups[0]).toBeTruthy()
    expect(new Set([...groups, driver.editor.model.elements.get('a')?.groups?.join()]).size).toBe(2)
    const other = editorOf(processFile({}))
    other.editor.enter('go')
    pasteText(other.editor, clipText(driver.editor.model, ['a', 'b']))
    expect(other.editor.unit(other.named('a').id)).toHaveLength(2)
  })

  it('is dissolved by a command that is offered only for groups', () => {
    const driver = row()
    driver.editor.select(['a', 'b'])
    expect(driver.does('ungroup')).toBe(false)
    driver.does('group')
    expect(driver.does('ungroup')).toBe(true)
    click(driver, 0)
    expect(selected(driver)).toEqual(['a'])
  })
})

describe('a lock', () => {
  it('keeps an element from every gesture: from it a marquee is drawn', () => {
    const driver = row()
    driver.editor.select(['a'])
    expect(driver.does('lock')).toBe(true)
    driver.editor.select([])
    driver.editor.down(20, 150).move(60, 300)
    expect(driver.editor.tool).toBe('marquee')
    driver.editor.up(700, 300)
    expect(driver.named('a').geo).toEqual([0, 100, 120, 72])
    click(driver, 0)
    expect(selected(driver)).toEqual(['a'])
    expect(portedOf(driver.editor)).toEqual([])
    expect(handleNear(driver.editor, { x: 120, y: 172 })).toBeNull()
    driver.does('nudgeRight')
    driver.does('delete')
    driver.does('rename')
    expect(driver.named('a').geo[0]).toBe(0)
    expect(driver.editor.view.getState()).toMatchObject({ renaming: null, selection: ['a'] })
    expect(english(driver.editor.view.getState().refusal?.words)).toMatch(/locked/)
    expect(driver.does('lock')).toBe(false)
    expect(driver.does('unlock')).toBe(true)
    driver.does('nudgeRight')
    expect(driver.named('a').geo[0]).toBe(4)
  })

  it('leaves an element out of marquees and of selecting all; all can be unlocked at once', () => {
    const driver = row()
    driver.editor.select(['a', 'c'])
    driver.does('lock')
    driver.does('selectAll')
    expect(selected(driver)).toEqual(['b', 'd', 'f0'])
    driver.editor.down(-40, 40).move(900, 300).up()
    expect(selected(driver)).toEqual(['b', 'd'])
    driver.editor.select([])
    expect(driver.does('unlockAll')).toBe(true)
    expect(driver.does('unlockAll')).toBe(false)
    driver.does('selectAll')
    expect(selected(driver)).toEqual(['a', 'b', 'c', 'd', 'f0'])
  })

  it('of a connector keeps its route and its ends', () => {
    const driver = row()
    driver.editor.select(['f0'])
    driver.does('lock')
    const end = driver.editor.scene.pointsOf('f0').at(-1)
    expect(wireEndAt(driver.editor, end ?? { x: 0, y: 0 })).toBeNull()
    driver.editor.down(160, 136).move(160, 300).up()
    expect(driver.editor.model.elements.get('f0')?.bends).toEqual([])
  })
})

describe('a step over a flow', () => {
  it('dropped there from the palette goes into it, on its line, in one step of undo', () => {
    const driver = editorOf(processFile({ a: ['compute', 0, 100], b: ['compute', 500, 100] }, [['a', 'b']]))
    const { editor } = driver
    editor.enter('go')
    editor.look({ x: 0, y: 0, zoom: 1 })
    const offer = offerWithKey('delay')
    if (!offer) throw new Error('no delay')
    editor.pickUp(offer)
    editor.move(300, 150)
    expect(editor.view.getState().onto).toBe('f0')
    editor.down(300, 150).up()
    expect(driver.wires().sort()).toEqual(['Delay -> b', 'a -> Delay'])
    expect(driver.named('Delay').geo[1] + 36).toBe(136)
    editor.undo.undo()
    expect(driver.wires()).toEqual(['a -> b'])
    expect(driver.kinds()).toEqual(['compute', 'compute'])
  })

  it('dragged there goes into it when it stood alone, else it is only moved', () => {
    const driver = editorOf(
      processFile({ a: ['compute', 0, 100], b: ['compute', 500, 100], c: ['compute', 200, 400], d: ['compute', 500, 400] }, [['a', 'b']]),
    )
    const { editor } = driver
    editor.enter('go')
    editor.look({ x: 0, y: 0, zoom: 1 })
    editor.down(250, 430).move(250, 300).move(260, 160)
    expect(editor.view.getState().onto).toBe('f0')
    editor.up(260, 160)
    expect(driver.wires().sort()).toEqual(['a -> c', 'c -> b'])
    editor.join('d', 'b')
    editor.down(550, 430).move(550, 300).move(180, 150)
    expect(editor.view.getState().onto).toBeNull()
    editor.up(180, 150)
    expect(driver.wires()).toHaveLength(3)
  })

  it('that a flow could not enter or leave does not go into it', () => {
    const driver = editorOf(processFile({ a: ['compute', 0, 100], b: ['compute', 500, 100] }, [['a', 'b']]))
    const { editor } = driver
    editor.enter('go')
    editor.look({ x: 0, y: 0, zoom: 1 })
    for (const key of ['start/none', 'end/none', 'variable', 'note']) {
      const offer = offerWithKey(key)
      if (!offer) continue
      editor.pickUp(offer)
      editor.move(300, 136)
      expect(editor.view.getState().onto, key).toBeNull()
      editor.cancel()
    }
  })
})

describe('what is carried', () => {
  it('is no obstacle until it is put down: then all routes are those of a new scene', () => {
    seeds(25, random => {
      const steps = Object.fromEntries(
        Array.from({ length: 14 }, (_, i) => [`n${i}`, ['compute', random.below(1200), random.below(900)] as const]),
      )
      const pairs = Array.from({ length: 12 }, () => [`n${random.below(14)}`, `n${random.below(14)}`] as const).filter(([a, b]) => a !== b)
      const { editor } = editorOf(processFile(steps, [...new Map(pairs.map(pair => [pair.join(), pair])).values()]))
      editor.enter('go')
      editor.look({ x: 0, y: 0, zoom: 1 })
      const everything = { x: -1e5, y: -1e5, w: 2e5, h: 2e5 }
      const routes = (scene: Scene): [string, readonly Point[]][] =>
        scene.visible(everything).wires.map(wire => [wire.id, scene.pointsOf(wire.id)])
      routes(editor.scene)
      const id = `n${random.below(14)}`
      const box = editor.scene.box(id)
      if (!box) return
      for (let i = 0; i < 4; i++) {
        const geo: Geo = [random.below(1200), random.below(900), box.w, box.h]
        editor.scene.preview(new Map([[id, geo]]))
        if (random.chance(0.5)) routes(editor.scene)
      }
      // Found where it is shown, not where it was.
      const shown = editor.scene.box(id)
      expect(shown && editor.scene.visible(shown).boxes.map(one => one.id)).toContain(id)
      editor.scene.preview(null)
      const fresh = new Scene('go')
      fresh.update(editor.model)
      expect(routes(editor.scene)).toEqual(routes(fresh))
    })
  })
})

describe('ways', () => {
  it('in and out say through which box, and which way', () => {
    const { editor } = row()
    expect(editor.view.getState().travel?.into).toBe(true)
    editor.leave()
    expect(editor.view.getState().travel?.into).toBe(false)
    const { camera, travel } = editor.view.getState()
    const go = editor.scene.box('go')
    expect(go && travel?.box.x).toBeCloseTo(((go?.x ?? 0) - camera.x) * camera.zoom)
  })

  it('to what another sees show all of it, whatever the windows', () => {
    seeds(60, random => {
      const view = { x: random.below(4000) - 2000, y: random.below(4000) - 2000, w: 200 + random.below(3000), h: 200 + random.below(3000) }
      const size = { w: 320 + random.below(1600), h: 240 + random.below(1000) }
      const camera = fitted(view, size, 0, Infinity)
      const mine = viewOf(camera, size)
      if (camera.zoom > 0.05 && camera.zoom < 8)
        expect(encloses({ x: mine.x - 1, y: mine.y - 1, w: mine.w + 2, h: mine.h + 2 }, view)).toBe(true)
    })
  })

  it('z-order keeps what is moved in its order', () => {
    const driver = row()
    driver.editor.select(['c', 'a'])
    driver.does('toFront')
    const order = driver.editor.model.elements.get('go')?.children.filter(id => id.length === 1)
    expect(order).toEqual(['b', 'd', 'a', 'c'])
    driver.does('toBack')
    expect(driver.editor.model.elements.get('go')?.children.filter(id => id.length === 1)).toEqual(['a', 'c', 'b', 'd'])
    expect(around(driver.editor.scene.boxes)).not.toBeNull()
  })
})
