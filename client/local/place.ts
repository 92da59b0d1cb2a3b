// The owner of the files in use: an account, or this device.

/** The user of the workspace that lives on this device alone. */
export const DEVICE_USER = 'device'

/** The owner of the files, and the code of their workspace in routes. */
export type Place = { user: { id: string; name: string; avatar?: string | null }; team: string; local: boolean }

/** The workspace that lives on this device alone. */
export const devicePlace = (name: string): Place => ({ user: { id: DEVICE_USER, name }, team: 'device', local: true })
