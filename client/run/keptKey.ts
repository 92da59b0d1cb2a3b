// A command given while a file is still on its way, by Ctrl or Cmd and a key: kept for its run, which takes it when its controls are there.
let kept: KeyboardEvent | null = null
let stop: (() => void) | null = null

/** Starts to record the last such key, or continues, until a run takes it or the returned function is called. */
export function keepKey(): () => void {
  if (stop) return stop
  const pressed = (event: KeyboardEvent): void => {
    if ((event.ctrlKey || event.metaKey) && !event.repeat && !event.defaultPrevented) kept = event
  }
  window.addEventListener('keydown', pressed)
  const end = (): void => {
    window.removeEventListener('keydown', pressed)
    kept = null
    stop = null
  }
  stop = end
  return end
}

/** Nothing is kept any more: no file is on its way. */
export const forgetKey = (): void => stop?.()

/** Returns the recorded key once, and stops recording. */
export function takeKey(): KeyboardEvent | null {
  const key = kept
  forgetKey()
  return key
}
