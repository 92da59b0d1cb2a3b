// How values of formulas are taken apart for a snapshot and made again.
import { FormulaDate, FormulaDict, FormulaRange, FormulaSet, Ref, Tuple } from '../formula/runtime/values.ts'
import { plainCodecs, type Codec } from '../kernel/snapshot.ts'
import { Container } from './container.ts'
import { Population } from './population.ts'
import { Space } from './space.ts'
import type { World } from './world.ts'

export function codecsOf(world: World): readonly Codec[] {
  return [
    ...plainCodecs,
    {
      tag: 'tuple',
      is: value => value instanceof Tuple,
      parts: value => (value instanceof Tuple ? value.items : []),
      make: parts => new Tuple(parts),
    },
    {
      tag: 'fset',
      is: value => value instanceof FormulaSet,
      parts: value => (value instanceof FormulaSet ? value.items() : []),
      make: () => new FormulaSet(),
      fill(made, parts) {
        if (made instanceof FormulaSet) for (const part of parts) made.add(part)
      },
    },
    {
      tag: 'dict',
      is: value => value instanceof FormulaDict,
      parts: value => (value instanceof FormulaDict ? value.keys().flatMap(key => [key, value.get(key)]) : []),
      make: () => new FormulaDict(),
      fill(made, parts) {
        if (made instanceof FormulaDict) for (let k = 0; k < parts.length; k += 2) made.set(parts[k], parts[k + 1])
      },
    },
    {
      tag: 'date',
      is: value => value instanceof FormulaDate,
      parts: value => (value instanceof FormulaDate ? [value.ms] : []),
      make: ([ms]) => new FormulaDate(Number(ms)),
    },
    {
      tag: 'range',
      is: value => value instanceof FormulaRange,
      parts: value => (value instanceof FormulaRange ? [value.start, value.stop, value.step] : []),
      make: ([start, stop, step]) => new FormulaRange(Number(start), Number(stop), Number(step)),
    },
    {
      tag: 'ref',
      is: value => value instanceof Ref,
      parts: value => (value instanceof Ref && value.population instanceof Population ? [value.population.index, value.handle] : []),
      make: ([index, handle]) => world.ref(world.population(Number(index)), Number(handle)) ?? {},
    },
    {
      tag: 'population',
      is: value => value instanceof Population,
      parts: value => (value instanceof Population ? [value.index] : []),
      make: ([index]) => world.population(Number(index)),
    },
    {
      tag: 'container',
      is: value => value instanceof Container,
      parts: value => (value instanceof Container ? [value.index] : []),
      make: ([index]) => world.containers.at(Number(index)),
    },
    {
      tag: 'space',
      is: value => value instanceof Space,
      parts: value => (value instanceof Space ? [world.spaces.indexOf(value)] : []),
      make: ([index]) => world.spaces[Number(index)] ?? {},
    },
  ]
}
