import { chinese } from '../../help/languages.ts'
import { describe, expect, it } from 'vitest'
import { clipText, pasteText } from '../../../client/editor/clipboard.ts'
import { commandFor, commands, run, type Host } from '../../../client/editor/commands.ts'
import { keyText } from '../../../client/editor/strokes.ts'
import { offersOn, offerWithKey } from '../../../client/editor/grammar.ts'
import { portsOf } from '../../../client/editor/grips.ts'
import { Scene } from '../../../client/editor/scene.ts'
import { boxOfPoints, grown, overlaps } from '../../../client/editor/geometry/geometry.ts'
import { bindEdits } from '../../../model-schema/edit.ts'
import { modelOfFile } from '../../../model-schema/file.ts'
import { kinds } from '../../../model-schema/kinds.ts'
import { editorOf, processFile } from '../../help/editor.ts'
import { seeds } from '../../help/random.ts'
import { english } from '../../../model-schema/words.ts'

const chain = () => {
  const driver = editorOf(
    processFile({ begin: ['start', 40, 116], work: ['compute', 160, 100], check: ['gateway', 360, 112], stop: ['end', 500, 116] }, [
      ['begin', 'work'],
      ['work', 'check'],
      ['check', 'stop'],
    ]),
  )
  driver.editor.enter('go')
  driver.editor.look({ x: 0, y: 0, zoom: 1 })
  return driver
}

const clipboard = () => {
  let held = ''
  const host: Host = {
    write: text => {
      held = text
      return Promise.resolve()
    },
    read: () => Promise.resolve(held),
    exportPicture() {},
    setCover: null,
    download() {},
    fullScreen() {},
    find() {},
    shortcuts() {},
    toggle() {},
  }
  return { host, text: () => held }
}

