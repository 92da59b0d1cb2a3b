// The rules of the house: allowed imports, sizes of files, what the engine may not touch, and that the README is true.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const parts = ['client', 'sync-server', 'model-schema', 'sim-engine'] as const
const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter(path => path !== '' && existsSync(join(root, path)))
const generated = (path: string) => /\/generated[^/]*$/.test(path)
const sources = tracked.filter(path => /\.(ts|tsx)$/.test(path) && !generated(path))
const read = (path: string) => readFileSync(join(root, path), 'utf8')

type Import = { from: string; to: string; typeOnly: boolean }

/** Every import of a file: relative ones as paths from the root, packages by name. */
function importsOf(path: string): Import[] {
  const found: Import[] = []
  for (const match of read(path).matchAll(
    /^\s*(?:import|export)\s+(type\s+)?(?:[^'";]*?\sfrom\s+)?['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]\s*\)/gm,
  )) {
    const target = (match[2] ?? match[3])!.replace(/\?.*$/, '')
    const to = target.startsWith('.') ? normalize(join(dirname(path), target)) : target
    found.push({ from: path, to, typeOnly: match[1] !== undefined })
  }
  return found
}

const imports = sources.filter(path => parts.some(part => path.startsWith(`${part}/`))).flatMap(importsOf)
const partOf = (path: string) => parts.find(part => path.startsWith(`${part}/`))
const show = (bad: Import[]) => bad.map(one => `${one.from} -> ${one.to}`)

