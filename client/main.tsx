// The page's first code: look, language, service worker, then the app.
import 'antd/dist/reset.css'
import './ui/base.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './App.tsx'
import { followTabs, refreshIdentity } from './account/identity.ts'
import { locale, setLocale } from './i18n/locale.ts'
import { startTheme } from './ui/theme.ts'
import { startUpdates } from './ui/updates.ts'

startTheme()
await setLocale(locale.getState().locale)
const root = document.getElementById('root')
if (root === null) throw new Error('the page has no #root')
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
)
startUpdates()
followTabs()
void refreshIdentity()