describe('tools', () => {
  it('a click selects, a click on nothing lets go', () => {
    const { editor } = chain()
    editor.move(200, 130).down(200, 130)
    expect(editor.tool).toBe('pressing')
    editor.up()
    expect(editor.tool).toBe('idle')
    expect(editor.view.getState().selection).toEqual(['work'])
    editor.down(700, 500).up()
    expect(editor.view.getState().selection).toEqual([])
  })

  it('a drag moves by what the pointer moved, onto the grid, as one undo step', () => {
    const { editor, named } = chain()
    editor.down(200, 130).move(230, 330)
    expect(editor.tool).toBe('dragging')
    expect(named('work').geo).toEqual([160, 100, 120, 72])
    editor.up(261, 331)
    expect(named('work').geo).toEqual([220, 300, 120, 72])
    editor.undo.undo()
    expect(named('work').geo).toEqual([160, 100, 120, 72])
  })

  it('a press that hardly moves is a click', () => {
    const { editor, named } = chain()
    editor.down(200, 130).move(202, 131).up()
    expect(named('work').geo).toEqual([160, 100, 120, 72])
  })

  it('Escape takes a drag back', () => {
    const { editor, named } = chain()
    editor.down(200, 130).move(400, 400).cancel().up(400, 400)
    expect(named('work').geo).toEqual([160, 100, 120, 72])
    expect(editor.scene.box('work')?.x).toBe(160)
  })

  it('Alt leaves the original and moves a copy', () => {
    const { editor, kinds: on } = chain()
    editor.down(200, 130).move(200, 300, { alt: true }).up(200, 330, { alt: true })
    expect(editor.model.elements.get('work')?.geo[1]).toBe(100)
    expect(on().filter(kind => kind === 'compute')).toHaveLength(2)
  })

  it('a marquee takes what it encloses, with the connectors between', () => {
    const { editor } = chain()
    editor.down(20, 20)
    expect(editor.tool).toBe('marquee')
    editor.move(300, 300).up()
    expect(editor.view.getState().selection).toEqual(['begin', 'work', 'f0'])
  })

  it('Shift adds to the selection and takes away', () => {
    const { editor } = chain()
    editor.down(200, 130).up().down(380, 136, { shift: true }).up()
    expect(editor.view.getState().selection).toEqual(['work', 'check'])
    editor.down(200, 130, { shift: true }).up()
    expect(editor.view.getState().selection).toEqual(['check'])
  })

  it('dragging from a port draws a flow to a lawful target', () => {
    const { editor, wires } = editorOfTwo()
    editor.move(200, 136)
    const port = portsOf(editor, 'a').find(({ side }) => side === 'right')
    if (!port) throw new Error('the hovered step shows no port')
    editor.move(port.at.x, port.at.y).down(port.at.x, port.at.y)
    expect(editor.tool).toBe('connecting')
    editor.move(540, 136)
    expect(editor.view.getState().wire).toMatchObject({ target: 'b', lawful: true })
    editor.up()
    expect(wires()).toEqual(['a -> b'])
  })

  it('an unlawful target is not met, and a second flow the same way is refused', () => {
    const { editor, wires } = chain()
    expect(editor.join('work', 'check')).toBeNull()
    expect(editor.view.getState().refusal).not.toBeNull()
    expect(editor.join('stop', 'work')).toBeNull()
    expect(wires()).toHaveLength(3)
  })

  it('dropped on empty canvas, a connector asks what comes next and joins it in one step of undo', () => {
    const { editor, wires } = editorOfTwo()
    editor.move(200, 136)
    const port = portsOf(editor, 'a').find(({ side }) => side === 'bottom')
    if (!port) throw new Error('no port')
    editor.down(port.at.x, port.at.y).move(220, 400).up()
    expect(editor.view.getState().quickAdd).toMatchObject({ from: 'a', at: { x: 220, y: 400 } })
    const offer = offerWithKey('delay')
    if (!offer) throw new Error('no delay')
    editor.putNext(offer, 'a', { x: 220, y: 400 })
    expect(wires()).toEqual(['a -> Delay'])
    editor.undo.undo()
    expect(wires()).toEqual([])
    expect(editor.model.elements.size).toBe(4)
  })

  it('a boundary event sticks to the border of the activity and goes along with it', () => {
    const driver = editorOf(processFile({ work: ['compute', 160, 100], late: ['boundary', 400, 400] }))
    const { editor, named } = driver
    editor.enter('go')
    editor.look({ x: 0, y: 0, zoom: 1 })
    editor.down(416, 416).move(300, 300).up(230, 168)
    expect(named('late').fields['host']).toBe('work')
    expect(named('late').geo[1] + 16).toBe(172)
    const before = named('late').geo
    editor.down(200, 130).move(200, 230).up(200, 230)
    expect(named('late').geo[1]).toBe(before[1] + named('work').geo[1] - 100)
  })

  it('a frame takes along what lies in it', () => {
    const { editor, named } = editorOf(processFile({ area: ['frame', 100, 100], work: ['compute', 160, 180], out: ['compute', 700, 180] }))
    editor.enter('go')
    editor.look({ x: 0, y: 0, zoom: 1 })
    editor.down(120, 110).move(160, 150).up(160, 150, { ctrl: true })
    expect(named('work').geo.slice(0, 2)).toEqual([200, 220])
    expect(named('out').geo.slice(0, 2)).toEqual([700, 180])
  })

  it('a corner resizes, down to the least size', () => {
    const { editor, named } = chain()
    editor.down(200, 130).up()
    editor.down(280, 172).move(320, 212)
    expect(editor.tool).toBe('resizing')
    editor.up(320, 212)
    expect(named('work').geo).toEqual([160, 100, 160, 112])
    editor.down(320, 212).up(0, 0)
    expect(named('work').geo[2]).toBeGreaterThanOrEqual(72)
  })

  it('dragging a run of a selected connector makes bends; rerouting forgets them', () => {
    const { editor, named } = chain()
    editor.down(325, 136).up()
    expect(editor.view.getState().selection).toEqual(['f1'])
    editor.down(325, 136).move(325, 240).up()
    expect(editor.model.elements.get('f1')?.bends.length).toBeGreaterThan(0)
    editor.down(200, 130).move(200, 150).up(200, 150)
    expect(named('work').geo[1]).not.toBe(100)
    editor.select(['f1'])
    expect(run('straighten', { editor, host: clipboard().host })).toBe(true)
    expect(editor.model.elements.get('f1')?.bends).toEqual([])
  })

  it('an end of a connector can be carried to another step', () => {
    const { editor, wires } = chain()
    editor.select(['f1'])
    const end = editor.scene.pointsOf('f1').at(-1)
    if (!end) throw new Error('the flow has no points')
    editor.down(end.x, end.y).move(520, 136).up(520, 136)
    expect(wires()).toContain('work -> stop')
  })

  it('placing hangs on the pointer, snaps, and puts down where it shows', () => {
    const { editor, kinds: on } = chain()
    const offer = offerWithKey('delay')
    if (!offer) throw new Error('no delay')
    editor.pickUp(offer)
    editor.move(300, 400)
    const ghost = editor.view.getState().ghost
    expect(ghost?.geo.slice(2)).toEqual([120, 72])
    editor.down(300, 400).up()
    expect(on()).toContain('delay')
    expect(editor.tool).toBe('idle')
    const made = editor.view.getState().selection[0] ?? ''
    expect(editor.model.elements.get(made)?.geo).toEqual(ghost?.geo)
  })

  it('a read-only editor selects and pans but changes nothing', () => {
    const { editor, named } = editorOf(processFile({ work: ['compute', 160, 100] }), { writable: false })
    editor.enter('go')
    editor.look({ x: 0, y: 0, zoom: 1 })
    editor.down(200, 130).move(300, 300)
    expect(editor.tool).toBe('panning')
    editor.up()
    expect(named('work').geo).toEqual([160, 100, 120, 72])
    expect(run('delete', { editor, host: clipboard().host })).toBe(false)
  })

  it('entering, leaving and a canvas deleted by somebody else', () => {
    const { editor, doc } = chain()
    editor.leave()
    expect(editor.view.getState()).toMatchObject({ canvas: 's1', selection: ['go'] })
    editor.enter('go')
    doc.getMap('kind').delete('go')
    expect(editor.view.getState().canvas).toBe('s1')
  })
})

