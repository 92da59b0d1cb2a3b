// The parts of zod that the client uses, one by one: a namespace would bring all of it into every page.
import { config } from 'zod/mini'

// The page's policy forbids code made from text. Without this, zod tries it and the browser reports a violation.
config({ jitless: true })

export {
  NEVER,
  _default,
  array,
  boolean,
  catch,
  custom,
  discriminatedUnion,
  enum,
  exactOptional,
  gte,
  instanceof,
  int,
  json,
  literal,
  looseObject,
  lt,
  lte,
  maxLength,
  nullable,
  number,
  object,
  optional,
  partialRecord,
  pipe,
  positive,
  record,
  refine,
  regex,
  string,
  transform,
  tuple,
  undefined,
  union,
  unknown,
} from 'zod/mini'
export type { ZodMiniType } from 'zod/mini'
