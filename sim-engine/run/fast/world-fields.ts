// Where the arrays and numbers of the world are that formulas of tokens look at: fields of its objects.
import type { WorldPath } from '../../lower/processes/world-words.ts'
import type { Built } from '../build.ts'

/** A field of an object; `owner` of what never changes is a copy of its own. */
export type Field = { readonly owner: object; readonly field: string }

export function fieldAt({ world }: Built, path: WorldPath): Field {
  if (path.is === 'near') {
    const { steps, first } = world.space(path.space).grid.near(path.shape, path.radius)
    return { owner: { steps, first }, field: path.field }
  }
  const links = world.linksOf(world.population(path.links))
  return { owner: path.is === 'links' ? links : links.nodes(world.population(path.node)), field: path.field }
}
