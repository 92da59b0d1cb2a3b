// The texts of the interface in two parts: nothing is in neither or in both, the first screens find theirs in the first, and whatever is loaded later
// waits for the rest.
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { i18n } from '@lingui/core'
import { parseAst } from 'vite'
import { describe, expect, it } from 'vitest'
import { messages as english } from '../../model-schema/languages/en-US.po'
import { messages as chinese } from '../../model-schema/languages/zh-CN.po'
import { locale, setLocale } from '../../client/i18n/locale.ts'
import { client, createModules, splitTexts, textsOf } from '../../client/i18n/split.ts'
import { allTexts, withTexts } from '../../client/i18n/texts.ts'

const modules = createModules()
const first = modules.first()

/** Sources by the texts that they show, as the catalogue says: each text with its files, from the client's folder. */
const origins = readFileSync(join(client, '../model-schema/languages/en-US.po'), 'utf8')
  .split('\n\n')
  .slice(1)
  .map(entry => ({
    files: [...entry.matchAll(/^#: (\S+)/gm)].map(match => join(client, '..', match[1]!)),
    text: JSON.stringify([...entry.matchAll(/^(?:msgstr )?"(.*)"$/gm)].at(-1)?.[1] ?? ''),
  }))

describe('the two parts of a catalogue', () => {
  it.each([
    ['en-US', english],
    ['zh-CN', chinese],
  ])('hold every text of %s once', async (name, whole) => {
    const [one, other] = [await textsOf(name, 'first', first), await textsOf(name, 'more', first)]
    const both = [...Object.keys(one), ...Object.keys(other)].sort()
    // English that the code holds is not loaded once more.
    if (name === 'en-US') expect(both.length).toBeLessThan(Object.keys(whole).length)
    else expect(both).toEqual(Object.keys(whole).sort())
    expect(new Set(both).size).toBe(both.length)
    // A page begins with the metamodel and little else.
    expect(Object.keys(one).length).toBeLessThan(Object.keys(whole).length / 2)
  })

  it('give the first screens every text that their sources show', async () => {
    const told = Object.keys(await textsOf('zh-CN', 'first', first))
    const here = origins.filter(({ files }) => files.some(file => first.has(file)))
    expect(here.length).toBe(told.length)
    expect(here.length).toBeGreaterThan(100)
  })

  it('know every module on the way to the first screens', () => {
    const names = [...first].map(file => relative(client, file))
    expect(names).toContain('canvas/CanvasView.tsx')
    expect(names).toContain('ui/toast.ts')
    expect(names).not.toContain('panels/Inspector.tsx')
    for (const file of first) for (const next of modules.closure([file])) expect(first).toContain(next)
  })

  it('follow imports over several lines, re-exports and bare imports, and no types', () => {
    const sources: Record<string, string> = {
      'a.ts': `import {\n  b,\n  type B,\n} from './b.ts'\nimport type { D } from './d.ts'\nimport './c.css'\nexport { e } from './e.tsx'\nconst f = () => import('./f.ts')\n`,
      'b.ts': `import './g.ts'\nimport { t } from '@lingui/core/macro'\n`,
    }
    const small = createModules(file => sources[relative(client, file)] ?? '')
    expect([...small.closure([join(client, 'a.ts')])].map(file => relative(client, file))).toEqual(['a.ts', 'b.ts', 'g.ts', 'e.tsx'])
    expect(small.speaks(join(client, 'a.ts'))).toBe(true)
    expect(small.speaks(join(client, 'a.ts'), new Set([join(client, 'g.ts'), join(client, 'b.ts')]))).toBe(false)
    expect(small.speaks(join(client, 'e.tsx'))).toBe(false)
  })
})

describe('what is loaded later', () => {
  const hook = splitTexts().transform
  const transform = (code: string, id: string): string => {
    if (typeof hook !== 'object') throw new Error('no transform')
    const result: unknown = Reflect.apply(hook.handler, { parse: parseAst }, [code, join(client, id)])
    return typeof result === 'object' && result !== null && 'code' in result ? String(result.code) : code
  }

  it('waits for its texts, unless it has none or they came first', () => {
    const code = `const A = () => import('../account/Login.tsx'), B = () => import('./Modeling.tsx'), C = () => import('dayjs')\n`
    expect(transform(code, 'routes/router.tsx')).toBe(
      `const A = () => withTexts_(import('../account/Login.tsx')), B = () => import('./Modeling.tsx'), C = () => import('dayjs')\n\nimport { withTexts as withTexts_ } from '../i18n/texts.ts'`,
    )
    expect(transform(`import('./geometry/snap.ts')`, 'editor/tools.ts')).toBe(`import('./geometry/snap.ts')`)
  })

  it('is everything with texts that the first screens do not bring', () => {
    const all = readdirSync(client, { recursive: true, withFileTypes: true })
      .filter(entry => entry.isFile() && /\.tsx?$/.test(entry.name))
      .map(entry => join(entry.parentPath, entry.name))
    const shown = new Set(origins.flatMap(({ files }) => files))
    for (const file of all.filter(one => shown.has(one) && !first.has(one))) {
      expect(transform(`import('./${relative(client, file)}')`, 'App.tsx'), file).toContain('withTexts_(import(')
    }
  })
})

describe('the rest of the texts', () => {
  it('comes with the first part that needs it, in the language now and in those chosen later', async () => {
    await setLocale('zh-CN')
    const begun = Object.keys(i18n.messages).length
    expect(begun).toBeLessThan(Object.keys(chinese).length / 2)
    expect(await withTexts(Promise.resolve('a part'))).toBe('a part')
    expect(i18n.messages).toEqual(chinese)
    await setLocale('en-US')
    expect(Object.keys(english)).toEqual(expect.arrayContaining(Object.keys(i18n.messages)))
    expect(locale.getState().locale).toBe('en-US')
    await allTexts()
    expect(Object.keys(i18n.messages).length).toBeGreaterThan(2000)
  })

  it('says so when a part cannot be loaded', async () => {
    await expect(withTexts(Promise.reject(new Error('no network')))).rejects.toThrow('no network')
  })
})
