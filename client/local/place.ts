// Whose files are meant: an account's, or this device's own.
import { DEVICE_USER } from './device.ts'

/** Whose files, and the code of their workspace in routes. */
export type Place = { user: { id: string; name: string }; team: string; local: boolean }

/** The workspace that lives on this device alone. */
export const devicePlace = (name: string): Place => ({ user: { id: DEVICE_USER, name }, team: 'device', local: true })
