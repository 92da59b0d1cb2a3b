// The types of formulas as texts, made from their short form. Names of functions and parameters stay: they are what one writes in a formula.
import { joined, sayIn, verbatim, type Value, type Words } from '../../model-schema/words.ts'

const types: ReadonlyMap<string, Words> = new Map(
  Object.entries({
    number: sayIn('type of a value', 'number'),
    integer: sayIn('type of a value', 'integer'),
    bool: sayIn('type of a value', 'bool'),
    text: sayIn('type of a value', 'text'),
    date: sayIn('type of a value', 'date'),
    range: sayIn('type of a value', 'range'),
    none: sayIn('type of a value', 'none'),
    any: sayIn('type of a value', 'any'),
    never: sayIn('type of a value', 'never'),
    list: sayIn('type of a value', 'list'),
    set: sayIn('type of a value', 'set'),
    tuple: sayIn('type of a value', 'tuple'),
    dict: sayIn('type of a value', 'dict'),
    items: sayIn('type of a value', 'items'),
    function: sayIn('type of a value', 'function'),
    entity: sayIn('type of a value', 'entity'),
    entities: sayIn('type of a value', 'entities'),
    agent: sayIn('type of a value', 'agent'),
    cell: sayIn('type of a value', 'cell'),
    link: sayIn('type of a value', 'link'),
    population: sayIn('type of a value', 'population'),
    observer: sayIn('type of a value', 'observer'),
    process: sayIn('type of a value', 'process'),
    element: sayIn('type of a value', 'element'),
  }),
)

const typesOf: Readonly<Record<string, (of: Words) => Words>> = {
  items: of => sayIn('type of a value', 'items of {of}', { of }),
  list: of => sayIn('type of a value', 'list of {of}', { of }),
  set: of => sayIn('type of a value', 'set of {of}', { of }),
  function: of => sayIn('type of a value', 'function of {of}', { of }),
  entities: of => sayIn('type of a value', 'entities of {of}', { of }),
  entity: of => sayIn('type of a value', 'entity of {of}', { of }),
}

/** `list of number` in words. What is no type stays as it is: a type variable, None. */
export function typeWords(shown: string): Words {
  const dict = /^dict of (.+?) to (.+)$/.exec(shown)
  if (dict) return sayIn('type of a value', 'dict of {key} to {value}', { key: typeWords(dict[1] ?? ''), value: typeWords(dict[2] ?? '') })
  const of = /^(items|list|set|function|entities|entity) of (.+)$/.exec(shown)
  if (of) return typesOf[of[1] ?? '']?.(typeWords(of[2] ?? '')) ?? verbatim(shown)
  const tuple = /^tuple \((.*)\)$/.exec(shown)
  if (tuple) return sayIn('type of a value', 'tuple ({types})', { types: (tuple[1] ?? '').split(', ').map(typeWords) })
  const population = /^population as (\w+)$/.exec(shown)
  if (population) return sayIn('type of a value', 'population as {name}', { name: population[1] ?? '' })
  return types.get(shown) ?? verbatim(shown)
}

/** The types in a whole signature: `mean(items: items of number) -> number`. Any other text stays. */
export function signatureWords(shown: string): Words {
  if (!/\) -> \S/.test(shown)) return verbatim(shown)
  const parts: Value[] = []
  let at = 0
  for (const { 0: all, 1: before = '', 2: type = '', index } of shown.matchAll(/(: |\) -> )(.+?)(?= = |, \*?\w+: |\) -> |$)/g)) {
    parts.push(shown.slice(at, index) + before, typeWords(type))
    at = index + all.length
  }
  return joined([...parts, shown.slice(at)])
}
