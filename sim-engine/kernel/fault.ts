/**
 * An error of the engine or its caller: a damaged snapshot, an invalid time. It is a RangeError of a class of its own, so that
 * those of the host - its stack, its memory - can be distinguished from it without reading their text.
 */
export class EngineFault extends RangeError {
  override readonly name = 'EngineFault'
}
