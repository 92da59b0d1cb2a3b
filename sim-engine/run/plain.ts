/** What a token does at a position in the express lane. `other`: its process function knows. `pass` is for the compiler, plans have none. */
export const plain = { other: 0, pass: 1, request: 2, delay: 3, release: 4, end: 5 } as const
