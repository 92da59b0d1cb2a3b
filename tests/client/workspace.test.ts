// The parts of the workspace that decide something: order and search, samples, addresses, where paths lead, newer versions.
import { allTexts } from '../../client/i18n/texts.ts'
import { chinese } from '../help/languages.ts'
import 'fake-indexeddb/auto'
import { describe, expect, it, vi } from 'vitest'
import { samples } from '../../model-schema/samples.ts'
import { knownPath, safePath } from '../../client/routes/path.ts'
import { addressesOf } from '../../client/workspace/team/addresses.ts'
import { mayDrop } from '../../client/workspace/files/drag.ts'
import { embedOptionsOf, frameOf, originsOf } from '../../client/workspace/share/embedding.ts'
import { hand, keepUndo, letGo, toggle, undoLast } from '../../client/workspace/files/hand.ts'
import { addressOf } from '../../client/workspace/files/address.ts'
import { cutOf } from '../../client/workspace/picture/picture.ts'
import { explainFile, may, mayCopy } from '../../client/workspace/files/standing.ts'
import type { WorkspaceEntry } from '../../client/workspace/team/spaces.ts'
import { topsOf } from '../../client/workspace/files/useActions.tsx'
import { gallery, openSample, samplesFor } from '../../client/workspace/files/samples.ts'
import type { ShownFile } from '../../client/workspace/usePlace.ts'
import { arranged } from '../../client/workspace/files/view.ts'
import { ApiError } from '../../client/api.ts'
import { wordsOfCode, wordsOfFailure, wordsOfNotice } from '../../client/ui/notices.ts'
import { setLocale } from '../../client/i18n/locale.ts'
import { fileKinds, plainFile } from '../../client/local/device.ts'
import { readFile } from '../../client/local/files.ts'
import { devicePlace } from '../../client/local/place.ts'
import { colorOf } from '../../client/session/presence.ts'
import { palettes } from '../../client/ui/theme.ts'
import { ERROR_CODES } from '../../sync-server/protocol.ts'
import type { ErrorCode } from '../../sync-server/protocol.ts'
import { english, say } from '../../model-schema/words.ts'

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

  it('have folders first, whatever the order', () => {
    const mixed = [file('a'), { ...file('z'), kind: 'folder' }, { ...file('y'), kind: 'library' }, { ...file('b'), kind: 'experiment' }]
    const ids = (order: 'name' | 'kind') => arranged(mixed, { order, search: '' }, 'en-US').map(one => one.name)
    expect(ids('name')).toEqual(['y', 'z', 'a', 'b'])
    expect(ids('kind')).toEqual(['z', 'y', 'b', 'a'])
  })

  it('show only a kind, and what has one of the tags of every set asked for', () => {
    const tag = (id: string, set: string) => ({ id, set, name: `tag ${id}`, color: '' })
    const tagged = [
      { ...file('one'), tags: [tag('draft', 'status'), tag('abm', 'method')] },
      { ...file('two'), tags: [tag('final', 'status')], kind: 'chart' },
      { ...file('three'), remark: 'about wolves' },
    ]
    const shown = (more: object) => arranged(tagged, { order: 'name', search: '', ...more }, 'en-US').map(one => one.name)
    expect(shown({ kind: 'chart' })).toEqual(['two'])
    expect(
      shown({
        tags: [
          { id: 'draft', set: 'status' },
          { id: 'final', set: 'status' },
        ],
      }),
    ).toEqual(['one', 'two'])
    expect(
      shown({
        tags: [
          { id: 'draft', set: 'status' },
          { id: 'abm', set: 'method' },
        ],
      }),
    ).toEqual(['one'])
    expect(shown({ search: 'wolves' })).toEqual(['three'])
    expect(shown({ search: 'tag final' })).toEqual(['two'])
    expect(arranged(tagged, { order: 'name', search: 'inside' }, 'en-US', new Set(['two'])).map(one => one.name)).toEqual(['two'])
  })

  it('show what holds every word searched for', () => {
    expect(names('name', ' 1 B ')).toEqual(['b 10'])
    expect(names('name', 'nothing')).toEqual([])
  })
})

describe('samples', () => {
  it('can all be opened: a copy in the workspace, titled in the language of the page', async () => {
    await setLocale('zh-CN')
    await allTexts()
    const place = devicePlace('Me')
    // None is missing from the build.
    expect(gallery.map(({ id }) => id)).toEqual(samples.map(({ id }) => id))
    for (const sample of gallery) {
      const row = await openSample(place, sample)
      expect(row.name).toBe(chinese(sample.title))
      expect(Object.keys((await readFile(place, row.id)).elements).length).toBeGreaterThan(3)
    }
    await setLocale('en-US')
  })

  it('are found by words of English and of the language now', async () => {
    const known = gallery[0]
    if (known === undefined) return
    expect(samplesFor(english(known.title))).toContain(known)
    await setLocale('zh-CN')
    await allTexts()
    expect(samplesFor(chinese(known.title))).toContain(known)
    expect(samplesFor(english(known.title))).toContain(known)
    await setLocale('en-US')
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
    expect(knownPath('/file/t/m/extra')).toBe('/file/t/m')
    expect(knownPath('/lib/t/b/extra')).toBe('/lib/t/b')
    expect(knownPath('/star_block/t/b/extra')).toBe('/star_block/t/b')
    expect(knownPath('/experimenting/t/e/extra')).toBe('/experimenting/t/e')
    expect(knownPath('/login/x')).toBe('/login')
    expect(knownPath('/store/recommend/app')).toBe('/')
    expect(knownPath('/modeling/t')).toBe('/')
  })
})

