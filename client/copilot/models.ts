// Which language models a person may ask about the open document, which one is chosen, and what is left of its budget.
import { useQuery } from '@tanstack/react-query'
import { createStore } from 'zustand/vanilla'
import { modes, type Mode } from '../../sim-engine/copilot/doors/dialogue.ts'
import { useIdentity } from '../account/identity.ts'
import { ApiError, server } from '../api.ts'
import type { Session } from '../session.ts'
import { recall, remember } from '../ui/remember.ts'

export type Models = Awaited<ReturnType<typeof readModels>>
export type ModelInfo = Models['providers'][number]

async function modelsFor(file: string | undefined) {
  return (await server.copilot.providers.$get({ query: file === undefined ? {} : { file } })).json()
}

/** The models for a file of the server, or of no file. */
export async function readModels(file: string | undefined) {
  try {
    return { ...(await modelsFor(file)), file }
  } catch (error) {
    // A file not yet sent to the server, or opened by a link: it has no workspace models.
    if (!(error instanceof ApiError) || (error.code !== 'not-found' && error.code !== 'no-permission')) throw error
    return { ...(await modelsFor(undefined)), file: undefined }
  }
}

/** The models for a document; none for a visitor. */
export function useModels(session: Session) {
  const { me } = useIdentity()
  const file = session.target.local ? undefined : session.docId
  return useQuery({ queryKey: ['copilot-models', file ?? ''], queryFn: () => readModels(file), enabled: me !== null, retry: 1 })
}

/** What was chosen last on this device: a model's id (null: the guide), and what it may do; `trusted`: the files from the market it may suggest changes of. */
export const choice = createStore<{ model: string | null; mode: Mode; trusted: ReadonlySet<string> }>(() => ({
  model: recall('copilot.model'),
  mode: modes.find(one => one === recall('copilot.mode')) ?? 'propose',
  trusted: new Set(),
}))

/** Lets models suggest changes of a file, also of one from the market, until the page is closed. */
export function trust(file: string): void {
  choose({ mode: 'propose' })
  choice.setState(({ trusted }) => ({ trusted: new Set([...trusted, file]) }))
}

export function choose(next: { model?: string | null; mode?: Mode }): void {
  choice.setState(next)
  if (next.model !== undefined) remember('copilot.model', next.model)
  if (next.mode !== undefined) remember('copilot.mode', next.mode)
}
