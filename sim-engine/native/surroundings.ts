// What names in a program's text stand for: arrays and numbers of one run, by their paths (`p0_x`, `R0.heads`,
// `S0.grid.columns`), and the calls, written anew so that they go to the library.
import { textOf } from '../check/resolve.ts'
import type { Program } from '../compile.ts'
import type { Built } from '../run/build.ts'
import { argumentsFrom, cellsAround, chosenFrom, standingOn } from './lists.ts'
import type { Scalar, Surroundings } from './lower.ts'
import { elementOf, numeric } from './scope.ts'
import type { Scope } from './scope.ts'
import { coded, textColumns } from './texts.ts'
import type { Coded } from './texts.ts'

export type PopulationShape = {
  readonly index: number
  /** First values of its columns of numbers, in their order. */
  readonly columns: readonly { readonly initial: number }[]
  /** Its columns of texts that rows mention. */
  readonly texts: readonly string[]
  /** It has others that hold no numbers. */
  readonly hasOthers: boolean
  readonly residents: { readonly space: number; readonly isListed: boolean } | null
  /** The space they are the cells of. */
  readonly cellsOf: number | null
  /** Rows give birth to them or kill them. */
  readonly changes: boolean
}

export type SpaceShape = {
  readonly index: number
  readonly isDiscrete: boolean
  readonly isPlane: boolean
  /** Cells have room for so many. */
  readonly isCapped: boolean
  readonly border: 'stop' | 'reflect' | 'error'
}

/** What all runs of a program have in common. */
export type Shape = {
  readonly populations: readonly PopulationShape[]
  readonly spaces: readonly SpaceShape[]
  /** Populations of links whose nodes are looked at. */
  readonly networks: readonly number[]
}

