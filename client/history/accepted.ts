// Entries of the version history for accepted parts of a proposal, with the user who accepted them and the author of the proposal. An entry
// is stored on this device at once, and sent when the server has stored all edits.
import type { Proposal } from '../../model-schema/proposals.ts'
import { ApiError } from '../api.ts'
import type { Session } from '../session.ts'
import { untilSaved } from '../session/saved.ts'
import { Versions } from './versions.ts'

/** Saves the current document as a version for an accepted proposal. The acceptance holds whether or not this can be stored. */
export async function keepAccepted(session: Session, proposal: Proposal): Promise<void> {
  try {
    const versions = new Versions(session)
    // The acceptance is drawn first.
    await new Promise(done => setTimeout(done))
    await versions.keepAccepted(proposal)
    void untilSaved(session)
      .then(saved => saved && versions.bring())
      // What does not come to the server now is brought when the line is next back.
      .catch((error: unknown) => error instanceof ApiError || console.warn('versions kept on this device', error))
  } catch (error) {
    console.warn('no version of what was accepted', error)
  }
}
