import { useLingui } from '@lingui/react/macro'
import { Skeleton } from 'antd'
import { Suspense, useState } from 'react'
import { useLocale, useWords } from '../i18n/locale.ts'
import type { Sample } from '../../model-schema/samples.ts'
import type { FileKind } from '../local/device.ts'
import type { Place } from '../local/place.ts'
import { EmptyState } from '../ui/EmptyState.tsx'
import { complain } from '../ui/toast.ts'
import { importedPart } from '../ui/loading/updates.ts'
import { SampleCover } from './files/Cover.tsx'
import { DropFiles } from './files/DropFiles.tsx'
import { FileList } from './files/FileList.tsx'
import { NewButton, Toolbar, UploadButton } from './files/Toolbar.tsx'
import { openSample, samplesFor } from './files/samples.ts'
import { comesFirst } from './files/kinds.tsx'
import { useFound } from './files/useFound.ts'
import { useActions } from './files/useActions.tsx'
import type { Actions } from './files/useActions.tsx'
import { useFiles, usePlace } from './usePlace.ts'
import { arranged, useView } from './files/view.ts'
import style from './workspace.module.css'

const SampleExperiments = importedPart(
  () => import('../experiments/SampleExperiments.tsx'),
  module => module.SampleExperiments,
)

/** How many files Recent shows; the rest are in the project. */
const shownFiles = 12

/** The kinds that can be created here: those with an editor, not folders. */
const documents: readonly FileKind[] = ['model', 'experiment', 'dashboard', 'chart', 'block']

/** The start page: the latest files, and samples to begin with. */
export function Recent() {
  const place = usePlace()
  return place === null ? null : <RecentOf place={place} />
}

function RecentOf({ place }: { place: Place }) {
  const { t } = useLingui()
  const actions = useActions(place)
  const files = useFiles(place)
  const current = useView()
  const language = useLocale()
  const found = useFound(current.search, place.local)
  const searching = current.search.trim() !== ''
  const alive = (files ?? []).filter(file => file.trashedAt === null && (searching || !comesFirst(file.kind)))
  const shown = arranged(alive, current, language, found).slice(0, searching ? undefined : shownFiles)
  const samples = samplesFor(current.search)
  return (
    <DropFiles actions={actions}>
      <Toolbar title={t`Recent`} sortable={alive.length > 0}>
        <UploadButton actions={actions} />
        <NewButton actions={actions} kinds={documents} />
      </Toolbar>
      {files === undefined ? (
        <Skeleton active title={false} paragraph={{ rows: 3 }} />
      ) : shown.length > 0 ? (
        <FileList files={shown} place={place} actions={actions} caption={searching ? t`Found` : t`Recent files`} brief={!searching} />
      ) : searching ? (
        samples.length > 0 ? null : (
          <EmptyState title={t`Nothing found`} text={t`No file and no sample has these words. Try fewer or other ones.`} />
        )
      ) : (
        <p className={style['quiet']}>{t`Models you open appear here. Begin with a sample below, or with an empty model.`}</p>
      )}
      {samples.length > 0 ? <Gallery samples={samples} place={place} actions={actions} /> : null}
      <Suspense>
        <SampleExperiments place={place} search={current.search} />
      </Suspense>
    </DropFiles>
  )
}

function Gallery({ samples, place, actions }: { samples: readonly Sample[]; place: Place; actions: Actions }) {
  const { t } = useLingui()
  const words = useWords()
  const [opening, setOpening] = useState<string | null>(null)
  const open = async (sample: Sample): Promise<void> => {
    setOpening(sample.id)
    try {
      actions.open(await openSample(place, sample))
    } catch (error) {
      complain(error)
    } finally {
      setOpening(null)
    }
  }
  return (
    <section aria-labelledby="samples" className={style['gallery']}>
      <h2 id="samples">{t`Samples`}</h2>
      <p className={style['quiet']}>{t`Ready to run, checked against published results. Opening one makes a copy that is yours.`}</p>
      <ul className={style['cards']}>
        {samples.map(sample => (
          <li key={sample.id} className={style['card']}>
            <button
              type="button"
              className={style['sample']}
              disabled={opening !== null}
              aria-busy={opening === sample.id}
              onClick={() => void open(sample)}
              data-sample={sample.id}
            >
              <span className={style['cover']}>
                <SampleCover sample={sample} />
              </span>
              <span className={style['cardText']}>
                <strong>{words(sample.title)}</strong>
                <span className={style['note']}>{words(sample.note)}</span>
                <span className={style['reference']} title={words(sample.reference)}>
                  {words(sample.reference)}
                </span>
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}
