// The server's calls about comments, for documents reached directly or by a link.
import { server } from '../api.ts'
import type { CommentChange, May, Somebody, Thread } from './threads.ts'

/** What comments need of the server; given by tests. */
export type CommentServer = {
  list(doc: string, share?: string): Promise<{ threads: Thread[]; may: May }>
  people(doc: string, share?: string): Promise<Somebody[]>
  /** Says something; saying it again is harmless. */
  tell(doc: string, change: CommentChange, share?: string): Promise<void>
}

const docs = server.docs[':id']

export const commentServer: CommentServer = {
  async list(id, share) {
    return (await docs.comments.$get({ param: { id }, query: { share } })).json()
  },
  async people(id, share) {
    return (await (await docs.comments.people.$get({ param: { id }, query: { share } })).json()).people
  },
  async tell(id, change, share) {
    const query = { share }
    switch (change.do) {
      case 'open': {
        const { thread, anchor, comment, body } = change
        await docs.threads.$post({ param: { id }, query, json: { id: thread, anchor, comment: { id: comment, body } } })
        return
      }
      case 'reply': {
        const { thread, comment, body, copilot } = change
        const json = { id: comment, body, ...(copilot ? { copilot } : {}) }
        await docs.threads[':thread'].comments.$post({ param: { id, thread }, query, json })
        return
      }
      case 'edit':
        await docs.comments[':comment'].$patch({ param: { id, comment: change.comment }, query, json: { body: change.body } })
        return
      case 'delete':
        await docs.comments[':comment'].$delete({ param: { id, comment: change.comment }, query })
        return
      case 'move':
        await docs.threads[':thread'].$patch({ param: { id, thread: change.thread }, query, json: { anchor: change.anchor } })
        return
      case 'resolve':
        await docs.threads[':thread'].$patch({ param: { id, thread: change.thread }, query, json: { resolved: change.resolved } })
    }
  },
}
