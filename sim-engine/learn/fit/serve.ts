// Fitting behind a port: it learns in its worker, reports each epoch, and hands over the best network at the end or when it is stopped.
import { FitFault, readNumbers, type NumberTable } from './data.ts'
import { Fitting, type FitPlan, type FitRow, type Fitted } from './fit.ts'
import { verbatim, type Words } from '../../../model-schema/words.ts'

export type ToFitter =
  /** Reads a CSV file; answered by `table`. */
  | { readonly do: 'read'; readonly text: string }
  | { readonly do: 'table'; readonly table: NumberTable }
  /** Fits a network to the table. */
  | { readonly do: 'fit'; readonly plan: Omit<FitPlan, 'table'> }
  | { readonly do: 'stop' }

export type FromFitter =
  | { readonly is: 'table'; readonly names: readonly string[]; readonly rows: number }
  | { readonly is: 'epochs'; readonly rows: readonly FitRow[] }
  | { readonly is: 'fitted'; readonly fitted: Fitted; readonly epochs: number }
  | { readonly is: 'failed'; readonly words: Words; readonly field: FitFault['field'] | null }

/** Milliseconds between two words about how far it is. */
const tellEvery = 150

/** Never throws out of it. `now`: a clock in milliseconds. */
export function serveFitting(post: (message: FromFitter) => void, now: () => number): (message: ToFitter) => void {
  let table: NumberTable | null = null
  let stopped = new AbortController()
  const put = (next: NumberTable): void => {
    table = next
    post({ is: 'table', names: next.names, rows: next.rows })
  }
  const fit = async (plan: Omit<FitPlan, 'table'>): Promise<void> => {
    if (table === null) return
    stopped = new AbortController()
    const { signal } = stopped
    const fitting = new Fitting({ ...plan, table })
    let [toldAt, told] = [now(), 0]
    while (fitting.epoch() && !signal.aborted) {
      if (now() - toldAt < tellEvery) continue
      post({ is: 'epochs', rows: fitting.rows.slice(told) })
      told = fitting.rows.length
      toldAt = now()
      // A word to stop could not come otherwise.
      await new Promise(resolve => setTimeout(resolve, 0))
    }
    post({ is: 'epochs', rows: fitting.rows.slice(told) })
    post({ is: 'fitted', fitted: fitting.fitted(), epochs: fitting.rows.length })
  }
  const failed = (error: unknown): void => {
    if (error instanceof FitFault) return post({ is: 'failed', words: error.words, field: error.field })
    const text = error instanceof Error ? error.message : String(error)
    post({ is: 'failed', words: verbatim(text), field: null })
  }
  return message => {
    try {
      if (message.do === 'read') put(readNumbers(message.text))
      else if (message.do === 'table') put(message.table)
      else if (message.do === 'stop') stopped.abort()
      else fit(message.plan).catch(failed)
    } catch (error) {
      failed(error)
    }
  }
}
