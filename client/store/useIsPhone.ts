import { useSyncExternalStore } from 'react'

const query = '(max-width: 719px)'

/** Whether the page is as narrow as a phone. */
export function useIsPhone(): boolean {
  return useSyncExternalStore(
    changed => {
      const media = matchMedia(query)
      media.addEventListener('change', changed)
      return () => media.removeEventListener('change', changed)
    },
    () => matchMedia(query).matches,
  )
}
