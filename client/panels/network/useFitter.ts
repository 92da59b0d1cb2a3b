// A fit in a worker of its own: the table it has, its epochs so far, what came of it.
import { useEffect, useRef, useState } from 'react'
import type { FitRow, Fitted, FromFitter, ToFitter } from '../../../sim-engine/network.ts'
import type { Words } from '../../../model-schema/words.ts'

type Plan = Extract<ToFitter, { do: 'fit' }>['plan']
type Table = Extract<ToFitter, { do: 'table' }>['table']

type FitView = {
  names: readonly string[]
  rows: number
  running: boolean
  epochs: readonly FitRow[]
  fitted: Fitted | null
  failure: Words | null
}

const nothing: FitView = { names: [], rows: 0, running: false, epochs: [], fitted: null, failure: null }

export function useFitter() {
  const [view, setView] = useState(nothing)
  const worker = useRef<Worker | null>(null)
  const told = useRef<((names: readonly string[]) => void) | null>(null)
  useEffect(() => () => worker.current?.terminate(), [])

  const heard = (message: FromFitter): void => {
    if (message.is === 'table') {
      setView({ ...nothing, names: message.names, rows: message.rows })
      told.current?.(message.names)
    } else if (message.is === 'epochs') setView(now => ({ ...now, epochs: [...now.epochs, ...message.rows] }))
    else if (message.is === 'fitted') setView(now => ({ ...now, fitted: message.fitted, running: false }))
    else setView(now => ({ ...now, failure: message.words, running: false }))
  }

  const send = (message: ToFitter): void => {
    if (worker.current === null) {
      const made = new Worker(new URL('../../../sim-engine/threads/fitting.ts', import.meta.url), { type: 'module', name: 'fitting' })
      made.addEventListener('message', (event: MessageEvent<FromFitter>) => heard(event.data))
      worker.current = made
    }
    worker.current.postMessage(message, [])
  }

  return {
    view,
    /** Resolves with the names of the columns. */
    read(text: string): Promise<readonly string[]> {
      setView(nothing)
      return new Promise(resolve => {
        told.current = resolve
        send({ do: 'read', text })
      })
    },
    put(table: Table): void {
      told.current = null
      send({ do: 'table', table })
    },
    fit(plan: Plan): void {
      setView(now => ({ ...now, running: true, epochs: [], fitted: null, failure: null }))
      send({ do: 'fit', plan })
    },
    stop: () => send({ do: 'stop' }),
  }
}
