// Whose files are meant: an account's, or this device's own.

/** The user of the workspace that lives on this device alone. */
export const DEVICE_USER = 'device'

/** Whose files, and the code of their workspace in routes. */
export type Place = { user: { id: string; name: string; avatar?: string | null }; team: string; local: boolean }

/** The workspace that lives on this device alone. */
export const devicePlace = (name: string): Place => ({ user: { id: DEVICE_USER, name }, team: 'device', local: true })
