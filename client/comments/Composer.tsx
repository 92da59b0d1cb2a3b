// Where a comment is written: rich text of few kinds by tiptap; @ offers people to mention. Mod+Enter sends.
import { useLingui } from '@lingui/react/macro'
import { Mention, type MentionNodeAttrs } from '@tiptap/extension-mention'
import { EditorContent, useEditor as useTiptap } from '@tiptap/react'
import { StarterKit } from '@tiptap/starter-kit'
import type { SuggestionOptions } from '@tiptap/suggestion'
import { Button } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { useStore } from 'zustand'
import { createStore, type StoreApi } from 'zustand/vanilla'
import { isMac } from '../editor/keyboard.ts'
import { Avatar } from '../ui/Avatar.tsx'
import { complain } from '../ui/toast.ts'
import type { Comments } from './comments.ts'
import { CopilotAvatar } from './CopilotAvatar.tsx'
import { COPILOT, nodesOf, type Somebody } from './threads.ts'

type Props = {
  /** The comments, for the people who can be mentioned. */
  comments: Pick<Comments, 'people'>
  /** The copilot can be mentioned too. */
  copilot?: boolean
  label: string
  /** What is on the button. */
  verb: string
  /** The comment that is changed. */
  body?: string
  autoFocus?: boolean
  send: (body: string) => Promise<unknown>
  cancel?: () => void
}

/** The people offered after an @. */
type Offer = {
  readonly people: readonly Somebody[]
  readonly at: number
  readonly pick: (one: Somebody) => void
  readonly left: number
  readonly top: number
}

export default function Composer({ comments, copilot = false, label, verb, body, autoFocus = false, send, cancel }: Props) {
  const { t } = useLingui()
  const [offers] = useState(() => createStore<{ offer: Offer | null }>(() => ({ offer: null })))
  const offer = useStore(offers, state => state.offer)
  const [empty, setEmpty] = useState(body === undefined)
  const [busy, setBusy] = useState(false)
  const latest = useRef<{ submit: () => void }>({ submit: () => undefined })
  const editor = useTiptap({
    autofocus: autoFocus ? 'end' : false,
    content: body === undefined ? '' : { type: 'doc', content: [...nodesOf(body)] },
    extensions: [
      StarterKit.configure({
        heading: false,
        horizontalRule: false,
        link: { openOnClick: false, autolink: true, defaultProtocol: 'https' },
      }),
      Mention.configure({
        HTMLAttributes: { class: 'h-mention' },
        suggestion: mentioning(comments, offers, copilot ? { id: COPILOT, name: t`Copilot` } : null),
      }),
    ],
    editorProps: {
      attributes: { class: 'h-composer-text', role: 'textbox', 'aria-multiline': 'true', 'aria-label': label },
      handleKeyDown: (_, event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
          latest.current.submit()
          return true
        }
        if (event.key !== 'Escape' || offers.getState().offer !== null || !cancel) return false
        cancel()
        return true
      },
    },
    onUpdate: ({ editor }) => setEmpty(editor.isEmpty),
  })
  const submit = (): void => {
    if (!editor || busy || editor.isEmpty || editor.getText().trim() === '') return
    setBusy(true)
    send(JSON.stringify(editor.getJSON()))
      .then(() => editor.commands.clearContent(true))
      .catch(complain)
      .finally(() => setBusy(false))
  }
  useEffect(() => {
    latest.current = { submit }
  })
  return (
    <div className="h-composer" onKeyDown={event => event.stopPropagation()}>
      <EditorContent editor={editor} />
      {empty && <p className="h-composer-hint">{label}</p>}
      {offer && (
        <ul className="h-mention-offer" role="listbox" aria-label={t`People to mention`} style={{ left: offer.left, top: offer.top }}>
          {offer.people.map((one, i) => (
            <li key={one.id} role="option" aria-selected={i === offer.at} onMouseDown={event => (event.preventDefault(), offer.pick(one))}>
              {one.id === COPILOT ? <CopilotAvatar size={20} /> : <Avatar id={one.id} name={one.name} image={one.avatar} size={20} />}
              {one.name}
            </li>
          ))}
        </ul>
      )}
      <div className="h-composer-foot">
        <small>{isMac ? '⌘ ⏎' : 'Ctrl ⏎'}</small>
        {cancel && (
          <Button size="small" type="text" onClick={cancel}>
            {t`Cancel`}
          </Button>
        )}
        <Button size="small" type="primary" disabled={empty} loading={busy} onClick={submit}>
          {verb}
        </Button>
      </div>
    </div>
  )
}

/** How many people are offered at once. */
const maxPeopleOffered = 6

function mentioning(
  comments: Pick<Comments, 'people'>,
  offers: StoreApi<{ offer: Offer | null }>,
  copilot: Somebody | null,
): Omit<SuggestionOptions<Somebody, MentionNodeAttrs>, 'editor'> {
  const show = (offer: Offer | null): void => offers.setState({ offer })
  const shown = (): Offer | null => offers.getState().offer
  let people: Promise<readonly Somebody[]> | null = null
  return {
    char: '@',
    items: async ({ query }) => {
      people ??= comments.people()
      const wanted = query.toLocaleLowerCase()
      // By its English name in every language.
      const isCopilot = copilot !== null && (COPILOT.startsWith(wanted) || copilot.name.toLocaleLowerCase().includes(wanted))
      const named = (await people).filter(one => one.name.toLocaleLowerCase().includes(wanted))
      return [...(isCopilot ? [copilot] : []), ...named].slice(0, maxPeopleOffered)
    },
    render: () => {
      type Given = { items: Somebody[]; command: (attrs: MentionNodeAttrs) => void; clientRect?: (() => DOMRect | null) | null }
      const place = ({ items, command, clientRect }: Given, at: number): void => {
        const box = clientRect?.()
        show(
          items.length === 0 || !box
            ? null
            : {
                people: items,
                at: Math.min(at, items.length - 1),
                pick: (one: Somebody) => command({ id: one.id, label: one.name }),
                left: box.left,
                top: box.bottom + 4,
              },
        )
      }
      return {
        onStart: given => place(given, 0),
        onUpdate: given => place(given, shown()?.at ?? 0),
        onExit: () => show(null),
        onKeyDown: ({ event }) => {
          const offer = shown()
          if (!offer) return false
          const one = offer.people[offer.at]
          if (event.key === 'Escape') show(null)
          else if (event.key === 'ArrowDown') show({ ...offer, at: (offer.at + 1) % offer.people.length })
          else if (event.key === 'ArrowUp') show({ ...offer, at: (offer.at + offer.people.length - 1) % offer.people.length })
          else if ((event.key === 'Enter' || event.key === 'Tab') && one) offer.pick(one)
          else return false
          return true
        },
      }
    },
  }
}
