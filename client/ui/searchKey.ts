// The key that leads to a page's search.
import type { InputRef } from 'antd'
import { useEffect, useRef, type RefObject } from 'react'

/** For the search field of a page: `/` (outside of text fields) and Ctrl or Command with K focus it. */
export function useSearchKey(): RefObject<InputRef | null> {
  const field = useRef<InputRef>(null)
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const typing = event.target instanceof HTMLElement && event.target.closest('input, textarea, [contenteditable]') !== null
      if ((event.key === 'k' && (event.ctrlKey || event.metaKey)) || (event.key === '/' && !typing)) {
        event.preventDefault()
        field.current?.focus({ cursor: 'all' })
      }
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
  return field
}