describe('commands', () => {
  it('every command has words in both languages, and no key means two things', () => {
    const seen = new Set<string>()
    for (const { words, keys } of commands) {
      expect(english(words) && chinese(words)).toBeTruthy()
      for (const key of keys) {
        expect(seen.has(key.toLowerCase())).toBe(false)
        seen.add(key.toLowerCase())
      }
    }
  })

  it('finds the command of a key stroke', () => {
    const stroke = (key: string, more: Partial<Parameters<typeof commandFor>[0]> = {}) =>
      commandFor({ key, ctrlKey: false, metaKey: false, shiftKey: false, altKey: false, ...more })
    expect(stroke('z', { ctrlKey: true })).toBe('undo')
    expect(stroke('Z', { metaKey: true, shiftKey: true })).toBe('redo')
    expect(stroke('?', { shiftKey: true })).toBe('shortcuts')
    expect(stroke('+', { shiftKey: true })).toBe('zoomIn')
    expect(stroke('ArrowLeft', { shiftKey: true })).toBe('leapLeft')
    expect(stroke('ArrowLeft')).toBe('nudgeLeft')
    expect(stroke('q')).toBeNull()
    expect(keyText('Mod+Shift+Z', false)).toBe('Ctrl+Shift+Z')
    expect(keyText('Mod+Shift+Z', true)).toBe('⌘⇧Z')
  })

  it('copies as text and pastes into another file with its connectors; other text is refused', () => {
    const { editor } = chain()
    const { host, text } = clipboard()
    run('selectAll', { editor, host })
    run('copy', { editor, host })
    const other = editorOf(processFile({}))
    other.editor.enter('go')
    pasteText(other.editor, text())
    expect(other.kinds()).toEqual(['start', 'compute', 'gateway', 'end'])
    expect(other.wires()).toEqual(['begin -> work', 'work -> check', 'check -> stop'])
    const before = other.editor.model
    pasteText(other.editor, 'just a sentence')
    pasteText(other.editor, '{"format":"holo-clip","version":1,"roots":[1],"elements":{"a":{"kind":7}}}')
    expect(other.editor.model).toBe(before)
    expect(other.editor.view.getState().refusal).not.toBeNull()
    expect(clipText(editor.model, ['work'])).not.toContain('begin')
  })

  it('what is pasted is seen, and the view moves no further than that takes', () => {
    const pasteAt = (x: number, y: number, size = { w: 1000, h: 800 }) => {
      const driver = editorOf(processFile({ work: ['compute', 40, 40], wide: ['compute', 600, 300] }))
      const { editor } = driver
      editor.enter('go')
      editor.view.setState({ size })
      editor.look({ x: 0, y: 0, zoom: 1 })
      editor.move(x, y)
      pasteText(editor, clipText(editor.model, ['work']))
      const { camera, selection } = editor.view.getState()
      const made = editor.scene.box(selection[0] ?? '')
      if (!made) throw new Error('nothing was pasted')
      return { camera, made, home: editor.scene.box('work') ?? made }
    }
    // In view: the view stays.
    expect(pasteAt(300, 500).camera).toEqual({ x: 0, y: 0, zoom: 1 })
    // Over another element at the border there is no room to the right, but left of it.
    const beside = pasteAt(660, 330, { w: 730, h: 800 })
    expect(beside.camera).toEqual({ x: 0, y: 0, zoom: 1 })
    expect(beside.made.x + beside.made.w).toBeLessThanOrEqual(730)
    expect(pasteAt(990, 500).camera).toEqual({ x: 0, y: 0, zoom: 1 })
    // No room in view: the nearest place outside it, and only the way that is missing, so that the rest stays in view.
    const { camera, made, home } = pasteAt(100, 72, { w: 200, h: 150 })
    expect(camera).toEqual({ x: 0, y: made.y - 24, zoom: 1 })
    expect(camera.y + 150).toBeGreaterThan(home.y)
  })

  it('aligns and distributes', () => {
    const { editor, named } = editorOf(processFile({ a: ['compute', 0, 0], b: ['compute', 200, 40], c: ['compute', 600, 90] }))
    editor.enter('go')
    const { host } = clipboard()
    editor.select(['a', 'b', 'c'])
    run('alignTop', { editor, host })
    run('distributeAcross', { editor, host })
    expect(['a', 'b', 'c'].map(name => named(name).geo.slice(0, 2))).toEqual([
      [0, 0],
      [300, 0],
      [600, 0],
    ])
  })

  it('deleting a step takes its flows along and can be undone', () => {
    const { editor, wires } = chain()
    editor.select(['work'])
    run('delete', { editor, host: clipboard().host })
    expect(wires()).toEqual(['check -> stop'])
    run('undo', { editor, host: clipboard().host })
    expect(wires()).toHaveLength(3)
  })

  it('Tab walks all elements in reading order and then lets the focus go', () => {
    const { editor } = chain()
    const { host } = clipboard()
    const walked: string[] = []
    while (run('next', { editor, host })) walked.push(editor.view.getState().selection[0] ?? '')
    expect(walked).toEqual(['begin', 'work', 'check', 'stop'])
  })

  it('one default branch a step: making another one the default takes it from the first', () => {
    const { editor } = editorOf(
      processFile({ g: ['gateway', 0, 0], a: ['compute', 200, 0], b: ['compute', 200, 200] }, [
        ['g', 'a'],
        ['g', 'b'],
      ]),
    )
    editor.enter('go')
    const { host } = clipboard()
    for (const id of ['f0', 'f1']) {
      editor.select([id])
      run('makeDefault', { editor, host })
    }
    expect(['f0', 'f1'].map(id => editor.model.elements.get(id)?.fields['default'])).toEqual([false, true])
  })
})

