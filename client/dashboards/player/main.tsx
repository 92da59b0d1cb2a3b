// The program of an exported page: the dashboard in use mode with everything it runs, from one file, without a server.
import 'antd/dist/reset.css'
import '../../ui/base.css'
import { i18n } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { setLocale } from '../../i18n/locale.ts'
import { allTexts } from '../../i18n/texts.ts'
import { frozenSession } from '../../session/frozen.ts'
import { AntdFrame } from '../../ui/AntdFrame.tsx'
import { Mishap } from '../../ui/loading/Mishap.tsx'
import { startTheme } from '../../ui/theme.ts'
import { DashboardView } from '../DashboardView.tsx'
import type { OpenModel } from '../runs/runs.ts'
import { dataId, type PlayerData } from './data.ts'

const user = { id: 'reader', name: '' }

async function play(): Promise<void> {
  const root = document.getElementById('root')
  // Written by the export along with this program.
  const data: PlayerData = JSON.parse(document.getElementById(dataId)?.textContent ?? '')
  if (root === null) throw new Error('the page has no #root')
  startTheme()
  await setLocale(data.locale)
  await allTexts()
  const session = frozenSession({ docId: 'page', local: true, user }, data.page)
  const openModel = (docId: string): OpenModel => {
    const file = data.models[docId]
    if (!file) return { model: session.model, ready: Promise.reject(new Error(`the page has no model ${docId}`)), close: () => undefined }
    return frozenSession({ docId, local: true, user }, file)
  }
  createRoot(root).render(
    <StrictMode>
      <I18nProvider i18n={i18n}>
        <Mishap>
          <AntdFrame>
            <DashboardView session={session} title={data.title} controls part={{ show: 'full', card: null }} openModel={openModel} />
          </AntdFrame>
        </Mishap>
      </I18nProvider>
    </StrictMode>,
  )
}

void play()