describe('files in the hand', () => {
  const list = ['a', 'b', 'c', 'd']

  it('are chosen one by one, and as a range from the last', () => {
    letGo()
    toggle('b', list)
    toggle('d', list, true)
    expect([...hand.getState().chosen]).toEqual(['b', 'c', 'd'])
    toggle('c', list)
    expect([...hand.getState().chosen]).toEqual(['b', 'd'])
    letGo()
    expect(hand.getState().chosen.size).toBe(0)
  })

  it('the last deed is undone once', async () => {
    let undone = 0
    keepUndo(() => Promise.resolve(void undone++))
    expect(await undoLast()).toBe(true)
    expect(await undoLast()).toBe(false)
    expect(undone).toBe(1)
  })

  it('are dropped where that changes something and the place takes them', () => {
    const here = { team: 't', parent: null }
    const model = file('m')
    const block = { ...file('k'), kind: 'block' }
    const folder = { ...file('f'), kind: 'folder' }
    expect(mayDrop([], here)).toBe(false)
    expect(mayDrop([model], here)).toBe(false)
    expect(mayDrop([model], { team: 't', parent: 'f', kind: 'folder' })).toBe(true)
    expect(mayDrop([folder], { team: 't', parent: 'f', kind: 'folder' })).toBe(false)
    expect(mayDrop([model, block], { team: 't', parent: 'l', kind: 'library' })).toBe(false)
    expect(mayDrop([block], { team: 't', parent: 'l', kind: 'library' })).toBe(true)
  })

  it('from the trash are thrown away themselves, not along with their folder', () => {
    const at = (id: string, parent: string | null, trashedAt: string) => ({ id, parent, trashedAt })
    expect(topsOf([at('f', null, '2'), at('m', 'f', '2'), at('o', 'f', '1')]).map(one => one.id)).toEqual(['f', 'o'])
  })

  it('each opens on the page of its kind', () => {
    const address = (kind: string, user = 'u') => addressOf({ id: 'x', kind, team: 't', user })
    expect(fileKinds.map(kind => address(kind))).toEqual([
      '/modeling/t/x',
      '/experimenting/t/x',
      '/file/t/x',
      '/chart/t/x',
      '/workspace/t/project/x',
      '/workspace/t/project/x',
      '/lib/t/x',
      '/workspace/t/setting',
      '/workspace/t/project/x',
    ])
    expect(address('model', 'device')).toBe('/modeling/device/x')
    expect(address('of a newer version')).toBe('/file/t/x')
    // What may only be viewed opens in its viewer, if its kind has one.
    const viewed = (kind: string) => addressOf({ id: 'x', kind, team: 't', user: 'u', onlyView: true })
    expect(['model', 'block', 'chart', 'experiment'].map(viewed)).toEqual(Array(4).fill('/file/t/x'))
    expect(viewed('folder')).toBe('/workspace/t/project/x')
  })
})

describe('what may be done with a file', () => {
  const space = (more: Partial<WorkspaceEntry>): WorkspaceEntry => ({
    id: 't',
    type: 'team',
    name: 'T',
    role: 'editor',
    icon: null,
    profile: '',
    switches: {},
    members: 2,
    createdAt: '',
    owner: { id: 'o', name: 'O' },
    ...more,
  })

  it('follows the role, the workspace and its switches, with the reason', () => {
    const mine = { ...file('m'), role: 'editor' as const }
    expect(may(mine, 'trash', [space({})])).toBe(true)
    expect(explainFile(mine, 'deleteForever', [space({})])).toMatchObject({ allowed: false, why: 'small-role', needs: 'manager' })
    // From outside: single files only, their places are for members.
    expect(explainFile(mine, 'move', [])).toMatchObject({ allowed: false, why: 'outsider' })
    expect(may(mine, 'edit', [])).toBe(true)
    const owner = { ...mine, role: 'owner' as const }
    expect(explainFile(owner, 'share', [space({ switches: { shareFiles: false } })])).toMatchObject({ allowed: false, why: 'closed' })
    expect(explainFile({ ...owner, kind: 'block' }, 'copyOut', [space({ switches: { copyBlocks: false } })]).allowed).toBe(false)
    expect(explainFile(owner, 'copyOut', [space({ switches: { copyBlocks: false } })]).allowed).toBe(true)
    // A restriction leaves a person viewing and running, and says so for every copy.
    const restricted = { ...mine, role: 'viewer' as const, onlyView: true }
    for (const action of ['copy', 'copyOut', 'copyToPersonal'] as const)
      expect(explainFile(restricted, action, [space({})]), action).toMatchObject({ allowed: false, why: 'restricted' })
    expect(mayCopy(restricted, [space({})])).toEqual(say('You may only view this.'))
    expect(mayCopy({ ...restricted, onlyView: false }, [space({})])).toBe(true)
    expect(may(restricted, 'run', [space({})])).toBe(true)
    expect(may(restricted, 'rename', [space({})])).toBe(false)
    // On this device everything is one's own.
    expect(may({ ...mine, user: 'device', role: 'owner' }, 'deleteForever', [])).toBe(true)
  })
})