describe('palette', () => {
  it('offers every placeable kind on each canvas, and every offer can be put down there', () => {
    for (const canvas of ['root', 'entity', 'process'] as const) {
      const offered = new Set(offersOn(canvas).map(offer => offer.kind.id))
      const placeable = kinds.filter(kind => kind.on.includes(canvas) && kind.shape !== 'connector')
      expect([...offered].sort()).toEqual(placeable.map(kind => kind.id).sort())
    }
    const { editor } = editorOf(processFile({}))
    const { canvasKind } = editor
    for (const offer of offersOn(canvasKind)) expect(editor.putSomewhere(offer)).not.toBeNull()
    const boxes = [...editor.scene.boxes].filter(box => box.kind?.shape !== 'frame' && box.id !== 'go')
    for (const [i, a] of boxes.entries()) for (const b of boxes.slice(i + 1)) expect(overlaps(grown(a, -1), grown(b, -1))).toBe(false)
  })
})

describe('scene', () => {
  it('shows what overlaps the view, and after any edits the same as a new scene', () => {
    seeds(20, random => {
      const steps = Object.fromEntries(
        Array.from({ length: 60 }, (_, i) => [`n${i}`, ['compute', random.below(4000), random.below(4000)] as const]),
      )
      const flows = Array.from({ length: 40 }, () => [`n${random.below(60)}`, `n${random.below(60)}`] as const).filter(([a, b]) => a !== b)
      const { editor } = editorOf(processFile(steps, [...new Map(flows.map(flow => [flow.join(), flow])).values()]))
      editor.enter('go')
      for (let edit = 0; edit < 15; edit++) {
        const id = `n${random.below(60)}`
        editor.select([id])
        const { host } = clipboard()
        run(random.pick(['nudgeLeft', 'leapDown', 'delete', 'duplicate', 'undo', 'leapRight'] as const), { editor, host })
      }
      const fresh = new Scene('go')
      fresh.update(editor.model)
      const view = { x: random.below(3000), y: random.below(3000), w: 1000, h: 800 }
      const ids = (scene: Scene) => scene.visible(view).boxes.map(box => box.id)
      expect(ids(editor.scene)).toEqual(ids(fresh))
      expect(new Set(ids(fresh))).toEqual(new Set([...fresh.boxes].filter(box => overlaps(view, box)).map(box => box.id)))
      for (const wire of fresh.visible({ x: -1e5, y: -1e5, w: 2e5, h: 2e5 }).wires)
        expect(editor.scene.pointsOf(wire.id)).toEqual(fresh.pointsOf(wire.id))
    })
  })

  it('finds the few that are visible among ten thousand elements', () => {
    const steps = Object.fromEntries(
      Array.from({ length: 10_000 }, (_, i) => [`n${i}`, ['compute', (i % 100) * 200, Math.floor(i / 100) * 140] as const]),
    )
    const scene = new Scene('go')
    scene.update(modelOfFile(processFile(steps)))
    let seen = 0
    for (let i = 0; i < 200; i++) seen += scene.visible({ x: i * 80, y: i * 50, w: 1400, h: 900 }).boxes.length
    expect(seen / 200).toBeGreaterThan(30)
    expect(seen / 200).toBeLessThan(120)
  })

  it('a route stays near its shapes, so that its index entry holds it', () => {
    const { editor } = chain()
    const { wires } = editor.scene.visible({ x: 0, y: 0, w: 1000, h: 800 })
    for (const wire of wires) {
      const box = boxOfPoints(editor.scene.pointsOf(wire.id))
      expect(box && overlaps({ x: 0, y: 0, w: 1000, h: 800 }, box)).toBe(true)
    }
  })
})

