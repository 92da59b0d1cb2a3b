// Kinds and phases of calendar events, and the bounds on what may happen at one instant.

/** Kinds of calendar events. */
export const eventKind = {
  resume: 1,
  timer: 2,
  tick: 3,
  message: 4,
  watch: 5,
  schedule: 6,
  sample: 7,
  birth: 8,
  expire: 9,
  gate: 10,
  warmUp: 11,
  end: 12,
  block: 13,
} as const

/** Phases within an instant. */
export const phase = { input: 0, timer: 1, message: 2, tick: 3, condition: 4 } as const

/** A boundary loses against a completion at the same time. */
export const lastPriority = 1e9

export const maximumDepth = 10_000
export const maximumSteps = 1_000_000