/** Of a text made by `rewritten`. */
export function shapeOf({ text, columns }: Coded, program: Program, { world }: Built): Shape {
  const changing = new Set(Array.from(text.matchAll(/\b(?:create|die)\$(\d+)\(/g), ([, p]) => Number(p)))
  const { parts } = program.checked
  return {
    populations: world.populations.map(population => {
      const { index } = population
      const residents = world.residents(population)
      const texts = [...columns.keys()].filter(name => name.startsWith(`p${index}_`))
      return {
        index,
        columns: numeric(population).map(({ initial }) => ({ initial })),
        texts,
        hasOthers: [...population.columns.values()].some(({ type, name }) => type === 'any' && !texts.includes(`p${index}_${name}`)),
        residents: residents && { space: world.spaces.indexOf(residents.space), isListed: residents.isListed },
        cellsOf: population.kind === 'cell' ? (parts.entities[index]?.space?.index ?? null) : null,
        changes: changing.has(index) && isBare(program, index),
      }
    }),
    spaces: world.spaces.map((space, index) => {
      const part = parts.spaces[index]
      const border = part ? textOf(part.element, 'border') : ''
      return {
        index,
        isDiscrete: space.isDiscrete,
        isPlane: !space.is3D,
        isCapped: space.cellCapacity !== Infinity,
        border: border === 'reflect' || border === 'error' ? border : 'stop',
      }
    }),
    networks: Array.from(new Set(Array.from(text.matchAll(/\blook\$(\d+)\(/g), ([, l]) => Number(l)))),
  }
}

/** Whether nothing but a place and tokens can hang on an agent: the library ends no lives with more. */
function isBare({ checked: { parts } }: Program, index: number): boolean {
  const entity = parts.entities[index]
  if (entity?.kind !== 'agent' || parts.messages.length > 0 || parts.entities.some(({ kind }) => kind === 'link')) return false
  return entity.containers.every(({ level }) => level !== 'individual')
}

/** What a tick can reach, with calls of methods as calls of the library. */
export function rewritten({ source, checked: { parts } }: Program): Coded {
  const text = withoutNull(reached(source))
  return coded(redirected(parts.spaces.length === 1 ? cellsAround(chosenFrom(standingOn(text))) : text), textColumns(parts))
}

function redirected(text: string): string {
  return unaliased(text)
    .replaceAll(/\bW\.die\(P(\d+), ?/g, (_, p: string) => `die$${p}(`)
    .replaceAll(/\bW\.is_alive\(P(\d+), /g, (_, p: string) => `alive$${p}(`)
    .replaceAll(/\bW\.live\(P\d+,/g, 'gone$(')
    .replaceAll(/\bF\.choice\((r\d+), W\.individuals\(P(\d+)\), /g, (_, stream: string, p: string) => `anyOf$${p}(${stream}, `)
    .replaceAll(/\bP(\d+)\.(create|shuffled)\(/g, (_, p: string, name: string) => `${name}$${p}(`)
    .replaceAll(
      /\bX\.placeBeside\(S\d+,R(\d+),(\w+),R(\d+),(\w+)\)/g,
      (_, p: string, slot: string, mother: string, at: string) =>
        `placeBeside$${p}(${slot},R${mother}.bucket[${at}],R${mother}.x[${at}],R${mother}.y[${at}])`,
    )
    .replaceAll(
      /\bS\d+\.(stepTo|placeOnCellAt|placeOnCell|placeAtRandom|place|translate|forward|turn|setHeading)\(R(\d+),/g,
      (_, name: string, p: string) => `${name}$${p}(`,
    )
    .replaceAll(
      /\bconst found=S\d+\.scan\(R(\d+),(\w+),(\w+),0,(\w+),(\w+)\);for\(let k=0;k<found\.length;k\+\+\)\{const (\w+)=found\[k\];/g,
      (_, p: string, x: string, y: string, radius: string, except: string, slot: string) =>
        `const found=N.top;scan$${p}(${x},${y},${radius},${except});for(let k=found,end=N.top;k<end;k++){const ${slot}=N.found[k];`,
    )
    .replaceAll(/\bS\d+\.cellOf\(R(\d+),/g, (_, p: string) => `cellOf$${p}(`)
    .replaceAll(/\bS(\d+)\.(randomCell|randomEmptyCell|cellX|cellY)\(/g, (_, s: string, name: string) => `${name}$${s}(`)
    .replaceAll(/\bln(\d+)\.look\(L\d+,/g, (_, l: string) => `look$${l}(`)
    .replaceAll(
      /\b(p(\d+)_[vn]\d+)\.set\((p\2_[vn]\d+)\);/g,
      (_, to: string, p: string, from: string) => `for(let k=0,n=P${p}.top;k<n;k++)${to}[k]=${from}[k];`,
    )
}

const reached = (source: string): string =>
  source
    .replace(/^[^]*?\nfunction bind\(\)\{.*\n/, '')
    .replace(/\nfunction early\([^]*?(?=\nfunction tick\(\))/, '')
    .replace(/\nconst run=\[[^]*$/, '')

/** Who lives, in loops over a whole population, by its own name. */
function unaliased(text: string): string {
  let made = text
  for (const [alias, name, p] of text.matchAll(/\b(a_\d+)=P(\d+)\.living,/g))
    made = made.replace(alias, '').replaceAll(`${name}[`, `P${p}.living[`)
  return made
}

/** Calls that leave something out are others than those that don't. */
function withoutNull(text: string): string {
  let made = ''
  let from = 0
  for (const match of text.matchAll(/\bF\.(round|log|randint)\(/g)) {
    const start = match.index + match[0].length
    const given = argumentsFrom(text, start)
    const at = given.findIndex(([low, high]) => text.slice(low, high).trim() === 'null')
    if (at < 0 || match.index < from) continue
    const [low, high] = given[at]!
    made += `${text.slice(from, match.index)}${match[1]}1$(${text.slice(start, low - 1)}`
    from = high
  }
  return made + text.slice(from)
}

/** Of the formula runtime: done in the library. */
const done = new Map(
  Object.entries({
    'F.pick': 'pick$',
    'F.random': 'random$',
    'F.uniform': 'uniformIn$',
    'F.randint': 'randint$',
    'F.bernoulli': 'bernoulli$',
    'F.normal': 'normal$',
    'F.lognormal': 'lognormal$',
    'F.exponential': 'exponential$',
    'F.poisson': 'poisson$',
    'F.sqrt': 'sqrt$',
    'F.clamp': 'clamp$',
    'F.sin': 'sinOf$',
    'F.cos': 'cosOf$',
    'F.atan2': 'atan2$',
    'F.radians': 'radians$',
    'F.degrees': 'degrees$',
    'F.mod': 'mod$',
    'F.floordiv': 'floordiv$',
    'W.cell_at': 'cellAt$',
    'F.refuel': 'refuel$',
    'F.enter': 'enter$',
    'F.leave': 'leave$',
    'X.whole': 'whole$',
    'X.weight': 'weight$',
    'X.ratio': 'ratio$',
    'X.number': 'number$',
    'X.uniform': 'uniform',
    'X.below': 'below',
  }),
)

/** Functions of numbers that are called as they are, and how many numbers they take, the two of the place among them. */
export const called: ReadonlyMap<string, number> = new Map(
  Object.entries({
    finite: 3,
    div: 4,
    pow: 4,
    cbrt: 3,
    exp: 3,
    expm1: 3,
    log10: 3,
    log2: 3,
    log1p: 3,
    tan: 3,
    asin: 3,
    acos: 3,
    atan: 3,
    sinh: 3,
    cosh: 3,
    tanh: 3,
    hypot: 4,
    factorial: 3,
    comb: 4,
    gcd: 4,
    whole: 3,
    amount: 3,
    int: 3,
    float: 3,
  }),
)

const f64 = (n: number): Scalar[] => Array.from({ length: n }, () => 'f64')

/** What is imported beside `called`: the engine's own. */
const own = new Map<string, { parameters: readonly Scalar[]; result: Scalar | null }>([
  ['X.fail', { parameters: ['f64'], result: null }],
  ['X.found', { parameters: [], result: null }],
  ['X.item', { parameters: f64(4), result: 'f64' }],
  ['modFar$', { parameters: f64(4), result: 'f64' }],
  ['floordivFar$', { parameters: f64(4), result: 'f64' }],
  ['F.empty', { parameters: f64(2), result: null }],
  ['F.spent', { parameters: f64(2), result: null }],
  ['raise$', { parameters: f64(3), result: null }],
  ['gone$', { parameters: f64(3), result: 'f64' }],
  ['widen$', { parameters: ['i32'], result: null }],
  ['layBuckets$', { parameters: ['i32'], result: null }],
  ['K.startAfter', { parameters: f64(3), result: null }],
  ['K.startAgain', { parameters: f64(3), result: null }],
  ['X.startSoon', { parameters: f64(2), result: null }],
  ['moreFound$', { parameters: [], result: null }],
  ['trackEmpty$', { parameters: ['i32'], result: null }],
  ['logGamma$', { parameters: ['f64'], result: 'f64' }],
  ['ln$', { parameters: ['f64'], result: 'f64' }],
  ['exp$', { parameters: ['f64'], result: 'f64' }],
  ['sinFar$', { parameters: ['f64'], result: 'f64' }],
  ['cosFar$', { parameters: ['f64'], result: 'f64' }],
  ['atan2Far$', { parameters: f64(2), result: 'f64' }],
])

/** Those that make room: arrays lie elsewhere afterwards. */
const moving = new Set(['widen$', 'moreFound$', 'trackEmpty$', 'layBuckets$'])

/** Numbers that are whole and small, by the last word of their path. */
const whole = new Set(
  (
    'pending stirred depth count top livingCount settled capacity freedCount placed behind end emptyCount length stamp ' +
    'columns rows layers size bucketColumns bucketRows bucketLayers wrapX wrapY counts tracksEmpty'
  ).split(' '),
)
const real = new Set('maximum births cellCapacity width height lowX lowY bucketSideX bucketSideY minX minY maxX maxY time tick'.split(' '))

/** Columns of a population. */
const columnsOf = /^(p\d+)_([vn]\d+|bucket|heading|[xyz])$/

/** Of spaces, what is the same from a run's beginning to its end, and nearly always from run to run. */
const steady = /^(S\d+\.(grid\.\w+|cellCapacity|wrap[XY]|low[XY]|width|height|m[ai][nx][XY])|Z\d+\.(counts|tracksEmpty))$/

/**
 * For the lowering of a text. What is `steady` is taken for granted and put into `assumed`, so that nothing is made of what cannot
 * come; without `assumed` nothing is. `looped`: populations of cells whose stencil is of no use, so that the loop over them is lowered.
 */
export function surroundingsOf(
  scope: Scope,
  text: string,
  assumed: Map<string, number> | null,
  looped: ReadonlySet<number> = new Set(),
): Surroundings {
  // Who asks for an empty cell makes a space list them.
  const isAssumed = (path: string): boolean =>
    assumed !== null && steady.test(path) && !(path.startsWith('Z') && text.includes('randomEmptyCell$'))
  return {
    isRare: name => name.startsWith('placeOnCellAt$'),
    path: path => {
      if (path === 'NaN') return { is: 'constant', value: Number.NaN }
      if (path === 'Infinity') return { is: 'constant', value: Infinity }
      const found = scope.at(path)
      const of = elementOf(found)
      if (of) return { is: 'array', of, group: columnsOf.exec(path)?.[1] }
      if (typeof found !== 'number' && typeof found !== 'boolean') return undefined
      const name = path.slice(path.lastIndexOf('.') + 1)
      if (isAssumed(path)) {
        assumed?.set(path, Number(found))
        return { is: 'constant', value: Number(found) }
      }
      const isSmall = Number(found) === (Number(found) | 0)
      // Names without a dot: who acts, and steps to neighbours.
      if (whole.has(name) || name === path || path.includes('.grid.')) return isSmall ? { is: 'number', of: 'i32' } : undefined
      return real.has(name) ? { is: 'number', of: 'f64' } : undefined
    },
    call: path => {
      const [, act, p] = /^(cells|commitCells)(\d+)$/.exec(path) ?? []
      if (act && looped.has(Number(p))) return { is: 'function', name: `${act === 'cells' ? 'each' : 'commitEach'}${p}`, self: [] }
      if (act) return { is: 'import', parameters: [], result: null, moves: true }
      const name = done.get(path)
      if (name !== undefined) return { is: 'function', name, self: [] }
      const given = own.get(path)
      if (given) return { is: 'import', ...given, moves: moving.has(path), fails: path === 'gone$' }
      const taken = path.startsWith('F.') ? called.get(path.slice(2)) : undefined
      return taken === undefined ? undefined : { is: 'import', parameters: f64(taken), result: 'f64', moves: false }
    },
  }
}
