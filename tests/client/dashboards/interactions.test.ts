import { describe, expect, it } from 'vitest'
import { dashboardOf, everyItem, type Dashboard, type Item } from '../../../model-schema/dashboard.ts'
import { modelOfFile, type HoloElement } from '../../../model-schema/file.ts'
import type { Element } from '../../../model-schema/model.ts'
import type { Plain } from '../../../sim-engine/messages.ts'
import { firstValue, holds, interactionsOf, standings, valueFor } from '../../../client/dashboards/interactions.ts'
import { folded, type Spot } from '../../../client/dashboards/layout.ts'
import { createPage } from '../../../client/dashboards/page.ts'

const file = (elements: Record<string, HoloElement>): Dashboard =>
  dashboardOf(modelOfFile({ format: 'holo', version: 1, elements: { board: { kind: 'dashboard', name: 'Board' }, ...elements } }))!
const itemOf = (dashboard: Dashboard, id: string): Item => everyItem(dashboard.items).find(({ element }) => element.id === id)!
const control = (fields: Record<string, Plain>): Element =>
  itemOf(file({ c: { kind: 'controller', parent: 'board', ...fields } }), 'c').element

describe('values of controls', () => {
  it('are read as their type writes them', () => {
    expect(valueFor(control({ type: 'switch' }), 'True')).toBe(true)
    expect(valueFor(control({ type: 'switch' }), 'off')).toBe(false)
    expect(valueFor(control({ type: 'number', min: 0, max: 10 }), '12')).toBe(10)
    expect(valueFor(control({ type: 'number' }), 'many')).toBeUndefined()
    expect(valueFor(control({ type: 'text' }), '12')).toBe('12')
    expect(valueFor(control({ type: 'select' }), '"b"')).toBe('b')
    expect(valueFor(control({ type: 'select' }), 'b')).toBe('b')
    expect(valueFor(control({ type: 'longText' }), '')).toBeUndefined()
  })

  it('begin as they say, or with what their type begins with', () => {
    expect(firstValue(control({ type: 'slider', min: 3, max: 9 }))).toBe(3)
    expect(firstValue(control({ type: 'slider', min: 3, max: 9, initial: '5' }))).toBe(5)
    expect(firstValue(control({ type: 'switch' }))).toBe(false)
    expect(firstValue(control({ type: 'switch', initial: 'True' }))).toBe(true)
    expect(firstValue(control({ type: 'select', options: [{ label: 'B', value: '"b"' }] }))).toBe('b')
    expect(firstValue(control({ type: 'text' }))).toBe('')
  })
})

describe('conditions', () => {
  const when = (when: string, than: string, value: Plain | undefined) => holds({ when, than, act: 'show', card: 'x', to: '' }, value)
  it('compare with what the control is set to', () => {
    expect(when('is', 'True', true)).toBe(true)
    expect(when('is', 'True', false)).toBe(false)
    expect(when('is', '2', 2)).toBe(true)
    expect(when('is', '', 0)).toBe(false)
    expect(when('isNot', '2', 3)).toBe(true)
    expect(when('is', '"b"', 'b')).toBe(true)
    expect(when('more', '5', 6)).toBe(true)
    expect(when('more', '5', 5)).toBe(false)
    expect(when('less', '', -1)).toBe(false)
    expect(when('less', '5', '1')).toBe(false)
    expect(when('contains', 'AB', 'xaby')).toBe(true)
    expect(when('contains', '2', [1, 2])).toBe(true)
    expect(when('blank', '', '')).toBe(true)
    expect(when('blank', '', 0)).toBe(false)
    expect(when('always', '', undefined)).toBe(true)
    expect(when('of a newer version', 'a', 'a')).toBe(true)
  })
})

const board = file({
  more: {
    kind: 'controller',
    parent: 'board',
    type: 'switch',
    name: 'More',
    interactions: [
      { when: 'is', than: 'True', act: 'show', card: 'note' },
      { when: 'is', than: 'True', act: 'disable', card: 'level' },
      { when: 'is', than: 'True', act: 'set', card: 'level', to: '7' },
      { when: 'is', than: 'False', act: 'set', card: 'level', to: '99' },
    ],
  },
  level: {
    kind: 'controller',
    parent: 'board',
    type: 'number',
    min: 0,
    max: 10,
    interactions: [{ when: 'more', than: '5', act: 'set', card: 'words', to: 'high' }],
  },
  words: {
    kind: 'controller',
    parent: 'board',
    type: 'text',
    interactions: [{ when: 'is', than: 'high', act: 'set', card: 'level', to: '6' }],
  },
  press: {
    kind: 'controller',
    parent: 'board',
    type: 'button',
    interactions: [
      { act: 'hide', card: 'note' },
      { act: 'set', card: 'words', to: 'pressed' },
    ],
  },
  late: { kind: 'controller', parent: 'board', type: 'text', state: 'hidden' },
  asleep: { kind: 'controller', parent: 'board', type: 'text', state: 'disabled' },
  note: { kind: 'note', parent: 'board' },
})

