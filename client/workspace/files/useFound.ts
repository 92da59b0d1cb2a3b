// What the server finds inside documents; names, remarks and tags are found on this device at once.
import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { api } from '../../api.ts'

const pauseMs = 250

/** Ids of files that hold the words, once typing pauses; none without a network. */
export function useFound(search: string, local: boolean): ReadonlySet<string> {
  const [asked, setAsked] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setAsked(search.trim()), pauseMs)
    return () => clearTimeout(timer)
  }, [search])
  const found = useQuery({
    queryKey: ['search', asked],
    queryFn: () => api.search(asked),
    enabled: !local && asked.length >= 2,
    retry: false,
  })
  const ids = asked === search.trim() ? found.data : undefined
  return useMemo(() => new Set(ids ?? []), [ids])
}
