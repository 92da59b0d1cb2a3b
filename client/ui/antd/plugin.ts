// The styles of Ant Design's components as one file, made when the client is built: without it each component writes its rules when a
// page first shows it. The package has one style sheet of all components, with the theme's values as CSS variables; what belongs
// to components that the client never imports is left out.
import { createHash } from 'node:crypto'
import { globSync, readFileSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'
import { prune } from './prune.ts'

const client = fileURLToPath(new URL('../..', import.meta.url))
const antd = dirname(createRequire(import.meta.url).resolve('antd/package.json'))
const modules = join(antd, 'es')

const asked = 'virtual:antd-styles'

export function antdStyles(): Plugin {
  const css = stylesOf(importedComponents())
  const fileName = `assets/antd-${createHash('sha256').update(css).digest('base64url').slice(0, 8)}.css`
  return {
    name: 'holarchy-antd-styles',
    resolveId: source => (source === asked ? `\0${asked}` : null),
    load: id => (id === `\0${asked}` ? `export default ${JSON.stringify(`/${fileName}`)}` : null),
    configureServer(server) {
      server.middlewares.use(`/${fileName}`, (_request, response) => void response.setHeader('Content-Type', 'text/css').end(css))
    },
    generateBundle() {
      this.emitFile({ type: 'asset', fileName, source: css })
    },
  }
}

/** For pages that come as one file: their components write their styles themselves. */
export const withoutAntdStyles: Plugin = {
  name: 'holarchy-without-antd-styles',
  resolveId: source => (source === asked ? `\0${asked}` : null),
  load: id => (id === `\0${asked}` ? 'export default null' : null),
}

/** The names of the components that the client's sources import. */
export function importedComponents(): ReadonlySet<string> {
  const names = new Set<string>()
  for (const file of globSync('**/*.{ts,tsx}', { cwd: client })) {
    for (const [, list = ''] of readFileSync(join(client, file), 'utf8').matchAll(/import \{([^}]*)\} from 'antd'/g)) {
      for (const name of list.split(',')) names.add(name.trim().split(' as ')[0] ?? '')
    }
  }
  return names
}

/** The rules of these components (`Button`) and of all that they are made of. */
export function stylesOf(components: ReadonlySet<string>): string {
  const used = foldersOf(components)
  const kept = new Set<string>()
  const others = new Set<string>()
  for (const file of globSync('*/**/*.js', { cwd: modules })) {
    const names = used.has(file.split(sep)[0] ?? '') ? kept : others
    for (const [, name = ''] of readFileSync(join(modules, file), 'utf8').matchAll(/getPrefixCls\('([a-z-]+)'/g)) names.add(name)
  }
  return prune(readFileSync(join(antd, 'dist', 'antd.css'), 'utf8'), others.difference(kept))
}

/** The folders of the package with styles of these components, or of components that they import. */
function foldersOf(components: ReadonlySet<string>): ReadonlySet<string> {
  const reached = new Set<string>()
  const reach = (file: string): void => {
    if (reached.has(file)) return
    reached.add(file)
    for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(/(?:from|import) ["'](\.[^"']*)["']/g))
      reach(moduleAt(join(dirname(file), path)))
  }
  const index = readFileSync(join(modules, 'index.js'), 'utf8')
  for (const [, name = '', folder = ''] of index.matchAll(/export \{ default as (\w+) \} from '\.\/([\w-]+)'/g)) {
    if (components.has(name)) reach(join(modules, folder, 'index.js'))
  }
  const folders = [...reached].map(file => file.slice(modules.length + 1).split(sep))
  return new Set(folders.filter(path => path.some(part => /^style(\.js)?$/.test(part))).map(([folder = '']) => folder))
}

function moduleAt(path: string): string {
  const found = [path, `${path}.js`, join(path, 'index.js')].find(candidate => statSync(candidate, { throwIfNoEntry: false })?.isFile())
  if (found === undefined) throw new Error(`Ant Design has no module ${path}`)
  return found
}
