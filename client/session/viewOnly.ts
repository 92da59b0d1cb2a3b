// An open document on a page that changes nothing, whatever the user's role would permit.
import { createStore } from 'zustand/vanilla'
import type { Access, Session } from '../session.ts'

/** The same session, read-only: what others change still arrives. */
export function viewOnly(session: Session): Session {
  return { ...session, role: 'viewer', writable: false, access: createStore<Access>(() => ({ role: 'viewer', writable: false })) }
}
