import dayjs from 'dayjs'
import { useLocale } from '../i18n/locale.ts'

/** A moment as people say it ("3 hours ago"); exact on hover and for machines. */
export function When({ at }: { at: string }) {
  const language = useLocale()
  const exact = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(at))
  return (
    <time dateTime={at} title={exact}>
      {dayjs(at).fromNow()}
    </time>
  )
}
