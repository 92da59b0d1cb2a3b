// The editor in React: one context, and hooks that redraw only for the part of the view they name.
import { createContext, startTransition, use, useEffect, useState } from 'react'
import { useStore, type StoreApi } from 'zustand'
import type { Element, Id, Model } from '../../model-schema/model.ts'
import type { Context } from './commands.ts'
import type { Editor } from './editor.ts'
import type { View } from './view.ts'

export type EditorScope = Context & {
  readonly model: StoreApi<{ model: Model }>
  /** The scope of formulas if their element is in another document than `model`. */
  readonly stand?: Id | undefined
}

export const EditorContext = createContext<EditorScope | null>(null)

export function useScope(): EditorScope {
  const scope = use(EditorContext)
  if (!scope) throw new Error('useScope is used outside EditorContext')
  return scope
}

export const useEditor = (): Editor => useScope().editor

export function useView<T>(pick: (view: View) => T): T {
  return useStore(useEditor().view, pick)
}

export function useModel<T>(pick: (model: Model) => T): T {
  return useStore(useScope().model, state => pick(state.model))
}

/** The model for views that may lag behind an edit: a component that uses it is rendered after the frame that shows the edit. */
export function useModelLater(): Model {
  const { model: store } = useScope()
  const [model, setModel] = useState(() => store.getState().model)
  useEffect(() => {
    let frame = 0
    const follow = (): void => {
      frame ||= requestAnimationFrame(() => {
        frame = 0
        startTransition(() => setModel(store.getState().model))
      })
    }
    follow()
    const stop = store.subscribe(follow)
    return () => {
      stop()
      cancelAnimationFrame(frame)
    }
  }, [store])
  return model
}

/** An element as it is now; undefined once it is gone. */
export const useElement = (id: Id): Element | undefined => useModel(model => model.elements.get(id))
