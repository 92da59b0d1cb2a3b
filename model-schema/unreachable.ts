/** The `default` of a switch over every case of a type. A case that is added and not handled is a type error there. */
export function unreachable(value: never): never {
  throw new TypeError(`a case that no type has: ${JSON.stringify(value)}`)
}
