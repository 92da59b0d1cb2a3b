// Begins a tutorial from anywhere: a new model of one's own, opened with it.
import { Navigate, useNavigate, useParams } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useRef } from 'react'
import { wordsNow } from '../i18n/locale.ts'
import { createFile } from '../local/files.ts'
import type { Place } from '../local/place.ts'
import { PageLoading } from '../ui/loading/PageLoading.tsx'
import { complain } from '../ui/toast.ts'
import { usePlace } from '../workspace/usePlace.ts'
import { lessonHash } from './address.ts'
import { lessons, type Lesson } from './lessons.ts'

export function Begin() {
  const { lesson: id } = useParams({ strict: false })
  const lesson = lessons.find(one => one.id === id)
  const place = usePlace()
  if (lesson === undefined) return <Navigate to="/workspace/recent" replace />
  return place === null ? <PageLoading /> : <Beginning lesson={lesson} place={place} />
}

function Beginning({ lesson, place }: { lesson: Lesson; place: Place }) {
  const navigate = useNavigate()
  const begun = useRef(false)
  const begin = useEffectEvent(async () => {
    const file = await createFile(place, wordsNow(lesson.title), null, { kind: 'model', parent: null })
    await navigate({
      to: '/modeling/$teamCode/$modelId',
      params: { teamCode: place.local ? 'device' : file.team, modelId: file.id },
      hash: lessonHash(lesson.id),
      replace: true,
    })
  })
  useEffect(() => {
    // React may run an effect twice; one model is enough.
    if (begun.current) return
    begun.current = true
    begin().catch(complain)
  }, [])
  return <PageLoading />
}
