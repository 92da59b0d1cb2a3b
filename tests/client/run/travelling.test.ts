// Travelling tokens: the flows on which a token is shown that was at one step and now is at another, and where on them it is.
import { describe, expect, it } from 'vitest'
import { Travellers, waysBetween, type FrameTokens } from '../../../client/canvas/tokens.ts'
import type { Pen } from '../../../client/canvas/paint/pen.ts'
import type { Look } from '../../../client/canvas/paint/shapes.ts'
import { editorOf, processFile } from '../../help/editor.ts'

function clinic() {
  const file = processFile(
    {
      In: ['start', 0, 0],
      Wait: ['delay', 100, 0],
      Ways: ['gateway', 300, 0],
      Short: ['delay', 400, 0],
      Long: ['delay', 400, 200],
      Late: ['boundary', 420, 260],
      Out: ['end', 600, 0],
      Gone: ['end', 600, 300],
    },
    [
      ['In', 'Wait'],
      ['Wait', 'Ways'],
      ['Ways', 'Short'],
      ['Ways', 'Long'],
      ['Short', 'Out'],
      ['Long', 'Out'],
      ['Late', 'Gone'],
    ],
  )
  file.elements['Late'] = { ...file.elements['Late']!, host: 'Long' }
  const { editor } = editorOf(file)
  editor.goTo('go')
  const named = (flows: readonly string[]): string[] =>
    flows.map(id => {
      const ends = editor.scene.wire(id)?.element.ends
      return `${ends?.from.id}-${ends?.to.id}`
    })
  return { editor, ways: (before: FrameTokens, now: FrameTokens) => waysBetween(editor.scene, before, now).map(named) }
}

describe('the way of a token', () => {
  it('is none where it stands still', () => {
    expect(clinic().ways([[1, 'Wait']], [[1, 'Wait']])).toEqual([])
  })

  it('goes through steps that hold no token', () => {
    expect(clinic().ways([[1, 'Wait']], [[1, 'Long']])).toEqual([['Wait-Ways', 'Ways-Long']])
  })

  it('of one that stands at a step for another that left it is seen all the same', () => {
    const before: FrameTokens = [[1, 'Wait']]
    expect(
      clinic().ways(before, [
        [1, 'Short'],
        [2, 'Wait'],
      ]),
    ).toEqual([['Wait-Ways', 'Ways-Short'], ['In-Wait']])
  })

  it('begins at the start for a new one, and at the step it was split from', () => {
    expect(clinic().ways([], [[1, 'Wait']])).toEqual([['In-Wait']])
    expect(
      clinic().ways(
        [[1, 'Wait']],
        [
          [1, 'Short'],
          [2, 'Long'],
        ],
      ),
    ).toEqual([
      ['Wait-Ways', 'Ways-Short'],
      ['Wait-Ways', 'Ways-Long'],
    ])
  })

  it('leads to the nearest end for one that is gone', () => {
    expect(clinic().ways([[1, 'Short']], [])).toEqual([['Short-Out']])
  })

  it('leaves a step by an event at its border', () => {
    const { editor } = clinic()
    expect(editor.scene.box('Late')?.element.fields['host']).toBe('Long')
    const { ways } = clinic()
    expect(ways([[1, 'Long']], [[1, 'Gone']])).toEqual([['Late-Gone']])
  })

  it('is none between steps that nothing joins, or on another canvas', () => {
    expect(clinic().ways([[1, 'Out']], [[1, 'Wait']])).toEqual([])
    expect(clinic().ways([[1, 'elsewhere']], [[1, 'nowhere']])).toEqual([])
  })
})

describe('tokens on their way', () => {
  const circlesOf = (travellers: Travellers, canvas: string, time: number): { x: number; more: boolean } => {
    const discs: number[] = []
    const pen = { circle: ({ x }: { x: number }, _: number, ink: { stroke?: string }) => ink.stroke && discs.push(x) } as unknown as Pen
    const more = travellers.paint(pen, { canvas: '#fff' } as Look, canvas, time)
    return { x: discs[0] ?? -1, more }
  }

  it('go from one end of the way to the other, and are gone then', () => {
    const { editor } = clinic()
    const travellers = new Travellers()
    travellers.send(editor.scene, [], [[1, 'Wait']], 1000)
    const [first, middle, late] = [1000, 1150, 1290].map(time => circlesOf(travellers, 'go', time))
    expect(first!.x).toBeLessThan(middle!.x)
    expect(middle!.x).toBeLessThan(late!.x)
    expect(late!.more).toBe(true)
    expect(circlesOf(travellers, 'go', 1301)).toEqual({ x: -1, more: false })
  })

  it('are drawn on the flows, not inside the steps between them', () => {
    const { editor } = clinic()
    const travellers = new Travellers()
    const [before, now]: FrameTokens[] = [[[1, 'Wait']], [[1, 'Short']]]
    travellers.send(editor.scene, before!, now!, 0)
    const [first, second] = waysBetween(editor.scene, before!, now!)[0]!.map(id => editor.scene.pointsOf(id).map(({ x }) => x))
    const within = (points: readonly number[], x: number): boolean => x >= Math.min(...points) && x <= Math.max(...points)
    const places = Array.from({ length: 60 }, (_, i) => circlesOf(travellers, 'go', 10 * i).x)
    expect(Math.max(...first!)).toBeLessThan(Math.min(...second!))
    for (const x of places) expect(within(first!, x) || within(second!, x), `${x}`).toBe(true)
    for (const flow of [first!, second!]) expect(places.some(x => within(flow, x))).toBe(true)
  })

  it('are sixty at most, and none on another canvas', () => {
    const { editor } = clinic()
    const travellers = new Travellers()
    const many: FrameTokens = Array.from({ length: 90 }, (_, i) => [i, 'Wait'])
    travellers.send(editor.scene, [], many, 0)
    expect(circlesOf(travellers, 'go', 59 * 60 + 299).more).toBe(true)
    expect(circlesOf(travellers, 'go', 59 * 60 + 301).more).toBe(false)
    travellers.send(editor.scene, [], many, 0)
    expect(circlesOf(travellers, 's1', 0)).toEqual({ x: -1, more: false })
  })
})
