// Which engine makes the runs of this page: runs are equal for the same engine only, so samples of two engines are never put into one table.

/** Hash of the engine's sources (`engineHash`), set by the build; empty where there is no build. */
export const pageEngine: string = import.meta.env['VITE_ENGINE'] ?? ''

/** Whether samples were made by the engine `own`. Entries of versions that did not record it are taken to be of another one. */
export const isOfEngine = ({ engine }: { engine?: string | undefined }, own: string = pageEngine): boolean => (engine ?? '') === own
