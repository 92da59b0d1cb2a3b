// What is accepted of a proposal is told in the version history: who took it in, and who had suggested it. The entry is kept on this device at once,
// and goes to the server when that has heard all edits.
import type { Proposal } from '../../model-schema/proposals.ts'
import { ApiError } from '../api.ts'
import type { Session } from '../session.ts'
import { Versions } from './versions.ts'

/** Keeps the document as it is now, as what was accepted of a proposal. The acceptance holds whether or not this can be stored. */
export async function keepAccepted(session: Session, proposal: Proposal): Promise<void> {
  try {
    const versions = new Versions(session)
    // The acceptance is drawn first.
    await new Promise(done => setTimeout(done))
    await versions.keepAccepted(proposal)
    void isSaved(session)
      .then(saved => saved && versions.bring())
      // What does not come to the server now is brought when the line is next back.
      .catch((error: unknown) => error instanceof ApiError || console.warn('versions kept on this device', error))
  } catch (error) {
    console.warn('no version of what was accepted', error)
  }
}

/** Waits until the server has heard all; false: it cannot be reached now, or there is none. */
function isSaved({ lamps }: Session): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const look = (): boolean => {
    const { server } = lamps.getState()
    const waits = server === 'saving' || server === 'connecting'
    if (!waits) resolve(server === 'saved')
    return !waits
  }
  if (!look()) {
    const stop = lamps.subscribe(() => look() && stop())
  }
  return promise
}
