// The cover of an experiment: the first chart of its results.
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, type RefObject } from 'react'
import { usePalette } from '../../ui/theme.ts'
import { coverOfDrawing, keepCover } from '../../workspace/keptCover.ts'
import { useExperiment } from '../scope.ts'

/** `isDone`: the picture will not change any more. */
export function useCover(host: RefObject<HTMLElement | null>, isDone: boolean): void {
  const { session } = useExperiment()
  const { surface } = usePalette()
  const queries = useQueryClient()
  useEffect(() => {
    if (!isDone) return undefined
    const draw = async (): Promise<Blob | null> => {
      const drawing = host.current?.querySelector('canvas')
      return drawing ? coverOfDrawing(drawing, surface) : null
    }
    const cover = keepCover(session, draw, () => queries.invalidateQueries({ queryKey: ['files'] }))
    cover.soon()
    return cover.close
  }, [session, host, isDone, surface, queries])
}
