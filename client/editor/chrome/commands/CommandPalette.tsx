// One box that runs every command, adds every component and finds every element, by typing a part of what it is called.
import { useLingui } from '@lingui/react/macro'
import { useMemo, useState, type ReactNode } from 'react'
import { iconOf } from '../../../canvas/icons.ts'
import { useWords } from '../../../i18n/locale.ts'
import { KindIcon } from '../../../panels/KindIcon.tsx'
import { runCommands } from '../../../run/bar/commands.ts'
import { useRun } from '../../../run/RunProvider.tsx'
import { commands, run as runCommand } from '../../commands.ts'
import { keyText } from '../../strokes.ts'
import { isConnector, pathTo, titleOf } from '../../grammar.ts'
import { kindOf } from '../../../../model-schema/kinds.ts'
import { isMac } from '../../keyboard.ts'
import { everythingOn, findIn } from '../../starters/vocabulary.ts'
import { lessons } from '../../../tutorials/lessons.ts'
import { useScope } from '../../useEditor.ts'
import { signOf } from '../adding/Palette.tsx'
import './commandpalette.css'
import { english } from '../../../../model-schema/words.ts'

type Line = { readonly key: string; readonly text: string; readonly more: string; readonly icon: ReactNode; readonly take: () => void }

/** As many lines of a sort are shown: there is always a longer search. */
const maxLinesPerGroup = 8

export function CommandPalette() {
  const { t } = useLingui()
  const [search, setSearch] = useState('')
  const [at, setAt] = useState(0)
  const { editor } = useScope()
  const groups = useLines(search)
  const lines = groups.flatMap(group => group.lines)
  const close = (): void => {
    editor.view.setState({ palette: false })
    document.querySelector<HTMLElement>('.h-canvas')?.focus({ preventScroll: true })
  }
  const take = (line: Line | undefined): void => {
    if (!line) return
    close()
    line.take()
  }
  return (
    <div className="h-command-back" onPointerDown={event => event.stopPropagation()} onClick={close} role="presentation">
      <div
        className="h-command"
        role="dialog"
        aria-modal
        aria-label={t`Commands`}
        onClick={event => event.stopPropagation()}
        onDoubleClick={event => event.stopPropagation()}
        onWheel={event => event.stopPropagation()}
        onKeyDown={event => {
          event.stopPropagation()
          if (event.key === 'ArrowDown') setAt(Math.min(lines.length - 1, at + 1))
          else if (event.key === 'ArrowUp') setAt(Math.max(0, at - 1))
          else if (event.key === 'Enter' && !event.nativeEvent.isComposing) take(lines[at])
          else if (event.key === 'Escape' || event.key === 'Tab') close()
          else return
          event.preventDefault()
        }}
      >
        <input
          // Opened by a key: typing continues in this field.
          // eslint-disable-next-line jsx-a11y/no-autofocus
          autoFocus
          role="combobox"
          aria-expanded
          aria-controls="h-command-list"
          aria-activedescendant={lines[at] ? `command-${lines[at].key}` : undefined}
          aria-label={t`Find a command, component or element`}
          placeholder={t`Find a command, component or element`}
          value={search}
          onChange={event => {
            setSearch(event.target.value)
            setAt(0)
          }}
        />
        <ul id="h-command-list" role="listbox" aria-label={t`Commands`}>
          {groups.map(group => (
            <li key={group.title} role="presentation">
              <h3>{group.title}</h3>
              <ul role="group" aria-label={group.title}>
                {group.lines.map(line => (
                  <li
                    key={line.key}
                    id={`command-${line.key}`}
                    role="option"
                    aria-selected={line === lines[at]}
                    ref={element => {
                      if (line === lines[at]) element?.scrollIntoView({ block: 'nearest' })
                    }}
                    onPointerMove={() => setAt(lines.indexOf(line))}
                    onClick={() => take(line)}
                  >
                    {line.icon}
                    <bdi>{line.text}</bdi>
                    <small>{line.more}</small>
                  </li>
                ))}
              </ul>
            </li>
          ))}
        </ul>
        {lines.length === 0 && <p className="h-muted">{t`Nothing is called “${search}”.`}</p>}
      </div>
    </div>
  )
}

/** Matches of the search, by sort: commands available now, kinds to add here, elements anywhere in the model. */
function useLines(search: string): readonly { title: string; lines: readonly Line[] }[] {
  const { t } = useLingui()
  const words = useWords()
  const scope = useScope()
  const run = useRun()
  return useMemo(() => {
    const { editor } = scope
    const wanted = search.trim().toLowerCase()
    const fits = (...texts: string[]): boolean => texts.some(text => text.toLowerCase().includes(wanted))
    const runs = runCommands
      .filter(one => one.may(run) === true && fits(english(one.words), words(one.words)))
      .map((one): Line => ({
        key: one.id,
        text: words(one.words),
        more: keyText(one.keys[0] ?? '', isMac),
        icon: null,
        take: () => one.do(run),
      }))
    const does = commands
      .filter(one => one.id !== 'commandPalette' && one.may(scope) === true && fits(english(one.words), words(one.words)))
      .map((one): Line => ({
        key: one.id,
        text: words(one.words),
        more: keyText(one.keys[0] ?? '', isMac),
        icon: null,
        take: () => void runCommand(one.id, scope),
      }))
    const adds = editor.writable
      ? findIn(everythingOn(editor.canvasKind), search).map(({ offer, by }): Line => ({
          key: `add ${offer.key}`,
          text: words(offer.label),
          more: by ?? '',
          icon: <KindIcon name={signOf(offer)} />,
          take: () => void editor.putSomewhere(offer),
        }))
      : []
    const elements = [...editor.model.elements.values()]
      .filter(element => !isConnector(kindOf(element.kind)) && fits(titleOf(element, words)))
      .slice(0, 50)
      .map((element): Line => ({
        key: `show ${element.id}`,
        text: titleOf(element, words),
        more: pathTo(editor.model, element.id)
          .slice(0, -1)
          .map(one => titleOf(one, words))
          .join(' › '),
        icon: <KindIcon name={element.parent === null ? 'scenario' : iconOf(element.kind, element.fields)} />,
        take: () => editor.reveal(element.id),
      }))
    const learn = lessons
      .filter(({ title }) => fits(english(title), words(title), 'tutorial', t`Tutorial`))
      .map(({ id, title }): Line => ({
        key: `learn ${id}`,
        text: words(title),
        more: t`Tutorial`,
        icon: null,
        take: () => editor.view.setState({ lesson: id }),
      }))
    return [
      { title: t`Run`, lines: runs },
      { title: t`Go to`, lines: elements },
      { title: t`Add here`, lines: adds },
      { title: t`Commands`, lines: does },
      { title: t`Learn`, lines: learn },
    ]
      .map(group => ({ ...group, lines: wanted === '' ? group.lines.slice(0, 5) : group.lines.slice(0, maxLinesPerGroup) }))
      .filter(group => group.lines.length > 0)
  }, [search, scope, run, words, t])
}
