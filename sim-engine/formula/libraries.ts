// Calls written for libraries of other languages, such as np.random.rand(): what to write instead.
import type { Expr, NameNode } from './ast.ts'
import { rowOf, rows } from './library/library.ts'
import { nearest } from './mistakes.ts'
import { say, type Words } from '../../model-schema/words.ts'

const libraries: ReadonlySet<string> = new Set(
  'np numpy math Math random rng statistics stats scipy sp pd pandas itertools functools collections datetime mesa torch tf'.split(' '),
)

/** Functions of these libraries that have another name here. */
const namesHere: ReadonlyMap<string, string> = new Map([
  ['rand', 'random()'],
  ['random_sample', 'random()'],
  ['randn', 'normal()'],
  ['standard_normal', 'normal()'],
  ['gauss', 'normal(mean, std)'],
  ['normalvariate', 'normal(mean, std)'],
  ['lognormvariate', 'lognormal(mean, sigma)'],
  ['expovariate', 'exponential(mean)'],
  ['betavariate', 'beta(a, b)'],
  ['gammavariate', 'gamma(shape, scale)'],
  ['weibullvariate', 'weibull(a, scale)'],
  ['paretovariate', 'pareto(a, scale)'],
  ['integers', 'randint(low, high)'],
  ['randrange', 'randint(low, high)'],
  ['permutation', 'shuffled(items)'],
  ['arange', 'range(start, stop, step)'],
  ['average', 'mean(items)'],
  ['stdev', 'std(items)'],
  ['pstdev', 'std(items)'],
  ['percentile', 'quantile(items, q)'],
  ['corrcoef', 'correlation(a, b)'],
  ['cumsum', 'cumulative(items)'],
  ['maximum', 'max(a, b)'],
  ['minimum', 'min(a, b)'],
  ['absolute', 'abs(x)'],
  ['power', 'pow(x, y)'],
  ['clip', 'clamp(x, low, high)'],
  ['fabs', 'abs(x)'],
])

/** The name that `a.b.c` begins with, and `a.b.c` as it is written; null when it begins with something else. */
function pathOf(node: Expr): { root: NameNode; text: string } | null {
  if (node.is === 'name') return { root: node, text: node.name }
  if (node.is !== 'member') return null
  const path = pathOf(node.of)
  return path && { root: path.root, text: `${path.text}.${node.name}` }
}

/**
 * What to write instead of the call `owner.name(...)` of a library's function: the function of the formula language that is
 * meant. Null when `owner` is no library, or begins with a name of the model (`isKnown`).
 */
export function libraryCall(owner: Expr, name: string, isKnown: (name: string) => boolean): Words | null {
  const path = pathOf(owner)
  if (!path || isKnown(path.root.name)) return null
  const prefix = path.text
  const isLibrary = libraries.has(path.root.name)
  if (rowOf(name) && (isLibrary || path.root === owner))
    return say('write {name}(...) without "{prefix}.": all functions are there by themselves', { name, prefix })
  if (!isLibrary) return null
  const here = namesHere.get(name)
  if (here !== undefined)
    return say('write {here} instead of {prefix}.{name}(...): all functions are there by themselves', { here, prefix, name })
  const near = nearest(
    name,
    rows.map(row => row.signature.name),
  )
  return say('there is no {prefix}.{name}: the formula language has functions of its own and no libraries{more}', {
    prefix,
    name,
    more: near === undefined ? '' : say('; did you mean {near}(...)?', { near }),
  })
}
