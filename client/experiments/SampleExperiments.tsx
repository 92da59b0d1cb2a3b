// The shipped experiments, each a click away: it and a copy of its model are made.
import { useLingui } from '@lingui/react/macro'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { SampleExperiment } from '../../model-schema/samples.ts'
import { useWords } from '../i18n/locale.ts'
import type { Place } from '../local/place.ts'
import { complain } from '../ui/toast.ts'
import { addressOf } from '../workspace/files/address.ts'
import style from '../workspace/workspace.module.css'
import { gallery, openSampleExperiment } from './begin.ts'
import { english } from '../../model-schema/words.ts'

/** `search`: words that title or note must have. */
export function SampleExperiments({ place, search = '' }: { place: Place; search?: string }) {
  const { t } = useLingui()
  const words = useWords()
  const navigate = useNavigate()
  const [opening, setOpening] = useState<string | null>(null)
  const wanted = search.toLowerCase().split(/\s+/).filter(Boolean)
  const shown = gallery.filter(({ title, note }) => {
    const text = `${english(title)} ${words(title)} ${english(note)} ${words(note)}`.toLowerCase()
    return wanted.every(word => text.includes(word))
  })
  const open = async (sample: SampleExperiment): Promise<void> => {
    setOpening(sample.id)
    try {
      await navigate({ to: addressOf(await openSampleExperiment(place, sample)) })
    } catch (error) {
      complain(error)
    } finally {
      setOpening(null)
    }
  }
  if (shown.length === 0) return null
  return (
    <section aria-labelledby="sample-experiments" className={style['gallery']}>
      <h2 id="sample-experiments">{t`Sample experiments`}</h2>
      <p className={style['quiet']}>{t`Ready to start. Opening one makes a copy that is yours, with its model.`}</p>
      <ul className={style['cards']}>
        {shown.map(sample => (
          <li key={sample.id} className={style['card']}>
            <button
              type="button"
              className={style['sample']}
              disabled={opening !== null}
              aria-busy={opening === sample.id}
              onClick={() => void open(sample)}
              data-experiment={sample.id}
            >
              <span className={style['cardText']}>
                <strong>{words(sample.title)}</strong>
                <span className={style['note']}>{words(sample.note)}</span>
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}
