// The parts of the workspace that decide something: order and search, samples, addresses, where paths lead, newer versions.
import 'fake-indexeddb/auto'
import { describe, expect, it, vi } from 'vitest'
import { knownPath, safePath } from '../../client/routes/path.ts'
import { addressesOf } from '../../client/workspace/addresses.ts'
import { gallery, openSample, samplesFor } from '../../client/workspace/samples.ts'
import type { ShownFile } from '../../client/workspace/usePlace.ts'
import { arranged } from '../../client/workspace/view.ts'
import { wordsOfCode, wordsOfNotice } from '../../client/ui/notices.ts'
import { setLocale } from '../../client/i18n/locale.ts'
import { plainFile } from '../../client/local/device.ts'
import { readFile } from '../../client/local/files.ts'
import { devicePlace } from '../../client/local/place.ts'
import { colorOf } from '../../client/session/presence.ts'
import { palettes } from '../../client/ui/theme.ts'
import { ERROR_CODES } from '../../sync-server/protocol.ts'
import type { ErrorCode } from '../../sync-server/protocol.ts'

const file = (name: string, dates: Partial<Pick<ShownFile, 'createdAt' | 'updatedAt' | 'openedAt'>> = {}): ShownFile => ({
  ...plainFile,
  user: 'u',
  id: name,
  name,
  kind: 'model',
  team: 't',
  role: 'owner',
  owner: { id: 'u', name: 'U' },
  createdAt: '2026-01-01',
  updatedAt: '2026-01-01',
  openedAt: null,
  trashedAt: null,
  state: 'told',
  ...dates,
})

describe('lists', () => {
  const files = [file('b 10', { updatedAt: '2026-01-03' }), file('b 9', { openedAt: '2026-01-09' }), file('Ä', { createdAt: '2026-02-01' })]
  const names = (order: 'name' | 'updated' | 'created' | 'opened', search = '') =>
    arranged(files, { order, search }, 'en-US').map(one => one.name)

  it('are ordered as people count, newest first by date', () => {
    expect(names('name')).toEqual(['Ä', 'b 9', 'b 10'])
    expect(names('updated')[0]).toBe('b 10')
    expect(names('created')[0]).toBe('Ä')
    expect(names('opened')).toEqual(['b 9', 'b 10', 'Ä'])
  })

  it('show what holds every word searched for', () => {
    expect(names('name', ' 1 B ')).toEqual(['b 10'])
    expect(names('name', 'nothing')).toEqual([])
  })
})

describe('samples', () => {
  it('can all be opened: a copy in the workspace, titled in the language of the page', async () => {
    await setLocale('zh-CN')
    const place = devicePlace('Me')
    for (const sample of gallery) {
      const row = await openSample(place, sample)
      expect(row.name).toBe(sample.title.zh)
      expect(Object.keys((await readFile(place, row.id)).elements).length).toBeGreaterThan(3)
    }
    await setLocale('en-US')
  })

  it('are found by words of either language', () => {
    const known = gallery[0]
    if (known === undefined) return
    expect(samplesFor(known.title.en)).toContain(known)
    expect(samplesFor(known.title.zh)).toContain(known)
    expect(samplesFor('xyzzy')).toEqual([])
  })
})

describe('addresses', () => {
  it('are separated by commas and what else people type, named when wrong, counted once', () => {
    expect(addressesOf(' Ann@Example.org, bob@example.org；carl@example.org\nann@example.org ')).toEqual({
      good: ['ann@example.org', 'bob@example.org', 'carl@example.org'],
      bad: [],
    })
    expect(addressesOf('ann, @x.org, a@b, a b@c.de')).toEqual({ good: ['b@c.de'], bad: ['ann', '@x.org', 'a@b', 'a'] })
    expect(addressesOf('')).toEqual({ good: [], bad: [] })
  })
})

