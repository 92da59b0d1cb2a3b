// The app's frame: language, server data, messages, routes.
import { i18n } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { Suspense, useDeferredValue, useEffect, useState } from 'react'
import { useIdentity } from './account/identity.ts'
import { ApiError } from './api.ts'
import { router } from './routes/router.tsx'
import { antdStylesLoaded } from './ui/antd/styles.ts'
import { Mishap } from './ui/loading/Mishap.tsx'
import { whenIdle } from './ui/loading/idle.ts'
import { importedPart, lazyPart } from './ui/loading/updates.ts'

const Toasts = lazyPart(async () => {
  const [{ Toasts }] = await Promise.all([import('./ui/Toasts.tsx'), antdStylesLoaded()])
  return Toasts
})
const BackgroundSync = importedPart(
  () => import('./local/background.ts'),
  module => module.BackgroundSync,
)

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      networkMode: 'always',
      retry: (count, error) => count < 2 && error instanceof ApiError && !error.final && error.code !== 'signed-out',
    },
    mutations: { networkMode: 'always' },
  },
})

export function App() {
  const signedIn = useIdentity().me !== null
  const settled = useSettled()
  return (
    <I18nProvider i18n={i18n}>
      <Mishap>
        <QueryClientProvider client={queries}>
          <RouterProvider router={router} />
          <Suspense>{signedIn && settled && <BackgroundSync />}</Suspense>
          <Suspense>{settled && <Toasts />}</Suspense>
        </QueryClientProvider>
      </Mishap>
    </I18nProvider>
  )
}

/** Whether the page has shown its content; secondary parts wait for that. */
function useSettled(): boolean {
  const [settled, setSettled] = useState(false)
  useEffect(() => whenIdle(() => setSettled(true)), [])
  return useDeferredValue(settled)
}
