// Ids of elements: made on the client, usable in a URL, as an object key and before the `/` of a facet key.
import { customAlphabet } from 'nanoid'
import type { Id } from './model.ts'

/** A new element id: 14 of 62 characters, 83 random bits. */
export const newId: () => Id = customAlphabet('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz', 14)

/** Whether this can be an element id: 1-64 letters, digits, `_` or `-`, not starting with a sign, and no word every object has. */
export const isId = (id: unknown): id is Id =>
  typeof id === 'string' && /^[0-9A-Za-z][0-9A-Za-z_-]{0,63}$/.test(id) && !(id in Object.prototype)

/** Whether this can be the id of a field (also of one this build doesn't know). */
export const isFieldId = (id: unknown): id is string =>
  typeof id === 'string' && /^[A-Za-z][0-9A-Za-z_-]{0,63}$/.test(id) && !(id in Object.prototype)