describe('paths', () => {
  it('people are sent back to are this app’s own, and not to sign in again', () => {
    expect(safePath('/modeling/t/m?x=1')).toBe('/modeling/t/m?x=1')
    for (const bad of [
      '//evil.example',
      '/\\evil.example',
      'https://evil.example',
      'javascript:alert(1)',
      '/login',
      '/login?to=/',
      '/register',
      7,
      undefined,
    ])
      expect(safePath(bad)).toBeNull()
  })

  it('that no route takes lead home, but for extra segments', () => {
    expect(knownPath('/modeling/t/m/extra/more')).toBe('/modeling/t/m')
    expect(knownPath('/login/x')).toBe('/login')
    expect(knownPath('/store/recommend/app')).toBe('/')
    expect(knownPath('/modeling/t')).toBe('/')
  })
})

describe('a newer version', () => {
  it('is told once, by polling while the page is visible', async () => {
    const listeners: (() => void)[] = []
    const page = {
      visibilityState: 'visible',
      addEventListener: (_type: string, run: () => void) => listeners.push(run),
      removeEventListener: () => undefined,
    }
    vi.stubGlobal('document', page)
    vi.useFakeTimers()
    const { watchVersion } = await import('../../client/ui/updates.ts')
    let version: number | null = 5
    let asked = 0
    const changed = vi.fn()
    const stop = watchVersion(5, async () => (asked++, version), changed)
    await vi.advanceTimersByTimeAsync(90_000)
    expect(changed).not.toHaveBeenCalled()
    page.visibilityState = 'hidden'
    const before = asked
    version = 6
    await vi.advanceTimersByTimeAsync(300_000)
    expect(asked).toBe(before)
    page.visibilityState = 'visible'
    version = null
    await vi.advanceTimersByTimeAsync(60_000)
    expect(changed).not.toHaveBeenCalled()
    version = 6
    await vi.advanceTimersByTimeAsync(120_000)
    expect(changed).toHaveBeenCalledTimes(1)
    stop()
    vi.useRealTimers()
    vi.unstubAllGlobals()
  })
})

describe('words', () => {
  it('exist for every error code and every notice', async () => {
    await setLocale('en-US')
    const codes = Object.keys(ERROR_CODES) as ErrorCode[]
    expect(codes.filter(code => wordsOfCode(code).length < 8)).toEqual([])
    for (const code of [
      'no-access',
      'no-document',
      'epoch',
      'upgrade',
      'too-large',
      'refused',
      'disk-failed',
      'disk-damaged',
      'read-only-edits',
    ] as const) {
      expect(wordsOfNotice(code).text.length).toBeGreaterThan(10)
    }
  })
})

describe('colours', () => {
  /** WCAG contrast of two colours. */
  function contrast(a: string, b: string): number {
    const light = (color: string): number => {
      const part = (at: number): number => {
        const value = Number.parseInt(color.slice(at, at + 2), 16) / 255
        return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
      }
      return 0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5)
    }
    const [high, low] = [light(a), light(b)].sort((x, y) => y - x)
    return (high! + 0.05) / (low! + 0.05)
  }

  it.each(['light', 'dark'] as const)('can be read in the %s theme', mode => {
    const palette = palettes[mode]
    for (const back of [palette.page, palette.surface, palette.raised]) {
      for (const front of [palette.text, palette.muted, palette.faint, palette.accentText, palette.ok, palette.warn, palette.bad])
        expect(contrast(front, back)).toBeGreaterThanOrEqual(4.5)
    }
    expect(contrast(palette.onAccent, palette.accent)).toBeGreaterThanOrEqual(4.5)
    expect(contrast(palette.accentText, palette.accentSoft)).toBeGreaterThanOrEqual(4.5)
  })

  it('of people are the same everywhere and carry white letters', () => {
    expect(colorOf('ann')).toBe(colorOf('ann'))
    expect(new Set(Array.from({ length: 200 }, (_, i) => colorOf(`user-${i}`))).size).toBeGreaterThan(6)
    for (let i = 0; i < 100; i++) expect(contrast('#ffffff', colorOf(`user-${i}`))).toBeGreaterThanOrEqual(3)
  })
})
