// Makes recordings for a page: the page is asked to pass requests to the node, since a worker reaches no network.
import { toldBy, type Words } from '../../../model-schema/words.ts'
import { loadChain } from '../../chain.ts'
import type { Problem } from '../../problems.ts'
import { NodeReader } from './node.ts'
import type { Post } from './node.ts'
import { recordModel, Unchecked } from './record-model.ts'
import type { RecordWish } from './record-model.ts'

type Answer = Awaited<ReturnType<Post>>

export type ToRecorder = { readonly do: 'record'; readonly wish: RecordWish } | { readonly do: 'answer'; readonly answer: Answer }

export type FromRecorder =
  /** A request that the page passes on; its answer is awaited before the next one. */
  | { readonly is: 'ask'; readonly body: string; readonly requests: number }
  | { readonly is: 'recorded'; readonly text: string; readonly requests: number; readonly problem: Problem | null }
  | { readonly is: 'failed'; readonly words: Words }
  | { readonly is: 'problems'; readonly problems: readonly Problem[] }

export function serveRecording(post: (message: FromRecorder) => void, wait: (ms: number) => Promise<void>): (message: ToRecorder) => void {
  let waiting: ((answer: Answer) => void) | null = null
  async function make(wish: RecordWish): Promise<void> {
    const reader: NodeReader = new NodeReader({
      wait,
      post: body =>
        new Promise(resolve => {
          waiting = resolve
          post({ is: 'ask', body, requests: reader.requests })
        }),
    })
    try {
      await loadChain()
      const { text, problem } = await recordModel(reader, wish)
      post({ is: 'recorded', text, requests: reader.requests, problem })
    } catch (error) {
      if (error instanceof Unchecked) post({ is: 'problems', problems: error.problems })
      else post({ is: 'failed', words: toldBy(error) })
    }
  }
  return message => {
    if (message.do === 'record') void make(message.wish)
    else if (message.do === 'answer') waiting?.(message.answer)
  }
}
