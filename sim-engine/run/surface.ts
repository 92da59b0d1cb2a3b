// What steps need in addition to tokens: choosing, placing, linking, sending, starting, values. Generated code calls it `X`.
import type { World } from '../world/world.ts'
import { aggregateCalls } from './surface/aggregates.ts'
import { choiceCalls } from './surface/choosing.ts'
import { goodsCalls } from './surface/goods.ts'
import { linkCalls } from './surface/linking.ts'
import { placeCalls } from './surface/placing.ts'
import { valueCalls } from './surface/values.ts'

/** The parts of `X` that know only the world. */
export const worldSurface = (world: World) => ({
  ...valueCalls,
  ...choiceCalls(world),
  ...placeCalls(world),
  ...linkCalls(world),
  ...goodsCalls(world),
  ...aggregateCalls,
})
