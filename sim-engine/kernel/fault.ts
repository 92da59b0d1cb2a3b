/**
 * The engine, or whoever calls it, is wrong: a damaged snapshot, a time that is none. It is a RangeError of a class of its own, so that
 * those of the host - its stack, its memory - can be told from it without reading their text.
 */
export class EngineFault extends RangeError {
  override readonly name = 'EngineFault'
}
