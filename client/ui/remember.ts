// Small settings of this device (language, theme, view). A browser that forbids storage forgets them; nothing else breaks.

/** The name under which the browser keeps a setting. */
export const storageKey = (key: string): string => `holarchy.${key}`

/** The remembered text, or null. */
export function recall(key: string): string | null {
  try {
    return globalThis.localStorage?.getItem(storageKey(key)) ?? null
  } catch {
    return null // storage forbidden
  }
}

/** Remembers a text; null forgets it. */
export function remember(key: string, value: string | null): void {
  try {
    if (value === null) globalThis.localStorage?.removeItem(storageKey(key))
    else globalThis.localStorage?.setItem(storageKey(key), value)
  } catch {
    return // storage forbidden or full: the choice holds until the page is closed
  }
}

/** Forgets every setting with a matching name. */
export function forgetAll(names: RegExp): void {
  try {
    const prefix = storageKey('')
    for (const key of Object.keys(globalThis.localStorage ?? {}))
      if (key.startsWith(prefix) && names.test(key.slice(prefix.length))) globalThis.localStorage.removeItem(key)
  } catch {
    return // storage forbidden: nothing was remembered
  }
}
