// The panel of the copilot in the editor of a file about a model: its questions and proposals are about that file; the model is read and run for them.
import { Trans, useLingui } from '@lingui/react/macro'
import { Button } from 'antd'
import { useEffect, useMemo, useState } from 'react'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import type { DraftKind } from '../../../model-schema/file-drafts.ts'
import type { Id } from '../../../model-schema/model.ts'
import { english } from '../../../model-schema/words.ts'
import { understoodOfFile, suggestionsOfFile, type Answer } from '../../../sim-engine/copilot/doors/questions.ts'
import { Editor } from '../../editor/editor.ts'
import { quietHost } from '../../editor/quietHost.ts'
import { EditorContext } from '../../editor/useEditor.ts'
import { useLinked, useOthers, type Linked } from '../../experiments/linked.ts'
import { useWords } from '../../i18n/locale.ts'
import type { Session } from '../../session.ts'
import { Panel } from '../Panel.tsx'
import { talkOf } from '../talk.ts'
import { setSubject } from './subject.ts'

export type FilePanelProps = {
  session: Session
  kind: DraftKind
  name: string
  /** The id of the model that the file is about; blank for none. */
  modelFile: string
  /** The ids of the other models of a page of several. */
  otherFiles?: readonly string[]
  /** Shows a part of the file. */
  reveal: (id: Id) => void
  /** Explains the results of an experiment; absent while there are none. */
  explain?: (() => Promise<Answer>) | null
}

const none: readonly string[] = []

export function FilePanel({ session, kind, name, modelFile, otherFiles = none, reveal, explain = null }: FilePanelProps) {
  const { t } = useLingui()
  const linked = useLinked(session, modelFile)
  const others = useOthers(session, otherFiles)
  const [shows] = useState(() => createStore(() => ({ reveal, explain })))
  useEffect(() => shows.setState({ reveal, explain }), [shows, reveal, explain])
  const scope = useMemo(() => {
    const { doc, model, undo } = session
    const editor = new FileEditor({ doc, model, undo, writable: () => session.writable }, id => shows.getState().reveal(id))
    return { editor, host: quietHost, model }
  }, [session, shows])
  useEffect(() => () => scope.editor.close(), [scope])
  const model = linked.state === 'open' ? linked.session : null
  useEffect(() => {
    setSubject(session, { kind, name, model, others, explain: () => shows.getState().explain?.() ?? null })
    return () => {
      talkOf(session).stop()
      setSubject(session, { kind, name, model: null, explain: () => null })
    }
  }, [session, kind, name, model, others, shows])
  return (
    <EditorContext value={scope}>
      <Panel
        session={session}
        understood={text => understoodOfFile(text)}
        opening={<Opening linked={linked} />}
        toAsk={<ToAsk session={session} kind={kind} hasResults={explain !== null} />}
        toBegin={() => [t`What is wrong with this, and how is it repaired?`, t`Explain this`, t`What else of the model should be in it?`]}
      />
    </EditorContext>
  )
}

/** There is no canvas: a part is shown where its file shows it. */
class FileEditor extends Editor {
  readonly #show: (id: Id) => void

  constructor(parts: ConstructorParameters<typeof Editor>[0], show: (id: Id) => void) {
    super(parts)
    this.#show = show
  }

  override reveal(id: Id): void {
    this.#show(id)
  }
}

function Opening({ linked }: { linked: Linked }) {
  return (
    <p className="h-guide-hint">
      {linked.state === 'none' ? (
        <Trans>Choose the model first: what is asked here is answered from it.</Trans>
      ) : linked.state === 'failed' ? (
        <Trans>The model of this file cannot be opened here, so little can be said about the file.</Trans>
      ) : (
        <Trans>
          The guide explains and checks this file, and suggests what else of its model belongs in it. Ask in your own words, or:
        </Trans>
      )}
    </p>
  )
}

function ToAsk({ session, kind, hasResults }: { session: Session; kind: DraftKind; hasResults: boolean }) {
  const words = useWords()
  const talk = talkOf(session)
  const { turns } = useStore(talk.store)
  const last = turns.at(-1)
  if (last?.is === 'guide' && (last.answer?.next.length ?? 0) > 0) return null
  return (
    <div className="h-guide-next">
      {suggestionsOfFile(kind, hasResults).map(({ words: said, ask }) => (
        <Button key={english(said)} size="small" onClick={() => talk.ask(said, ask)}>
          {words(said)}
        </Button>
      ))}
    </div>
  )
}
