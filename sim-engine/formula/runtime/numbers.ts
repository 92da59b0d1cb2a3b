export const power = (a: number, b: number): number => a ** b
