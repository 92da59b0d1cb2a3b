// Splits the catalogues of texts in two: the texts of the first screens, and the rest. A module with texts in the rest is reached by
// dynamic imports only, and the build makes each of these wait for the rest: no text is shown before it is loaded.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createCompiledCatalog, getCatalogs } from '@lingui/cli/api'
import { getConfig } from '@lingui/conf'
import type { Plugin } from 'vite'

export const client = fileURLToPath(new URL('..', import.meta.url))
const root = join(client, '..')
const languages = join(root, 'model-schema/languages')
const wait = join(client, 'i18n/texts.ts')

/** The modules that begin the first screens: all that they import without waiting is on the way to these. */
const beginnings = [
  'main.tsx',
  'routes/Modeling.tsx',
  'routes/ShareModel.tsx',
  'routes/Document.tsx',
  'editor/ModelEditor.tsx',
  'ui/AntdFrame.tsx',
]

// Imports of types leave nothing in the program.
const imported = /(?:^|\n)\s*(?:import|export)\s+(?!type\b)(?:[^'";]*?\sfrom\s+)?'(\.{1,2}\/[^']+\.tsx?)'/g

/**
 * Whether a source shows texts: by a macro, for which the build removes the English, or by `say`, for which the English stays in the code.
 */
const hasMacro = (text: string): boolean => /'@lingui\/\w+\/macro'/.test(text)
const says = (text: string): boolean => /\bsay(In)?\(/.test(text) && /\/words\.ts'/.test(text)

/** Reads which modules import which. Addresses are absolute. */
export function createModules(read = (file: string): string => readFileSync(file, 'utf8')) {
  const known = new Map<string, { next: string[]; speaks: boolean; hasMacro: boolean }>()
  const look = (file: string) => {
    const seen = known.get(file)
    if (seen !== undefined) return seen
    const text = read(file)
    const next = [...text.matchAll(imported)].map(match => resolve(dirname(file), match[1]!)).filter(one => one.startsWith(root))
    const found = { next, speaks: hasMacro(text) || says(text), hasMacro: hasMacro(text) }
    known.set(file, found)
    return found
  }
  /** The modules and all that they import statically. */
  const closure = (files: readonly string[]): Set<string> => {
    const found = new Set<string>()
    const visit = (file: string): void => {
      if (found.has(file)) return
      found.add(file)
      for (const next of look(file).next) visit(next)
    }
    for (const file of files) visit(file)
    return found
  }
  return {
    closure,
    /** Whether anything shows texts that comes with a module and not with the first screens. */
    speaks: (file: string, first: ReadonlySet<string> = new Set()): boolean =>
      [...closure([file])].some(one => !first.has(one) && look(one).speaks),
    hasMacro: (file: string): boolean => look(file).hasMacro,
    /** What the first screens import. */
    first: (): Set<string> => closure(beginnings.map(one => join(client, one))),
  }
}

type Modules = ReturnType<typeof createModules>

/**
 * A part of a language's texts by their ids, as lingui reads them: of the modules in `first`, or of all others. A text that both show is in the first.
 * English has only what macros show: the rest is in the code.
 */
export async function textsOf(
  locale: string,
  part: 'first' | 'more',
  first: ReadonlySet<string>,
  modules: Modules = createModules(),
): Promise<Record<string, string>> {
  const config = getConfig()
  const [catalog] = await getCatalogs(config)
  const entries = (await catalog?.read(locale)) ?? {}
  const filesOf = (id: string): string[] => (entries[id]?.origin ?? []).map(([file]) => resolve(root, file))
  const isFirst = (id: string): boolean => filesOf(id).some(file => first.has(file))
  const isNeeded = (id: string): boolean => locale !== config.sourceLocale || filesOf(id).some(modules.hasMacro)
  const { messages = {} } =
    (await catalog?.getTranslations(locale, {
      fallbackLocales: config.fallbackLocales,
      sourceLocale: config.sourceLocale,
      missingBehavior: 'resolved',
    })) ?? {}
  return Object.fromEntries(Object.entries(messages).filter(([id]) => isFirst(id) === (part === 'first') && isNeeded(id)))
}

/** The module that loads the texts of antd and dayjs in a language. English is their default. */
function librariesOf(locale: string): string {
  const [language = ''] = locale.split('-')
  const there = (library: string, names: readonly string[]): string | undefined =>
    names.find(name => existsSync(join(root, 'node_modules', library, 'locale', `${name}.js`)))
  const antd = language === 'en' ? undefined : there('antd', [locale.replaceAll('-', '_'), `${language}_${language.toUpperCase()}`])
  const dayjs = language === 'en' ? undefined : there('dayjs', [locale.toLowerCase(), language])
  return [
    antd === undefined ? 'export const antd = null' : `import words from 'antd/locale/${antd}'\nexport const antd = words`,
    dayjs === undefined ? `export const dayjs = 'en'` : `import 'dayjs/locale/${dayjs}'\nexport const dayjs = '${dayjs}'`,
  ].join('\n')
}

type Node = { type: string; start: number; end: number }
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value

/** Every `import(...)` of a string literal in the program. */
function* dynamicImports(node: unknown): Generator<{ start: number; end: number; target: string }> {
  if (Array.isArray(node)) for (const one of node) yield* dynamicImports(one)
  else if (isNode(node)) {
    if (node.type === 'ImportExpression' && 'source' in node && isNode(node.source) && 'value' in node.source) {
      const { value } = node.source
      if (typeof value === 'string') yield { start: node.start, end: node.end, target: value }
    }
    for (const value of Object.values(node)) if (typeof value === 'object') yield* dynamicImports(value)
  }
}

/** The vite plugin: serves `….po?first`, `….po?more` and `….po?libraries`, and lets dynamic imports wait for the texts of what they bring. */
export function splitTexts(): Plugin {
  let modules = createModules()
  let first = modules.first()
  return {
    name: 'holarchy-split-texts',
    buildStart() {
      modules = createModules()
      first = modules.first()
    },
    load: {
      filter: { id: /\.po\?(first|more|libraries)$/ },
      async handler(id) {
        const [, locale = '', part] = /([\w-]+)\.po\?(first|more|libraries)$/.exec(id) ?? []
        if (part === 'libraries') return { code: librariesOf(locale), moduleType: 'js' }
        this.addWatchFile(join(languages, `${locale}.po`))
        const { source, errors } = createCompiledCatalog(locale, await textsOf(locale, part === 'first' ? part : 'more', first, modules), {
          namespace: 'es',
        })
        if (errors.length > 0) throw new Error(`${locale}: ${errors.map(one => one.error.message).join('\n')}`)
        return { code: source, moduleType: 'js' }
      },
    },
    transform: {
      filter: { id: /\/client\/.*\.tsx?$/, code: /\bimport\(/ },
      handler(code, id) {
        const waiting = [...dynamicImports(this.parse(code))].filter(({ target }) => {
          if (!/^\.{1,2}\/.*\.tsx?$/.test(target)) return false
          const file = resolve(dirname(id), target)
          return file.startsWith(root) && !first.has(file) && modules.speaks(file, first)
        })
        if (waiting.length === 0) return null
        let text = code
        for (const { start, end } of waiting.toReversed())
          text = `${text.slice(0, start)}withTexts_(${text.slice(start, end)})${text.slice(end)}`
        const from = relative(dirname(id), wait).replaceAll('\\', '/')
        return { code: `${text}\nimport { withTexts as withTexts_ } from '${from.startsWith('.') ? from : `./${from}`}'`, map: null }
      },
    },
    buildEnd() {
      // The build's own reading of the imports is the judge of ours.
      for (const file of first)
        for (const next of this.getModuleInfo(file)?.importedIds ?? [])
          if (next.startsWith(root) && !next.includes('node_modules') && /\.tsx?$/.test(next) && !first.has(next))
            this.error(`${file} imports ${next}, whose texts would come too late`)
    },
  }
}
