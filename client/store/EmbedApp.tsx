// A publication alone on its page: /embed_marketapp/{appId} for pages of others, /embed_test_marketapp/{appId} for its author to try what is
// not published yet.
import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { EmptyState } from '../ui/EmptyState.tsx'
import { PageLoading } from '../ui/loading/PageLoading.tsx'
import { wordsOfError } from '../ui/notices.ts'
import { complain } from '../ui/toast.ts'
import { RunHere, runnable } from './RunHere.tsx'
import { market } from './market.ts'
import style from './store.module.css'

export function EmbedApp({ draft = false }: { draft?: boolean }) {
  const { t } = useLingui()
  const { appId = '' } = useParams({ strict: false })
  const found = useQuery({
    queryKey: ['market', 'app', appId, draft],
    queryFn: () => market.app(appId, draft),
    retry: false,
    staleTime: Infinity,
  })
  const [chosen, setChosen] = useState<string | null>(null)
  const id = found.data?.id
  useEffect(() => {
    if (id !== undefined && !draft) market.visit(id).catch(complain)
  }, [id, draft])
  if (found.isPending) return <PageLoading />
  if (found.isError)
    return (
      <main className={style['alone']}>
        <EmptyState title={t`Not on the shelf`} text={wordsOfError(found.error)} />
      </main>
    )
  const app = found.data
  const files = runnable(app)
  const file = files.find(one => one.id === chosen) ?? files[0]
  if (file === undefined)
    return (
      <main className={style['alone']}>
        <EmptyState title={app.name} text={t`There is nothing in it to be run.`} />
      </main>
    )
  return (
    <div className={style['embedded']}>
      <h1 className="h-hidden">{app.name}</h1>
      {draft ? (
        <p className={style['testing']} role="status">
          {t`Test of “${app.name}”, version ${app.version}: only those who may publish it see this page.`}
        </p>
      ) : null}
      {files.length > 1 && app.kind === 'project' ? (
        <nav className={style['parts']} aria-label={t`Parts`}>
          {files.map(one => (
            <button key={one.id} type="button" aria-pressed={one === file} onClick={() => setChosen(one.id)}>
              {one.name}
            </button>
          ))}
        </nav>
      ) : null}
      <div className={style['fill']}>
        <RunHere key={file.id} app={app} file={file} draft={draft} />
      </div>
    </div>
  )
}
