// Addresses of the entries of the reference (the ids are made in sim-engine/docs.ts).

export const referenceOfFunction = (name: string): string => `/docs#function-${name}`
export const referenceOfElement = (kind: string): string => `/docs#element-${kind}`
export const referenceOfProblem = (code: number): string => `/docs#problem-${code}`
