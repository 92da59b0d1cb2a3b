// A recording under way: a worker makes the runs, and this page passes its requests to the server, which asks the node.
import { useEffect, useRef, useState } from 'react'
import type { FromRecorder, ToRecorder } from '../../../sim-engine/recordings.ts'
import type { Problem } from '../../../sim-engine/problems.ts'
import { verbatim, type Words } from '../../../model-schema/words.ts'
import { startWorking } from '../../workers/start.ts'

type Wish = Extract<ToRecorder, { do: 'record' }>['wish']
type Answer = Extract<ToRecorder, { do: 'answer' }>['answer']

export type RecorderView =
  | { is: 'idle' }
  | { is: 'recording'; requests: number }
  | { is: 'recorded'; requests: number; problem: Problem | null }
  | { is: 'failed'; words: Words }
  | { is: 'problems'; problems: readonly Problem[] }

/** `ask` sends a request to the node; `said` turns its errors into messages. */
export function useRecorder(ask: (body: string) => Promise<Answer>, said: (error: unknown) => string, put: (text: string) => void) {
  const [view, setView] = useState<RecorderView>({ is: 'idle' })
  const worker = useRef<Worker | null>(null)
  const stop = (): void => {
    worker.current?.terminate()
    worker.current = null
  }
  useEffect(() => () => worker.current?.terminate(), [])

  const record = (wish: Wish): void => {
    stop()
    setView({ is: 'recording', requests: 0 })
    const made = startWorking('recording')
    worker.current = made
    const send = (message: ToRecorder): void => {
      if (worker.current === made) made.postMessage(message, [])
    }
    const ends = (next: RecorderView): void => {
      if (worker.current !== made) return
      stop()
      setView(next)
    }
    made.addEventListener('error', event => ends({ is: 'failed', words: verbatim(event.message) }))
    made.addEventListener('message', ({ data }: MessageEvent<FromRecorder>) => {
      if (worker.current !== made) return
      if (data.is === 'ask') {
        setView({ is: 'recording', requests: data.requests })
        ask(data.body).then(
          answer => send({ do: 'answer', answer }),
          (error: unknown) => ends({ is: 'failed', words: verbatim(said(error)) }),
        )
      } else if (data.is === 'recorded') {
        put(data.text)
        ends({ is: 'recorded', requests: data.requests, problem: data.problem })
      } else ends(data)
    })
    send({ do: 'record', wish })
  }

  return {
    view,
    record,
    stop(): void {
      stop()
      setView({ is: 'idle' })
    },
  }
}