function editorOfTwo() {
  const driver = editorOf(processFile({ a: ['compute', 160, 100], b: ['compute', 480, 100] }))
  driver.editor.enter('go')
  driver.editor.look({ x: 0, y: 0, zoom: 1 })
  return driver
}

describe('a plan without room', () => {
  const at = (spare: number) => {
    const driver = chain()
    const components = driver.editor.model.elements.size - driver.editor.model.roots.length + spare
    bindEdits(driver.doc, { scenariosPerFile: 1, componentsPerScenario: null, components })
    return { ...driver, limit: { quantity: 'components', allowed: components } }
  }

  it('refuses what is put down, pasted, copied and inserted, with the limit; nothing is left half done', () => {
    const { editor, doc, kinds, wires, named, limit } = at(1)
    const before = [kinds(), wires()]
    const compute = offersOn(editor.canvasKind).find(offer => offer.kind.id === 'compute')
    const [flow] = editor.model.elements.get('go')?.children.filter(id => editor.model.elements.get(id)?.ends) ?? []
    if (!compute || flow === undefined) throw new Error('the chain has steps and flows')
    editor.select([named('work').id, named('check').id])
    const text = clipText(editor.model, editor.view.getState().selection)
    // Each would need two or more: a step with its flow, copies of two steps and what joins them.
    const wishes = [
      () => editor.put(compute, [600, 300], {}, flow),
      () => editor.putNext(compute, named('work').id, { x: 400, y: 300 }),
      () => pasteText(editor, text),
      () => run('duplicate', { editor, host: clipboard().host }),
    ]
    for (const wish of wishes) {
      editor.view.setState({ refusal: null })
      editor.select([named('work').id, named('check').id])
      wish()
      expect(editor.view.getState().refusal?.limit).toEqual(limit)
      expect([kinds(), wires()]).toEqual(before)
    }
    editor.view.setState({ refusal: null })
    expect(editor.put(compute, [600, 300])).not.toBeNull()
    expect(editor.view.getState().refusal).toBeNull()
    expect(editor.put(compute, [700, 300])).toBeNull()
    expect(editor.view.getState().refusal?.limit).toEqual(limit)
    editor.select([named('check').id])
    editor.removeSelected()
    bindEdits(doc, null)
    expect(kinds()).not.toContain('gateway')
  })
})