describe('interactions', () => {
  it('show, hide, enable and disable as long as their condition holds', () => {
    const set = new Map<string, Plain>()
    const now = () => standings(board, ({ element }) => set.get(element.id))
    expect(now().get('note')).toEqual({ shown: false, enabled: true })
    expect(now().get('late')).toEqual({ shown: false, enabled: true })
    expect(now().get('asleep')).toEqual({ shown: true, enabled: false })
    expect(now().has('level')).toBe(false)
    set.set('more', true)
    expect(now().has('note')).toBe(false)
    expect(now().get('level')).toEqual({ shown: true, enabled: false })
    // What hides wins over what shows.
    set.set('press', true)
    expect(now().get('note')?.shown).toBe(false)
    set.set('press', false)
    expect(now().has('note')).toBe(false)
  })

  it('of what is odd say nothing', () => {
    const odd = file({
      c: {
        kind: 'controller',
        parent: 'board',
        type: 'switch',
        interactions: [{ act: 'show', card: 'gone' }, 7, { act: 'dance', card: 'c' }],
      },
    })
    expect(interactionsOf(itemOf(odd, 'c').element).length).toBeGreaterThan(0)
    expect(standings(odd, () => true).has('c')).toBe(false)
    expect(interactionsOf(itemOf(board, 'note').element)).toEqual([])
  })
})

describe('a page', () => {
  it('sets others when a control is set, within their range; a ring of settings comes to rest', () => {
    const page = createPage()
    page.show(board, new Map())
    expect(page.valueOf(itemOf(board, 'level'))).toBe(0)
    page.change(itemOf(board, 'more'), true)
    expect(page.valueOf(itemOf(board, 'level'))).toBe(6)
    expect(page.valueOf(itemOf(board, 'words'))).toBe('high')
    page.change(itemOf(board, 'more'), false)
    // 99 is more than the most; that in turn said "high", which is what it says already.
    expect(page.valueOf(itemOf(board, 'level'))).toBe(10)
  })

  it('a button acts with each press and is on after every other', () => {
    const page = createPage()
    page.show(board, new Map())
    page.press(itemOf(board, 'press'))
    expect(page.valueOf(itemOf(board, 'press'))).toBe(true)
    expect(page.valueOf(itemOf(board, 'words'))).toBe('pressed')
    page.change(itemOf(board, 'words'), 'mine')
    page.press(itemOf(board, 'press'))
    expect(page.valueOf(itemOf(board, 'press'))).toBe(false)
    expect(page.valueOf(itemOf(board, 'words'))).toBe('pressed')
  })
})

describe('a grid where cards are closed or hidden', () => {
  const at = (id: string, x: number, y: number, w: number, h: number): Spot => ({ id, x, y, w, h })
  it('comes up by what is free, in its own columns only', () => {
    const spots = [at('a', 0, 0, 6, 4), at('b', 6, 0, 6, 8), at('c', 0, 4, 6, 3), at('d', 0, 8, 12, 2)]
    expect(folded(spots, ({ id, h }) => (id === 'a' ? 1 : h))).toEqual([
      at('a', 0, 0, 6, 1),
      at('b', 6, 0, 6, 8),
      at('c', 0, 1, 6, 3),
      at('d', 0, 8, 12, 2),
    ])
    expect(folded(spots, ({ id }) => (id === 'b' ? 0 : 1)).map(({ id, y }) => [id, y])).toEqual([
      ['a', 0],
      ['c', 1],
      ['d', 2],
    ])
  })

  it('never overlaps', () => {
    let seed = 7
    const random = (below: number): number => (seed = (seed * 16807) % 2147483647) % below
    for (let round = 0; round < 300; round++) {
      const spots: Spot[] = []
      let y = 0
      for (let i = 0; i < 8; i++) {
        const [x, w, h] = [random(9), 1 + random(4), 1 + random(5)]
        // Each row of its own or next to the one before.
        if (spots.some(one => one.y + one.h > y && one.x < x + w && x < one.x + one.w)) y = Math.max(...spots.map(one => one.y + one.h))
        spots.push(at(String(i), x, y, w, h))
      }
      const now = folded(spots, ({ h }) => random(h + 1))
      for (const a of now) {
        for (const b of now) {
          if (a.id < b.id) expect(a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h, `round ${round}`).toBe(false)
        }
      }
    }
  })
})
