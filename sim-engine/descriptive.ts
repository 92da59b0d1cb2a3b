// Door: the definitions of statistics and special functions, for what draws them.
export { quantileOf } from './kernel/descriptive.ts'
export { logGamma } from './kernel/gamma.ts'
