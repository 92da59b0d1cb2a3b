// Help in the app: how to do things, then the reference of the language and the elements, made from the same tables as the checker.
import { LinkOutlined, SearchOutlined, UnorderedListOutlined } from '@ant-design/icons'
import { Trans, useLingui } from '@lingui/react/macro'
import { useRouterState } from '@tanstack/react-router'
import { Button, Input } from 'antd'
import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import type { Chapter, Entry, ReferencePart } from '../../sim-engine/docs.ts'
import { useWords } from '../i18n/locale.ts'
import { EmptyState } from '../ui/EmptyState.tsx'
import { LanguageMenu, ThemeMenu } from '../ui/Choices.tsx'
import { Logo } from '../ui/Logo.tsx'
import { Inline, Markdown } from './Markdown.tsx'
import { chaptersOf } from './chapters.ts'
import { countOf, matching } from './search.ts'
import style from './reference.module.css'

export function Reference() {
  const { t } = useLingui()
  const words = useWords()
  const hash = useRouterState({ select: state => state.location.hash })
  // A link into the reference shows its place, whatever was looked for before.
  const [asked, setAsked] = useState({ query: '', at: hash })
  const query = asked.at === hash ? asked.query : ''
  const [listed, setListed] = useState(false)
  const sought = useDeferredValue(query)
  const chapters = useMemo(() => chaptersOf(words), [words])
  const shown = useMemo(() => matching(chapters, sought), [chapters, sought])
  const title = t`Help`
  /** The last place that was scrolled to: later searching or reading does not scroll. */
  const reached = useRef('')

  useEffect(() => {
    document.title = `${title} – Holarchy`
    return () => void (document.title = 'Holarchy')
  }, [title])
  useEffect(() => {
    if (hash === reached.current) return
    const frame = requestAnimationFrame(() => {
      const place = document.getElementById(hash)
      // While the text is still that of a search, the place is not there yet.
      if (!place && sought !== query) return
      reached.current = hash
      place?.scrollIntoView({ block: 'start' })
    })
    return () => cancelAnimationFrame(frame)
  }, [hash, query, sought])

  return (
    <div className={style['page']}>
      <header className={style['top']}>
        <Logo />
        <Input
          type="search"
          allowClear
          className={style['search'] ?? ''}
          prefix={<SearchOutlined aria-hidden />}
          placeholder={t`Search help`}
          aria-label={t`Search help`}
          value={query}
          onChange={event => setAsked({ query: event.target.value, at: hash })}
        />
        <Button
          type="text"
          className={style['listing'] ?? ''}
          icon={<UnorderedListOutlined aria-hidden />}
          aria-label={t`Contents`}
          aria-expanded={listed}
          onClick={() => setListed(!listed)}
        />
        <LanguageMenu />
        <ThemeMenu />
      </header>
      <nav className={style['contents']} aria-label={t`Contents`} data-open={listed || undefined}>
        <ol>
          {shown.map(chapter => (
            <li key={chapter.id}>
              <a href={`#${chapter.id}`} onClick={() => setListed(false)} aria-current={hash === chapter.id ? 'location' : undefined}>
                {chapter.title}
              </a>
              {chapter.parts.length > 1 && (
                <ol>
                  {chapter.parts.map(part => (
                    <li key={part.id}>
                      <a href={`#${part.id}`} onClick={() => setListed(false)} aria-current={hash === part.id ? 'location' : undefined}>
                        {part.title}
                      </a>
                    </li>
                  ))}
                </ol>
              )}
            </li>
          ))}
        </ol>
      </nav>
      <main className={style['text']}>
        <h1>
          <Trans>Help</Trans>
        </h1>
        <p role="status" className={style['count']}>
          {sought.trim() === '' ? (
            <Trans>How to do things, then everything there is: elements, formulas, problems, files.</Trans>
          ) : (
            <Found count={countOf(shown)} />
          )}
        </p>
        {shown.length === 0 && <EmptyState title={t`Nothing found`} text={t`Try a shorter word, or the English name of a function.`} />}
        {shown.map(chapter => (
          <ChapterText key={chapter.id} chapter={chapter} hash={hash} />
        ))}
      </main>
    </div>
  )
}

function Found({ count }: { count: number }) {
  const { t } = useLingui()
  return <>{count === 1 ? t`1 place found` : t`${count} places found`}</>
}

function ChapterText({ chapter, hash }: { chapter: Chapter; hash: string }) {
  return (
    <section className={style['chapter']} aria-labelledby={chapter.id}>
      <h2 id={chapter.id}>
        {chapter.title}
        <Anchor id={chapter.id} title={chapter.title} />
      </h2>
      <Markdown text={chapter.text} />
      {chapter.parts.map(part => (
        <PartText key={part.id} part={part} hash={hash} />
      ))}
    </section>
  )
}

function PartText({ part, hash }: { part: ReferencePart; hash: string }) {
  return (
    <section aria-labelledby={part.id}>
      <h3 id={part.id}>
        {part.title}
        <Anchor id={part.id} title={part.title} />
      </h3>
      <Markdown text={part.text} />
      {part.entries.map(entry => (
        <EntryText key={entry.id} entry={entry} current={hash === entry.id} />
      ))}
    </section>
  )
}

function EntryText({ entry, current }: { entry: Entry; current: boolean }) {
  return (
    <article className={style['entry']} data-current={current || undefined} aria-labelledby={entry.id}>
      <h4 id={entry.id}>
        <Inline text={entry.title} />
        <Anchor id={entry.id} title={entry.name} />
      </h4>
      <Markdown text={entry.text} />
    </article>
  )
}

function Anchor({ id, title }: { id: string; title: string }) {
  const { t } = useLingui()
  return (
    <a className={style['anchor']} href={`#${id}`} aria-label={t`Link to ${title}`}>
      <LinkOutlined aria-hidden />
    </a>
  )
}
