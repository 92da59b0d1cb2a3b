// "Something waits to be told to the server": said by whoever changed something, heard by the background sync.

const target = new EventTarget()

export function nudge(): void {
  target.dispatchEvent(new Event('nudge'))
}

/** Returns how to stop listening. */
export function onNudge(run: () => void): () => void {
  target.addEventListener('nudge', run)
  return () => target.removeEventListener('nudge', run)
}
