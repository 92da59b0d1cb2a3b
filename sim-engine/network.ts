// What pages ask of neural networks: their weights as files, what they calculate, and fits to tables.
export { Unreadable, fromOnnx, fromSafetensors, mostBytes, toOnnx, toSafetensors, type Imported } from './learn/exchange.ts'
export { decodeWeights, describe, fieldsOfNetwork, MOST_KEPT, type Described } from './learn/network.ts'
export { best, softmax, weightCount, type Shape } from './learn/net/shape.ts'
export { Net } from './learn/net/net.ts'
export { choicesOf, boundsOf, valuesOf } from './learn/choices.ts'
export { fitDefaults, type FitRow, type Fitted } from './learn/fit/fit.ts'
export type { FromFitter, ToFitter } from './learn/fit/serve.ts'
export { tableOfDecisions } from './learn/fit/recorded.ts'
