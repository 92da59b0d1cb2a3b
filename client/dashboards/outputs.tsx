// What a dashboard can be handed out as: a page in one file, a picture, the cover of its file.
import { FileImageOutlined, Html5Outlined, PictureOutlined } from '@ant-design/icons'
import { useLingui } from '@lingui/react/macro'
import type { MenuProps } from 'antd'
import { useEffect, useRef, type RefObject } from 'react'
import { useLocale } from '../i18n/locale.ts'
import { api } from '../api.ts'
import { device } from '../local/device.ts'
import { download } from '../run/download.ts'
import { complain, say } from '../ui/toast.ts'
import { useBoard } from './scope.ts'

type Of = { title: string; team: string; host: RefObject<HTMLElement | null> }

/** Entries of the menu of a dashboard; `host` is what holds the page. */
export function useOutputs({ title, team, host }: Of): () => NonNullable<MenuProps['items']> {
  const { t } = useLingui()
  const locale = useLocale()
  const { session, dashboard, page } = useBoard()
  const { target, docId } = session
  const surface = (): HTMLElement | null => host.current?.querySelector<HTMLElement>('.d-surface') ?? null
  const exportPage = async (): Promise<void> => {
    say(t`The page is being made…`)
    const { exportedPage } = await import('./exported.ts')
    download(await exportedPage({ user: target.user, team, local: target.local }, docId, dashboard, title, locale), `${title}.html`)
  }
  const savePicture = async (of: HTMLElement): Promise<void> => {
    const { pngOf } = await import('./picture.ts')
    download(await pngOf(of, page), `${title}.png`)
  }
  const setCover = async (of: HTMLElement): Promise<void> => {
    const { coverOf } = await import('./picture.ts')
    await api.setCover(docId, await coverOf(of, page))
    say(t`The cover of this file is now this page.`)
  }
  return () => {
    const shown = surface()
    const act = (work: (of: HTMLElement) => Promise<void>) => () => shown && void work(shown).catch(complain)
    return [
      {
        key: 'html',
        icon: <Html5Outlined />,
        label: t`Download as a web page`,
        disabled: dashboard.associations.length === 0,
        onClick: () => void exportPage().catch(complain),
      },
      { key: 'png', icon: <FileImageOutlined aria-hidden />, label: t`Download PNG`, disabled: !shown, onClick: act(savePicture) },
      ...(target.local || !session.writable
        ? []
        : [{ key: 'cover', icon: <PictureOutlined aria-hidden />, label: t`Use as thumbnail`, disabled: !shown, onClick: act(setCover) }]),
    ]
  }
}

/** Milliseconds after the first frame: what is drawn then stands still. */
const settleMs = 1500

/** Gives a file without a cover the picture of its first frame. */
export function useFirstCover(host: RefObject<HTMLElement | null>): void {
  const { session, runs, page, dashboard } = useBoard()
  const { target, docId } = session
  const tried = useRef(false)
  const open = dashboard.items.length > 0 && [...runs.values()].some(run => run.state === 'open')
  useEffect(() => {
    if (!open || tried.current || target.local || !session.writable) return undefined
    const make = async (): Promise<void> => {
      tried.current = true
      const row = await device.files.get([target.user.id, docId])
      const surface = host.current?.querySelector<HTMLElement>('.d-surface')
      if (row?.cover !== null || !surface || document.hidden) return
      const { coverOf } = await import('./picture.ts')
      await api.setCover(docId, await coverOf(surface, page))
    }
    const timer = setTimeout(() => void make().catch((error: unknown) => console.warn('a dashboard without a cover', error)), settleMs)
    return () => clearTimeout(timer)
  }, [open, session, target, docId, host, page])
}
