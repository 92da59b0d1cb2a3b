/** What a token does at a position in the express lane. `other`: its process function knows. `pass` is for the compiler, plans have none. */
export const plain = { other: 0, pass: 1, request: 2, delay: 3, release: 4, end: 5 } as const

/** Codes from here on: what is sought here is asked for first, by its number; `ExpressPlan.behind` says what then is done. */
export const soughtFrom = 6
