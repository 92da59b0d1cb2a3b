// The part of an address that requests a tutorial: its fragment, after #.

export const lessonHash = (lesson: string): string => `lesson-${lesson}`

/** The tutorial asked for; null when none is. */
export const lessonOf = (hash: string): string | null => /^#lesson-([a-z][a-z-]{0,40})$/.exec(hash)?.[1] ?? null
