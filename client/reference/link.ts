// Where the reference says something about a thing: addresses of its entries (the ids are made in sim-engine/docs.ts).

export const referenceOfFunction = (name: string): string => `/docs#function-${name}`
export const referenceOfElement = (kind: string): string => `/docs#element-${kind}`
export const referenceOfProblem = (code: number): string => `/docs#problem-${code}`
