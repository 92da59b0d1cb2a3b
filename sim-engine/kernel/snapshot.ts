// State as data: what a world is made of, as a tree of plain values and typed arrays. Every part of the world has
// `save(): State` and `load(state)`; a snapshot is such a tree, a hash is taken over it in its own order.

/** A structured-clonable tree. Typed arrays in it are copies: nobody writes them afterwards. */
export type State = null | boolean | number | string | Numbers | readonly State[] | { readonly [key: string]: State }

export type Numbers = Float64Array | Float32Array | Int32Array | Uint32Array | Int16Array | Uint16Array | Int8Array | Uint8Array

/** FNV-1a (http://www.isthe.com/chongo/tech/comp/fnv) over the tree in written order: sixteen hexadecimal digits. */
export declare function hashOf(state: State): string