describe('embed codes', () => {
  it('make a frame with the page of the kind, its name safe in HTML', () => {
    const html = frameOf('https://h.example', 'model', 'CODE', 'A "b" <c>')
    expect(html).toContain('src="https://h.example/embed/CODE"')
    expect(html).toContain('title="A &quot;b&quot; &lt;c>"')
    expect(frameOf('', 'dashboard', 'C', '')).toContain('/dashboard/embed/C')
  })

  it('name the sites that may show them, and what is none', () => {
    expect(originsOf('https://a.example/page, b.example http://localhost:3000')).toEqual({
      good: ['https://a.example', 'https://b.example', 'http://localhost:3000'],
      bad: [],
    })
    expect(originsOf('not_a_site, ftp://x.example, https://a.example')).toMatchObject({ bad: ['not_a_site', 'ftp://x.example'] })
  })

  it('show everything unless told otherwise', () => {
    expect(embedOptionsOf({})).toEqual({ title: true, controls: true, theme: 'system', show: 'full', card: '' })
    expect(embedOptionsOf({ title: 'false', theme: 'dark' })).toMatchObject({ title: false, controls: true, theme: 'dark' })
    expect(embedOptionsOf({ theme: 'pink' }).theme).toBe('system')
    expect(embedOptionsOf({ show: 'chart', card: 'line' })).toMatchObject({ show: 'chart', card: 'line' })
    // One card without saying which is no card: all is shown.
    expect(embedOptionsOf({ show: 'chart', card: '' }).show).toBe('full')
    expect(embedOptionsOf({ show: 'wall', card: 'line' }).show).toBe('full')
  })
})

describe('a picture', () => {
  const square = { width: 100, height: 100 }

  it('is cut to as much as fills the shape, around the centre', () => {
    expect(cutOf({ width: 400, height: 200 }, square, 1, { x: 0.5, y: 0.5 })).toEqual({ x: 100, y: 0, width: 200, height: 200 })
    expect(cutOf({ width: 400, height: 200 }, square, 2, { x: 0.5, y: 0.5 })).toEqual({ x: 150, y: 50, width: 100, height: 100 })
  })

  it('is never cut beyond its edges', () => {
    for (const centre of [-1, 0, 0.3, 1, 5]) {
      const cut = cutOf({ width: 300, height: 500 }, { width: 200, height: 100 }, 1.7, { x: centre, y: centre })
      expect(cut.x).toBeGreaterThanOrEqual(0)
      expect(cut.y).toBeGreaterThanOrEqual(0)
      expect(cut.x + cut.width).toBeLessThanOrEqual(300 + 1e-9)
      expect(cut.y + cut.height).toBeLessThanOrEqual(500 + 1e-9)
      expect(cut.width / cut.height).toBeCloseTo(2)
    }
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
    const { watchVersion } = await import('../../client/ui/loading/updates.ts')
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

describe('a part of the app', () => {
  it('that does not come within two minutes is given up, in words; one that comes is there', async () => {
    await setLocale('en-US')
    vi.useFakeTimers()
    const { isChunkError, loadPart } = await import('../../client/ui/loading/updates.ts')
    expect(await loadPart(async () => 'here')).toBe('here')
    const failed: unknown[] = []
    const waiting = loadPart(() => new Promise(() => {})).catch((error: unknown) => failed.push(error))
    await vi.advanceTimersByTimeAsync(119_999)
    expect(failed).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    await waiting
    expect(String(failed[0])).toContain('Loading took longer than 120 seconds.')
    expect(isChunkError(failed[0])).toBe(true)
    expect(isChunkError(new TypeError('Failed to fetch dynamically imported module: /a.js'))).toBe(true)
    expect(isChunkError(new TypeError('x is not a function'))).toBe(false)
    vi.useRealTimers()
  })
})

describe('words', () => {
  it('exist for every error code and every notice', async () => {
    await setLocale('en-US')
    const codes = Object.keys(ERROR_CODES) as ErrorCode[]
    expect(codes.filter(code => wordsOfCode(code).length < 8)).toEqual([])
    // An earlier version may have kept a code that is gone.
    expect(wordsOfCode('gone-since' as ErrorCode)).toBe(wordsOfCode('unexpected'))
    // What the server could not do is named; what it refused is said as always.
    expect(wordsOfFailure(new ApiError('unexpected', 500), 'Login exception')).toBe('Login exception')
    expect(wordsOfFailure(new ApiError('account-or-password', 401), 'Login exception')).toBe('Account or password error.')
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
