// The file that was just made: the line above it asks for its name.
let made: string | null = null

export const nameNext = (id: string | null): void => void (made = id)
export const isToBeNamed = (id: string): boolean => made === id
