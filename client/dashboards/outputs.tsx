// What a dashboard can be handed out as: a page in one file, a picture, the cover of its file.
import { FileImageOutlined, Html5Outlined, PictureOutlined } from '@ant-design/icons'
import { useLingui } from '@lingui/react/macro'
import { useQueryClient } from '@tanstack/react-query'
import type { MenuProps } from 'antd'
import { useEffect, type RefObject } from 'react'
import { useLocale } from '../i18n/locale.ts'
import { api } from '../api.ts'
import { download } from '../run/download.ts'
import { complain, say } from '../ui/toast.ts'
import { keepCover } from '../workspace/keptCover.ts'
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

/** States of a run in which it shows something that stays. */
const standsStill: ReadonlySet<string> = new Set(['paused', 'ended'])

/** The cover of a dashboard or chart: a picture of its page after edits and when a run stops. A chart without marks gives no cover. */
export function useBoardCover(host: RefObject<HTMLElement | null>): void {
  const { session, runs, page, dashboard } = useBoard()
  const queries = useQueryClient()
  const isChart = dashboard.is === 'chart'
  useEffect(() => {
    const draw = async (): Promise<Blob | null> => {
      const surface = host.current?.querySelector<HTMLElement>('.d-surface')
      if (!surface || !surface.querySelector(isChart ? 'canvas, table' : '.d-frame')) return null
      return (await import('./picture.ts')).coverOf(surface, page)
    }
    const cover = keepCover(session, draw, () => queries.invalidateQueries({ queryKey: ['files'] }))
    cover.soon()
    const stops = [session.model.subscribe(cover.soon)]
    for (const run of runs.values())
      if (run.state === 'open')
        stops.push(run.run.subscribe((view, before) => view.status !== before.status && standsStill.has(view.status) && cover.soon()))
    return () => {
      for (const stop of stops) stop()
      cover.close()
    }
  }, [session, runs, page, host, isChart, queries])
}
