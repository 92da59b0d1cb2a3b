// A command for the run, given before its controls are there.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { forgetKey, keepKey, takeKey } from '../../../client/run/keptKey.ts'

const press = (key: string, more: object = { ctrlKey: true }): void =>
  void window.dispatchEvent(Object.assign(new Event('keydown'), { key, ctrlKey: false, metaKey: false, repeat: false }, more))

describe('a key pressed while a file is on its way', () => {
  beforeEach(() => vi.stubGlobal('window', new EventTarget()))
  afterEach(() => vi.unstubAllGlobals())

  it('is taken once, the last one', () => {
    keepKey()
    press('.')
    press('Enter')
    press('a', {})
    expect(takeKey()?.key).toBe('Enter')
    expect(takeKey()).toBe(null)
  })

  it('is kept from when the file was asked for, also when its page begins to keep keys itself', () => {
    keepKey()
    press('Enter')
    const leave = keepKey()
    expect(takeKey()?.key).toBe('Enter')
    leave()
    keepKey()
    press('Enter')
    forgetKey()
    expect(takeKey()).toBe(null)
  })

  it('is forgotten with the page, and what comes after the run took it is not kept', () => {
    const leave = keepKey()
    press('Enter')
    leave()
    expect(takeKey()).toBe(null)
    keepKey()
    takeKey()
    press('Enter')
    expect(takeKey()).toBe(null)
  })
})
