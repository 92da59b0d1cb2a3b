// Files to be opened with the copilot: a proposal waits there.
const waiting = new Set<string>()

export const openBeside = (docId: string): void => void waiting.add(docId)
export const opensBeside = (docId: string): boolean => waiting.has(docId)
export const openedBeside = (docId: string): void => void waiting.delete(docId)
