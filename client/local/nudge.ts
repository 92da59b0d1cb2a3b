// The signal "a change waits to be sent": fired by the code that changed something, handled by the background sync.

const target = new EventTarget()

export function nudge(): void {
  target.dispatchEvent(new Event('nudge'))
}

/** Returns how to stop listening. */
export function onNudge(run: () => void): () => void {
  target.addEventListener('nudge', run)
  return () => target.removeEventListener('nudge', run)
}