describe('who may import whom', () => {
  it('model-schema imports nothing of ours', () => {
    expect(
      show(imports.filter(one => partOf(one.from) === 'model-schema' && partOf(one.to) !== undefined && partOf(one.to) !== 'model-schema')),
    ).toEqual([])
  })

  // The copilot tries edits on forks of documents: it is built on the engine, and the engine does not depend on it.
  const isCopilot = (path: string) => /^sim-engine\/(copilot\/|threads\/copilot-tools\.ts$)/.test(path)

  it('sim-engine imports of ours only model-schema, and, but for the copilot, never its document or edits', () => {
    const bad = imports.filter(one => partOf(one.from) === 'sim-engine' && partOf(one.to) !== undefined && partOf(one.to) !== 'sim-engine')
    const documents = (one: Import) => /model-schema\/(document|edit|proposals)/.test(one.to) && !isCopilot(one.from) && !one.typeOnly
    expect(show(bad.filter(one => partOf(one.to) !== 'model-schema' || documents(one)))).toEqual([])
  })

  it('the engine does not import the copilot', () => {
    const bad = imports.filter(one => partOf(one.from) === 'sim-engine' && isCopilot(one.to) && !isCopilot(one.from))
    expect(show(bad.filter(one => one.from !== 'sim-engine/cli.ts'))).toEqual([])
  })

  it('sync-server imports the engine only from its jobs and its copilot, but for the guard of requests, and never the client', () => {
    const bad = imports.filter(
      one =>
        partOf(one.from) === 'sync-server' &&
        (partOf(one.to) === 'client' ||
          (partOf(one.to) === 'sim-engine' && one.to !== 'sim-engine/outbound.ts' && !/^sync-server\/(jobs|copilot)\//.test(one.from))),
    )
    expect(show(bad)).toEqual([])
  })

  it('the client takes values only from protocol.ts of the server', () => {
    const bad = imports.filter(
      one => partOf(one.from) === 'client' && partOf(one.to) === 'sync-server' && !one.typeOnly && one.to !== 'sync-server/protocol.ts',
    )
    expect(show(bad)).toEqual([])
  })

  it('the client reads data from outside with the zod of zod.ts, which is set up for the policy of pages', () => {
    const bad = imports.filter(
      one => partOf(one.from) === 'client' && /^zod(\/|$)/.test(one.to) && one.from !== 'client/zod.ts' && !one.typeOnly,
    )
    expect(show(bad)).toEqual([])
    // A cast of what was parsed is a border without a check.
    const casts = sources.filter(path => path.startsWith('client/') && /JSON\.parse\([^\n]*\) as [A-Z]/.test(read(path)))
    expect(casts).toEqual([])
  })

  it('nothing that a page loads brings all of zod', () => {
    const values = Map.groupBy(
      imports.filter(one => !one.typeOnly),
      one => one.from,
    )
    const loaded = new Set(sources.filter(path => path.startsWith('client/')))
    for (const path of loaded) for (const { to } of values.get(path) ?? []) if (values.has(to)) loaded.add(to)
    expect(loaded).toContain('sim-engine/copilot/tools.ts')
    expect([...loaded].filter(path => values.get(path)?.some(({ to }) => to === 'zod'))).toEqual([])
  })

  it('a folder of another part is entered by its doors: top-level files, folders of doors, threads, kind.ts of the metamodel, or a business rule', () => {
    const inside = (path: string) =>
      path.split('/').length > 2 &&
      path !== 'model-schema/kinds/kind.ts' &&
      !/^(sim-engine\/threads|sim-engine\/.*\/doors|model-schema\/(samples|business|languages))\//.test(path)
    const bad = imports.filter(
      one =>
        partOf(one.to) !== undefined &&
        partOf(one.to) !== partOf(one.from) &&
        partOf(one.to) !== 'client' &&
        inside(one.to) &&
        !one.typeOnly,
    )
    expect(show(bad)).toEqual([])
  })

  // Decided for this product, whatever a build without one of them would save: the canvas stays on Konva through react-konva.
  it('is built on the packages that are fixed', () => {
    const fixed =
      /^(react|yjs|y-websocket|y-indexeddb|@tiptap\/react|konva|react-konva|dexie|hono|@lingui\/core|@lingui\/react|zustand)(\/|$)/
    const used = new Set(imports.filter(one => !one.typeOnly).map(one => fixed.exec(one.to)?.[1]))
    used.delete(undefined)
    expect([...used].toSorted()).toEqual([
      '@lingui/core',
      '@lingui/react',
      '@tiptap/react',
      'dexie',
      'hono',
      'konva',
      'react',
      'react-konva',
      'y-indexeddb',
      'y-websocket',
      'yjs',
      'zustand',
    ])
  })

  it('keeps React in the client, Konva on the canvas, Yjs where documents are, and the DOM out of the engine', () => {
    const outside = (name: RegExp, allowed: RegExp) => imports.filter(one => name.test(one.to) && !one.typeOnly && !allowed.test(one.from))
    expect(show(outside(/^react($|\/|-dom)/, /^client\//))).toEqual([])
    expect(show(outside(/^(konva|react-konva)($|\/)/, /^client\/canvas\//))).toEqual([])
    expect(
      show(
        outside(
          /^(yjs|y-websocket|y-indexeddb|y-protocols\/.*)$/,
          /^(model-schema\/(document|edit)(\.ts|\/)|client\/session(\.ts|\/)|sync-server\/relay\/)/,
        ),
      ),
    ).toEqual([])
  })
})

describe('files', () => {
  it('the top level holds the parts of the product and nothing else', () => {
    const folders = new Set(tracked.filter(path => path.includes('/')).map(path => path.split('/')[0]!))
    expect([...folders].toSorted()).toEqual(['.ci', 'client', 'model-schema', 'sim-engine', 'sync-server', 'tests'])
  })

  it('have at most 800 lines, and say why above 500', () => {
    const long = sources.map(path => ({ path, lines: read(path).split('\n').length }))
    expect(long.filter(({ lines }) => lines > 800)).toEqual([])
    expect(long.filter(({ path, lines }) => lines > 500 && !/^(\/\/|\/\*)/.test(read(path)))).toEqual([])
  })

  it('are at most 25 in a folder, but for migrations, samples and models of tests, which are data', () => {
    const counts = Map.groupBy(tracked, path => dirname(path))
    const isData = /^(model-schema\/samples|sync-server\/db\/migrations|tests\/cases|tests\/bench\/variants)(\/|$)/
    const full = [...counts].filter(([folder, paths]) => paths.length > 25 && !isData.test(folder))
    expect(full.map(([folder, paths]) => `${folder}: ${paths.length}`)).toEqual([])
  })

  it('are named for what they hold', () => {
    expect(
      sources.filter(
        path =>
          /(^|\/)(utils?|helpers?|common|misc|constants|types|manager|service|base|impl|index)\.tsx?$/.test(path) &&
          path !== 'sim-engine/formula/types.ts',
      ),
    ).toEqual([])
  })

  it('carry no escape hatches, left-over marks or swallowed errors', () => {
    const bad = sources
      .filter(path => path !== 'tests/house.test.ts')
      .flatMap(path =>
        read(path)
          .split('\n')
          .flatMap((line, at) =>
            /\bas any\b|@ts-ignore|@ts-nocheck|\b(FIXME|XXX|HACK)\b|catch *(\([^)]*\))? *\{ *\}|\b(it|test|describe)\.(only|skip|todo)\(/.test(
              line,
            )
              ? [`${path}:${at + 1} ${line.trim()}`]
              : [],
          ),
      )
    expect(bad).toEqual([])
  })

  it('in the engine never read a clock, unseeded chance or a function whose last bit differs between machines', () => {
    const engine = sources.filter(path => path.startsWith('sim-engine/') && !/^sim-engine\/(cli|worker|threads)/.test(path))
    const bad = engine.flatMap(path =>
      read(path)
        .split('\n')
        .flatMap((line, at) =>
          /^\s*(\/\/|\*|\/\*)/.test(line)
            ? []
            : /\bMath\.(random|exp|log|log1p|log2|log10|expm1|sin|cos|tan|asin|acos|atan|atan2|sinh|cosh|tanh|pow|cbrt|hypot)\(|\bDate\.now\(|\bnew Date\(\)|\bperformance\.now\(|\btoLocale/.test(
                  line,
                )
              ? [`${path}:${at + 1} ${line.trim()}`]
              : [],
        ),
    )
    expect(bad).toEqual([])
  })
})

describe('the engine', () => {
  const engine = sources.filter(path => path.startsWith('sim-engine/'))
  const having = (mark: RegExp) => engine.filter(path => mark.test(read(path)))

  it('has one definition of each', () => {
    // The first bytes of a module.
    expect(having(/0x61, 0x73, 0x6d/), 'encoder of WebAssembly').toEqual(['sim-engine/backends/binary.ts'])
    // One step of xoshiro128 over the streams of JavaScript, and one in the runtime that is lowered.
    const shifts = /<< ?11\) ?\| ?\(\w+ ?>>> ?21\)/g
    const steps = having(/<< ?11\) ?\| ?\(\w+ ?>>> ?21\)/).map(path => [path, read(path).match(shifts)?.length] as const)
    expect(Object.fromEntries(steps), 'random generator').toEqual({
      'sim-engine/kernel/random.ts': 1,
      'sim-engine/runtime/chance.ts': 1,
    })
    // The upper half of ln 2.
    expect(having(/6\.9314718036912381649e-1/), 'logarithm').toEqual(['sim-engine/kernel/math.ts', 'sim-engine/runtime/chance.ts'])
    for (const name of ['quantileOf', 'histogramOf', 'giniOf', 'varianceOf'])
      expect(having(new RegExp(`function ${name}\\(`)), name).toEqual(['sim-engine/kernel/descriptive.ts'])
    expect(having(/giniOf\(/)).toContain('sim-engine/formula/runtime/statistics.ts')
    // Pages draw and count by the same definitions.
    const all = (mark: RegExp) => sources.filter(path => !path.startsWith('tests/') && mark.test(read(path)))
    expect(all(/function logGamma\(/)).toEqual(['sim-engine/kernel/gamma.ts'])
    expect(all(/function quantile(Of)?\(sorted/)).toEqual(['sim-engine/kernel/descriptive.ts'])
  })

  it('reads no text that it has written itself, but for what is counted here, which may only become less', () => {
    const counted: Record<string, number> = {
      'compile/emitter.ts': 2,
      'compile/listed.ts': 2,
      'compile/loops.ts': 18,
      'compile/populations.ts': 1,
      'compile/process.ts': 3,
      'compile/program.ts': 18,
      'compile/tally.ts': 3,
      'compile/watch.ts': 1,
      'formula/emit/expressions.ts': 13,
      'formula/emit/flags.ts': 1,
      'formula/emit/loops.ts': 1,
      'formula/emit/emit.ts': 1,
      'rows/scope.ts': 1,
      'steps/position.ts': 3,
      'steps/selection.ts': 1,
    }
    const reading = /\.(match|matchAll|replace|replaceAll|exec)\(|new RegExp|\/[a-z]*\.test\(/
    const writers = /^sim-engine\/(backends|compile|lower|passes|rows|run|runtime|stencil|steps)\/|^sim-engine\/formula\/emit/
    // These read sources that people wrote: the runtime's own, while the engine is developed, and dates of a calendar.
    const sourceReaders = new Set(['sim-engine/lower/typescript.ts', 'sim-engine/runtime/generate.ts', 'sim-engine/run/calendar.ts'])
    const found = engine
      .filter(path => writers.test(path) && !sourceReaders.has(path))
      .map(
        path =>
          [
            path.slice('sim-engine/'.length),
            read(path)
              .split('\n')
              .filter(line => reading.test(line)).length,
          ] as const,
      )
      .filter(([, lines]) => lines > 0)
    expect(Object.fromEntries(found)).toEqual(counted)
  })
})

it('a class of the page is declared by one stylesheet', () => {
  const places = new Map<string, Set<string>>()
  for (const path of tracked.filter(one => one.endsWith('.css') && !one.endsWith('.module.css')))
    for (const [, name] of read(path).matchAll(/^\s*\.([a-z]-[a-z0-9-]+)\s*[{,]/gm))
      places.set(name!, (places.get(name!) ?? new Set()).add(path))
  expect(places.size).toBeGreaterThan(100)
  expect([...places].filter(([, where]) => where.size > 1).map(([name, where]) => `${name}: ${[...where].join(', ')}`)).toEqual([])
})

describe('the README', () => {
  const readme = read('README.md')

  it('has at most 80 lines and links only to files that exist', () => {
    expect(readme.trimEnd().split('\n').length).toBeLessThanOrEqual(80)
    const links = [...readme.matchAll(/\]\((?!https?:|#)([^)#]+)[^)]*\)/g)].map(match => match[1]!)
    expect(links.length).toBeGreaterThan(5)
    expect(links.filter(link => !existsSync(join(root, link)))).toEqual([])
  })

  it('names only scripts that exist', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
    const named = [...readme.matchAll(/npm run ([\w:]+)/g)].map(match => match[1]!)
    expect(named.filter(name => scripts[name] === undefined)).toEqual([])
  })
})

it('catalogues name only files that exist: the build divides texts by them', () => {
  const named = tracked
    .filter(path => path.endsWith('.po'))
    .flatMap(path => [...read(path).matchAll(/^#: (\S+?)(?::\d+)?$/gm)].map(([, file]) => file!))
  expect(named.length).toBeGreaterThan(1000)
  expect([...new Set(named)].filter(file => !existsSync(join(root, file)))).toEqual([])
})

it('an icon says its English name to nobody: it is hidden from screen readers, or has a name of ours', () => {
  const named = sources
    .filter(path => path.startsWith('client/') && path.endsWith('.tsx'))
    .flatMap(path =>
      [...read(path).matchAll(/<[A-Z][A-Za-z]+(?:Outlined|Filled|TwoTone)\b(?:\s[^<>]*?)?\/>/g)]
        .filter(([icon]) => !/\baria-(hidden|label)\b/.test(icon))
        .map(([icon]) => `${path}: ${icon}`),
    )
  expect(named).toEqual([])
})

it('one copy of Yjs is installed', () => {
  const lock = JSON.parse(read('package-lock.json')) as { packages: Record<string, unknown> }
  expect(Object.keys(lock.packages).filter(path => path.endsWith('node_modules/yjs'))).toEqual(['node_modules/yjs'])
})

it('top-level entries are the agreed ones', () => {
  const top = new Set(tracked.map(path => path.split('/')[0]!))
  const agreed = new Set([
    ...parts,
    'tests',
    'package.json',
    'package-lock.json',
    'tsconfig.json',
    'vite.config.ts',
    'README.md',
    'LICENSE',
    'CONTRIBUTING.md',
  ])
  expect([...top].filter(name => !agreed.has(name) && !name.startsWith('.'))).toEqual([])
})
