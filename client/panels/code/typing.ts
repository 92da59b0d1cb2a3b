// Reports whether a person is typing: from a key until 600 ms after the last one, and as long as the completion list is open.
import { completionStatus } from '@codemirror/autocomplete'
import { ViewPlugin, type EditorView, type ViewUpdate } from '@codemirror/view'

/** Milliseconds after the last key. */
const rest = 600

export const tellTyping = (tell: (typing: boolean) => void) =>
  ViewPlugin.fromClass(
    class {
      #typing = false
      #timer: ReturnType<typeof setTimeout> | undefined

      readonly view: EditorView

      constructor(view: EditorView) {
        this.view = view
      }

      update(update: ViewUpdate): void {
        const typed = update.transactions.some(one => one.docChanged && (one.isUserEvent('input') || one.isUserEvent('delete')))
        if (typed) this.#set(true)
        if (!this.#typing) return
        if (update.focusChanged && !update.view.hasFocus) this.#set(false)
        else if (typed || completionStatus(update.startState) !== completionStatus(update.state)) this.#wait()
      }

      destroy(): void {
        this.#set(false)
      }

      #wait(): void {
        clearTimeout(this.#timer)
        if (completionStatus(this.view.state) === null) this.#timer = setTimeout(() => this.#set(false), rest)
      }

      #set(typing: boolean): void {
        clearTimeout(this.#timer)
        if (this.#typing === typing) return
        this.#typing = typing
        tell(typing)
      }
    },
  )
