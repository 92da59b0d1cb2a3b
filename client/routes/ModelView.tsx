// A model to look at and run: the canvas and the run's controls, and nothing else. A phone shows what the model shows first.
import { useLingui } from '@lingui/react/macro'
import { Suspense, useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import type { ReactNode } from 'react'
import { Editor } from '../editor/editor.ts'
import { EditorContext, useView } from '../editor/useEditor.ts'
import type { EditorScope } from '../editor/useEditor.ts'
import { LiveCanvas } from '../editor/chrome/LiveCanvas.tsx'
import { ZoomBar } from '../editor/chrome/ZoomBar.tsx'
import { isCard } from '../editor/grammar.ts'
import '../editor/editor.css'
import { wordsNow } from '../i18n/locale.ts'
import { ProblemsContext } from '../panels/problems.ts'
import type { RunParts } from '../run/run.ts'
import { RunBar } from '../run/bar/RunBar.tsx'
import { RunProvider, useProblems } from '../run/RunProvider.tsx'
import type { Session } from '../session.ts'
import { Drawing } from '../ui/Drawing.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { complain } from '../ui/toast.ts'
import { importedPart } from '../ui/loading/updates.ts'
import { useMedia } from '../ui/useMedia.ts'
import style from './routes.module.css'
import type { Words } from '../../model-schema/words.ts'

const ModeSwitch = importedPart(
  () => import('../editor/chrome/ModeSwitch.tsx'),
  module => module.ModeSwitch,
)
const RunView = importedPart(
  () => import('../editor/chrome/RunView.tsx'),
  module => module.RunView,
)

type Props = {
  session: Session
  title: string | null
  controls: boolean
  /** It is a part of a page that has a main part already. */
  inside?: boolean
  /** Why it may not be copied; true or nothing where it may. */
  mayCopy?: true | Words
  /** What the plan allows a run. */
  limits?: RunParts['limits']
  /** What can be done about a model in which there is nothing. */
  onEmpty?: ReactNode
}

export function ModelView({ session, title, controls, inside = false, mayCopy = true, limits, onEmpty }: Props) {
  const Main = inside ? 'div' : 'main'
  const editor = useMemo(
    () =>
      new Editor({
        doc: session.doc,
        model: session.model,
        undo: session.undo,
        writable: () => false,
        words: wordsNow,
      }),
    [session],
  )
  useEffect(() => () => editor.close(), [editor])
  const narrow = useMedia('(max-width: 760px)')
  const hasCards = useMemo(() => [...session.model.getState().model.elements.values()].some(element => isCard(element.kind)), [session])
  const [looking, setLooking] = useState(!hasCards)
  const scope = useMemo<EditorScope>(() => {
    const nothing = (): void => undefined
    const host = {
      mayCopy,
      write: (text: string) => navigator.clipboard.writeText(text),
      read: () => Promise.resolve(''),
      exportPicture: nothing,
      setCover: null,
      download: nothing,
      fullScreen: () =>
        void (document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen()).catch(complain),
      find: nothing,
      shortcuts: nothing,
      toggle: nothing,
    }
    return { editor, host, model: session.model }
  }, [editor, session, mayCopy])
  const scenario = useSyncExternalStore(editor.view.subscribe, () => editor.view.getState().scenario)
  return (
    <EditorContext value={scope}>
      <RunProvider session={session} scenario={scenario} limits={limits}>
        <Problems>
          <div className={style['embed']}>
            {title === null ? null : <h1>{title}</h1>}
            <Suspense>{narrow && hasCards && <ModeSwitch editing={looking} onEditing={setLooking} readOnly />}</Suspense>
            {narrow && !looking ? (
              <Suspense fallback={<Main className={style['canvas']} />}>
                <RunView inside={inside} />
              </Suspense>
            ) : (
              <Main className={style['canvas']}>
                <LiveCanvas session={session} talk={false} />
                <Nothing editor={editor} action={onEmpty} />
              </Main>
            )}
            {controls ? (
              <footer>
                <RunBar
                  compact
                  onShow={id => {
                    setLooking(true)
                    editor.reveal(id)
                  }}
                />
                {(!narrow || looking || !hasCards) && <ZoomBar />}
              </footer>
            ) : null}
          </div>
        </Problems>
      </RunProvider>
    </EditorContext>
  )
}

/** Covers the canvas as long as nothing is on it. */
function Nothing({ editor, action }: { editor: Editor; action: ReactNode }) {
  const { t } = useLingui()
  const isEmpty = useView(view => view.canvas === view.scenario && view.size.w > 0 && editor.scene.count === 0)
  return isEmpty ? (
    <div className={style['nothing']}>
      <EmptyState
        title={t`Nothing in this model yet`}
        text={t`What is built in it appears here at once, and can be run.`}
        drawing={<Drawing of="process" />}
        action={action}
      />
    </div>
  ) : null
}

function Problems({ children }: { children: ReactNode }) {
  return <ProblemsContext value={useProblems()}>{children}</ProblemsContext>
}
