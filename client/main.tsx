// The page's first code: look, language, service worker, then the app.
import 'antd/dist/reset.css'
import './ui/base.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './App.tsx'
import { followTabs, refreshIdentity } from './account/identity.ts'
import { locale, setLocale } from './i18n/locale.ts'
import { startFonts } from './ui/fonts.ts'
import { startTheme } from './ui/theme.ts'
import { fetchAhead } from './routes/router.tsx'
import { whenIdle } from './ui/loading/idle.ts'
import { startUpdates } from './ui/loading/updates.ts'

startTheme()
// A failed download is repeated by the component that needs it, which shows the error; slow ones are not waited for.
const ahead = fetchAhead(location.pathname).catch(() => undefined)
await Promise.all([setLocale(locale.getState().locale), Promise.race([ahead, new Promise(late => setTimeout(late, 400))])])
const root = document.getElementById('root')
if (root === null) throw new Error('the page has no #root')
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
)
followTabs()
void refreshIdentity()
whenIdle(startUpdates)
startFonts()
