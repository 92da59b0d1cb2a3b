// Newer versions: the service worker that serves the app without a network, the polling that notices a newer server, and the
// loading of parts with a time-out.
import { t } from '@lingui/core/macro'
import { createContext, createElement, lazy, useContext, useEffect, useState } from 'react'
import type { ComponentType, ReactNode } from 'react'
import { registerSW } from 'virtual:pwa-register'
import { CHUNK_TIMEOUT_MS, VERSION_POLL_MS } from '../../../model-schema/business/limits.ts'
import { PlainButton } from '../PlainButton.tsx'
import { notify } from '../toast.ts'
import { isOther, ownVersion, readVersion, whenOtherBuild } from './version.ts'

/** A file of the app could not be loaded. */
export class ChunkError extends Error {}

/** Whether a part of the app could not be loaded. */
export function isChunkError(error: unknown): boolean {
  return (
    error instanceof ChunkError ||
    (error instanceof Error &&
      /dynamically imported module|Importing a module script failed|error loading dynamically/i.test(error.message))
  )
}

/** Loads a part of the app; fails with a clear message after two minutes. */
export async function loadPart<T>(load: () => Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new ChunkError(t`Loading took longer than ${CHUNK_TIMEOUT_MS / 1000} seconds.`)), CHUNK_TIMEOUT_MS)
  })
  try {
    return await Promise.race([load(), late])
  } finally {
    clearTimeout(timer)
  }
}

/** Of messages of browsers that name the script which did not come. */
const scriptIn = (error: unknown): string | null => {
  const url = error instanceof Error ? /https?:\/\/\S+/.exec(error.message)?.[0] : undefined
  return url !== undefined && url.startsWith(`${location.origin}/`) ? url : null
}

/**
 * Returns a loader that retries a failed load on each call. Some browsers repeat a failure for the same address until the page is reloaded:
 * from the second time on the script is also requested under another address.
 */
function asking<M>(load: () => Promise<M>): () => Promise<M> {
  let failures = 0
  return async () => {
    try {
      return await load()
    } catch (error) {
      const script = failures++ > 0 ? scriptIn(error) : null
      if (script === null) throw error
      const module: M = await import(/* @vite-ignore */ `${script}?again=${failures}`)
      return module
    }
  }
}

/** A component loaded when it is first shown, or `ahead` of that. */
export type LazyPart<P extends object> = ((props: P) => ReactNode) & { ahead(): Promise<void> }

/** Which try to show a part this is: another one asks again for what could not be loaded. */
export const Attempt = createContext(Symbol('first attempt'))

export function lazyPart<P extends object>(load: () => Promise<ComponentType<P>>): LazyPart<P> {
  let here: ComponentType<P> | null = null
  const fetched = async (): Promise<ComponentType<P>> => (here = await loadPart(load))
  // React remembers that a part could not be loaded, and starts a suspended part from the beginning when it resumes: each attempt loads
  // once.
  const asked = new Map<symbol, ComponentType<P>>()
  const laterFor = (attempt: symbol): ComponentType<P> => {
    const later = asked.get(attempt) ?? lazy(async () => ({ default: await fetched() }))
    asked.set(attempt, later)
    return later
  }
  function Shown(props: P): ReactNode {
    // What is here is drawn at once. What had to be waited for React holds back for a third of a second, against flickering.
    const attempt = useContext(Attempt)
    const [Now] = useState<ComponentType<P>>(() => here ?? laterFor(attempt))
    return createElement(Now, props)
  }
  return Object.assign(Shown, { ahead: async () => void (await fetched()) })
}

/** The same of a component in a module. */
export function importedPart<M, P extends object>(load: () => Promise<M>, pick: (module: M) => ComponentType<P>): LazyPart<P> {
  const asked = asking(load)
  return lazyPart(async () => pick(await asked()))
}

/** Milliseconds a page has for itself before parts that may come to be shown are fetched. */
const AHEAD_MS = 1000

/** Fetches parts that may come to be shown, one after another, so that they are here without a network, too. What fails is fetched when it is shown. */
export function useAhead(parts: readonly { ahead(): Promise<void> }[]): void {
  useEffect(() => {
    let isShown = true
    const timer = setTimeout(async () => {
      for (const part of parts) if (isShown) await part.ahead().catch(() => {})
    }, AHEAD_MS)
    return () => {
      isShown = false
      clearTimeout(timer)
    }
  }, [parts])
}

/** Registers the service worker and begins to ask for newer versions. Not while developing. */
export function startUpdates(): void {
  if (import.meta.env.DEV) return
  const update = registerSW({
    onNeedRefresh: () => offerReload(() => void update(true)),
    onRegisterError: (error: unknown) => console.warn('no service worker: the app needs the network', error),
  })
  const offer = (): void => offerReload(() => location.reload())
  whenOtherBuild(offer)
  const own = ownVersion()
  if (Number.isSafeInteger(own)) watchVersion(own, readVersion, offer)
}

/** Calls `changed` once when `read` answers another version than ours. Asks every 30 s while the page is visible. Returns how to stop. */
export function watchVersion(own: number, read: () => Promise<number | null>, changed: () => void): () => void {
  let told = false
  const ask = async (): Promise<void> => {
    if (document.visibilityState !== 'visible' || told) return
    const version = await read()
    if (!isOther(own, version)) return
    told = true
    changed()
  }
  const run = (): void => void ask()
  run()
  const timer = setInterval(run, VERSION_POLL_MS)
  document.addEventListener('visibilitychange', run)
  return () => {
    clearInterval(timer)
    document.removeEventListener('visibilitychange', run)
  }
}

function offerReload(reload: () => void): void {
  notify('info', t`A new version is ready`, t`Reload to use it. Your work is saved.`, {
    key: 'version',
    stay: true,
    actions: createElement(PlainButton, { primary: true, small: true, onClick: reload }, t`Reload`),
  })
}
