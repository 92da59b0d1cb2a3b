// Which files a page will ask for, of those that were built.

/** Files, by what the page is about to show. Addresses from the root of the site. */
export type Early = {
  /** The files of each language. */
  readonly languages: Readonly<Record<string, readonly string[]>>
  /** The texts of each language that a model's page does not begin with. */
  readonly texts: Readonly<Record<string, readonly string[]>>
  /** What a model's page begins with. */
  readonly model: readonly string[]
}

/** The relevant properties of a built chunk. */
export type Chunk = {
  readonly fileName: string
  readonly facadeModuleId: string | null
  readonly imports: readonly string[]
  readonly styles: readonly string[]
}

/** The files of the modules with these endings of their addresses, with all that they import, without those that `known` modules bring. */
export function filesOf(chunks: readonly Chunk[], modules: readonly string[], known: readonly string[]): string[] {
  const byName = new Map(chunks.map(chunk => [chunk.fileName, chunk]))
  const closure = (ends: readonly string[]): Set<string> => {
    const found = new Set<string>()
    const visit = (chunk: Chunk | undefined): void => {
      if (chunk === undefined || found.has(chunk.fileName)) return
      found.add(chunk.fileName)
      for (const style of chunk.styles) found.add(style)
      for (const next of chunk.imports) visit(byName.get(next))
    }
    for (const end of ends) {
      const chunk = chunks.find(one => one.facadeModuleId?.endsWith(end) === true)
      if (chunk === undefined) throw new Error(`nothing was built of ${end}`)
      visit(chunk)
    }
    return found
  }
  const there = closure(known)
  return [...closure(modules)].filter(file => !there.has(file))
}

/** The paths of pages that show a model. */
const modelPath = /^\/(modeling|lib)\//

export const showsModel = (path: string): boolean => modelPath.test(path)
