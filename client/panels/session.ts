// The open document in React, for panels that need more of it than the editor: the peers, the user, the server.
import { createContext, use } from 'react'
import type { Session } from '../session.ts'

/** Null where a model is shown without being open: pictures of versions, tests. */
export const SessionContext = createContext<Session | null>(null)

export const useOpenSession = (): Session | null => use(SessionContext)
