// The app's frame: language, theme, server data, routes.
import { i18n } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { App as AntdApp, ConfigProvider } from 'antd'
import { Suspense, useEffect } from 'react'
import { useStore } from 'zustand'
import { TOAST } from '../model-schema/limits.ts'
import { useIdentity } from './account/identity.ts'
import { ApiError } from './api.ts'
import { directionOf, locale } from './i18n/locale.ts'
import { router } from './routes/router.tsx'
import { Mishap } from './ui/Mishap.tsx'
import { antdThemeOf, theme } from './ui/theme.ts'
import { setShower } from './ui/toast.ts'
import { lazyPart } from './ui/updates.ts'

const BackgroundSync = lazyPart(async () => (await import('./local/background.ts')).BackgroundSync)

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
  const { locale: name, antd } = useStore(locale)
  const dark = useStore(theme, state => state.dark)
  const signedIn = useIdentity().me !== null
  return (
    <I18nProvider i18n={i18n}>
      <ConfigProvider locale={antd} direction={directionOf(name)} theme={antdThemeOf(dark)} button={{ autoInsertSpace: false }}>
        <AntdApp
          message={{ duration: TOAST.messageMs / 1000, maxCount: 3 }}
          notification={{ duration: TOAST.notificationMs / 1000 }}
          style={{ blockSize: '100%' }}
        >
          <Mishap>
            <QueryClientProvider client={queries}>
              <Shower />
              {signedIn ? (
                <Suspense>
                  <BackgroundSync />
                </Suspense>
              ) : null}
              <RouterProvider router={router} />
            </QueryClientProvider>
          </Mishap>
        </AntdApp>
      </ConfigProvider>
    </I18nProvider>
  )
}

/** Lets code outside React show messages in the right theme and language. */
function Shower() {
  const { message, notification, modal } = AntdApp.useApp()
  useEffect(() => setShower({ message, notification, modal }), [message, notification, modal])
  return null
}
