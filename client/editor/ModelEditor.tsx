// The model editor: one calm canvas in the middle, components and outline at the left, properties at the right, the
// run's panels below. On a phone the canvas and the run come first; panels are drawers.
import { plural, t as i18nt } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { useNavigate } from '@tanstack/react-router'
import { createElement, Suspense, useDeferredValue, useEffect, useMemo, useState, useSyncExternalStore, type ReactNode } from 'react'
import { useStore } from 'zustand'
import { api } from '../api.ts'
import { fileOf } from '../../model-schema/document.ts'
import { setField } from '../../model-schema/edit.ts'
import { printFile } from '../../model-schema/file.ts'
import type { Id } from '../../model-schema/model.ts'
import { listNow } from '../i18n/list.ts'
import { useWords, wordsNow } from '../i18n/locale.ts'
import { useVersionsKept } from '../history/useVersionsKept.ts'
import { besideOf, useBeside, useCommentsAsked } from '../panels/beside.ts'
import { ProblemsContext, toneOf } from '../panels/problems.ts'
import { SessionContext } from '../panels/session.ts'
import { handedRun } from '../run/handed.ts'
import { useBeyondSaid, useEditBounds, useRunLimits } from '../billing/planOfFile.ts'
import { RunProvider, useProblems, useRun } from '../run/RunProvider.tsx'
import type { Session } from '../session.ts'
import { complain, hush, notify, say, warn } from '../ui/toast.ts'
import { useMedia } from '../ui/useMedia.ts'
import { EarlyBar } from '../ui/loading/DocumentLoading.tsx'
import { PageLoading } from '../ui/loading/PageLoading.tsx'
import { PlainButton } from '../ui/PlainButton.tsx'
import { framed } from '../ui/framed.tsx'
import { importedPart } from '../ui/loading/updates.ts'
import { GlyphButton } from './chrome/Glyph.tsx'
import { LiveCanvas } from './chrome/LiveCanvas.tsx'
import { Sash, usePanelSize } from './chrome/Sash.tsx'
import { ZoomBar } from './chrome/ZoomBar.tsx'
import type { SimulationTab } from './chrome/SimulationPanel.tsx'
import type { Host } from './commands.ts'
import { Editor } from './editor.ts'
import { isCard } from './grammar.ts'
import { EditorContext, useEditor, useView, type EditorScope } from './useEditor.ts'
import '../ui/documentbar/documentbar.css'
import './editor.css'
import type { Words } from '../../model-schema/words.ts'

// The canvas comes first, without Ant Design; the parts around it follow at once, each as it is loaded.
const TopBar = framed(async () => (await import('./chrome/TopBar.tsx')).TopBar)
const Breadcrumb = framed(async () => (await import('./chrome/Breadcrumb.tsx')).Breadcrumb)
const RunBar = framed(async () => (await import('../run/bar/RunBar.tsx')).RunBar)
const Drawer = framed(async () => (await import('antd/es/drawer')).default)
const RightSide = framed(async () => (await import('../panels/RightSide.tsx')).RightSide)
const SidePanel = framed(async () => (await import('./chrome/SidePanel.tsx')).SidePanel)
const SimulationPanel = framed(async () => (await import('./chrome/SimulationPanel.tsx')).SimulationPanel)
const FindBox = framed(async () => (await import('./chrome/FindBox.tsx')).FindBox)
const History = framed(async () => (await import('../history/History.tsx')).History)
const RunView = importedPart(
  () => import('./chrome/RunView.tsx'),
  module => module.RunView,
)
const ModeSwitch = importedPart(
  () => import('./chrome/ModeSwitch.tsx'),
  module => module.ModeSwitch,
)
const Keyboard = importedPart(
  () => import('./keyboard.ts'),
  module => module.Keyboard,
)
const ShortcutSheet = framed(async () => (await import('./chrome/commands/ShortcutSheet.tsx')).ShortcutSheet)

type Props = {
  session: Session
  title: string
  teamCode: string
  onRename?: ((title: string) => void) | undefined
  backTo: string
  /** A button that shares the file. */
  share?: ReactNode
  /** Why it may not be copied; true or nothing where it may. */
  mayCopy?: true | Words | undefined
}

type Panels = { left: boolean; right: boolean; bottom: boolean }

export function ModelEditor(props: Props) {
  const { t } = useLingui()
  const coverSet = t`The cover of this file is now this canvas.`
  const { session, title, teamCode, mayCopy = true } = props
  const experimentName = t`Experiment with ${title}`
  const navigate = useNavigate()
  const words = useWords()
  const [panels, setPanels] = useState<Panels>({ left: true, right: true, bottom: false })
  const [sheet, setSheet] = useState<'find' | 'shortcuts' | null>(null)
  const [sheets, setSheets] = useState(false)
  const editor = useMemo(
    () =>
      new Editor({
        doc: session.doc,
        model: session.model,
        undo: session.undo,
        writable: () => session.writable,
        words: wordsNow,
        renamed: (id, was) => void offerLinked(session, id, was).catch(complain),
      }),
    [session],
  )
  useEffect(() => {
    editor.open()
    // A run of an experiment is opened in its scenario.
    const handed = handedRun()
    if (handed) editor.goTo(handed.scenario)
    return () => editor.close()
  }, [editor])
  const scope = useMemo<EditorScope>(() => {
    const show = (which: 'find' | 'shortcuts'): void => {
      setSheets(true)
      setSheet(which)
    }
    const host: Host = {
      write: text => navigator.clipboard.writeText(text),
      read: () => navigator.clipboard.readText(),
      exportPicture: as => void exportOf(editor, as, words).then(picture => save(picture, `${fileName(title)}.${endings[as]}`), complain),
      print: () => void printOf(editor, words, title).catch(complain),
      mayCopy,
      // Files that are only on this device are listed with the picture of their boxes.
      setCover:
        session.lamps.getState().server === 'none'
          ? null
          : () => void setCover(editor, session.docId, words).then(() => say(coverSet), complain),
      download: () =>
        void session.ready.then(() =>
          save(new Blob([printFile(fileOf(session.doc))], { type: 'application/json' }), `${fileName(title)}.holo`),
        ),
      fullScreen: () =>
        void (document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen()).catch(complain),
      find: () => show('find'),
      shortcuts: () => show('shortcuts'),
      comment: () => besideOf(session).setState({ side: 'comments', commenting: true }),
      history: () => besideOf(session).setState({ history: true }),
      copilot: () => besideOf(session).setState({ side: 'copilot' }),
      ...(session.target.shareCode === undefined
        ? {
            experiment: (variable?: Id) =>
              void beginExperiment(editor, session, teamCode, experimentName, variable)
                .then(address => navigate({ to: address }))
                .catch(complain),
          }
        : {}),
      toggle: panel => setPanels(before => ({ ...before, [panel]: !before[panel] })),
    }
    return { editor, host, model: session.model }
  }, [editor, session, title, teamCode, words, coverSet, experimentName, navigate, mayCopy])
  const scenario = useScenario(editor)
  const painted = usePainted(editor, session)
  const limits = useRunLimits(session)
  const showsHistory = useBeside(session, beside => beside.history)
  const version = useBeside(session, beside => beside.version)
  useVersionsKept(session)
  return (
    <EditorContext value={scope}>
      <SessionContext value={session}>
        <RunProvider session={session} scenario={scenario} limits={limits} held={!painted}>
          <Problems>
            {showsHistory ? (
              <Suspense fallback={<PageLoading />}>
                <History
                  session={session}
                  title={title}
                  team={props.teamCode}
                  begin={version}
                  close={() => besideOf(session).setState({ history: false, version: null })}
                />
              </Suspense>
            ) : (
              <Page {...props} panels={panels} setPanels={setPanels} scope={scope} painted={painted} />
            )}
            <Suspense>
              {sheets && <FindBox open={sheet === 'find'} onClose={() => setSheet(null)} />}
              {sheets && <ShortcutSheet open={sheet === 'shortcuts'} onClose={() => setSheet(null)} />}
            </Suspense>
          </Problems>
        </RunProvider>
      </SessionContext>
    </EditorContext>
  )
}

export default ModelEditor

/**
 * Whether the canvas was painted, and the document and the parts around it are loaded. Without painting, as in a background tab, a timeout
 * replaces it.
 */
function usePainted(editor: Editor, session: Session): boolean {
  const painted = useStore(editor.view, view => view.painted)
  const [ready, setReady] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => editor.view.setState({ painted: true }), paintTimeoutMs)
    return () => clearTimeout(timer)
  }, [editor])
  useEffect(() => {
    if (!painted) return
    session.drawn()
    const parts = [Keyboard, TopBar, Breadcrumb, RunBar, RightSide, SidePanel, SimulationPanel]
    // All at once; a part that could not be fetched shows an error in its place.
    void Promise.allSettled([session.ready, ...parts.map(part => part.ahead())]).then(() => setReady(true))
  }, [painted, session])
  return useDeferredValue(painted && ready)
}

/** Milliseconds. */
const paintTimeoutMs = 2000

const useScenario = (editor: Editor): string => useSyncExternalStore(editor.view.subscribe, () => editor.view.getState().scenario)

function Problems({ children }: { children: ReactNode }) {
  const problems = useProblems()
  const fresh = useView(view => view.fresh)
  const told = useMemo(
    () => (fresh === null ? problems : problems.filter(one => one.at.id !== fresh || toneOf(one) !== 'todo')),
    [problems, fresh],
  )
  return <ProblemsContext value={told}>{children}</ProblemsContext>
}

/** What both layouts show. */
type PageProps = {
  session: Session
  /** The bar above everything. */
  top: ReactNode
  /** Whether the parts around the canvas may be drawn. */
  painted: boolean
  panels: Panels
  setPanels: (panels: Panels) => void
  tab: SimulationTab
  setTab: (tab: SimulationTab) => void
}

function Page({
  session,
  title,
  onRename,
  backTo,
  share,
  panels,
  setPanels,
  scope,
  painted,
}: Props & { panels: Panels; setPanels: (panels: Panels) => void; scope: EditorScope; painted: boolean }) {
  const { t } = useLingui()
  const early = useEarlyKeys(painted)
  useRefusals(useEditBounds(session))
  useBeyondSaid(session, useRun(), t`This file is over the limit of its plan`)
  const narrow = useMedia('(max-width: 760px)')
  const [tab, setTab] = useState<SimulationTab>('problems')
  const [drawer, setDrawer] = useState<Drawn>(null)
  // A phone shows what a model shows; how it is made is one step further.
  const [shows] = useState(() => narrow && [...scope.editor.model.elements.values()].some(element => isCard(element.kind)))
  const [editing, setEditing] = useState(!shows)
  useCommentsAsked(session, () => {
    setPanels({ ...panels, right: true })
    if (narrow) setDrawer('right')
  })
  const problems = (): void => {
    setTab('problems')
    setPanels({ ...panels, bottom: true })
    if (narrow) setDrawer('bottom')
  }
  const top = painted ? (
    <Suspense fallback={<EarlyBar title={title} />}>
      <Keyboard context={scope} early={early} />
      <TopBar session={session} title={title} onRename={onRename} backTo={backTo} share={share} narrow={narrow} onProblems={problems} />
    </Suspense>
  ) : (
    <EarlyBar title={title} />
  )
  const page: PageProps = { session, top, painted, panels, setPanels, tab, setTab }
  return narrow ? (
    <PhonePage
      {...page}
      shows={shows}
      editing={editing}
      setEditing={setEditing}
      editor={scope.editor}
      drawer={drawer}
      setDrawer={setDrawer}
      onProblems={problems}
    />
  ) : (
    <WidePage {...page} />
  )
}

/** The panel that is drawn over the canvas of a phone. */
type Drawn = 'left' | 'right' | 'bottom' | null

type PhoneProps = PageProps & {
  /** Whether there is something to see without editing. */
  shows: boolean
  editing: boolean
  setEditing: (editing: boolean) => void
  editor: Editor
  drawer: Drawn
  setDrawer: (drawer: Drawn) => void
  onProblems: () => void
}

function PhonePage({ session, top, painted, tab, setTab, shows, editing, setEditing, editor, drawer, setDrawer, onProblems }: PhoneProps) {
  const { t } = useLingui()
  const pointing = useBeside(session, beside => beside.pointing)
  return (
    <div className="h-editor" data-narrow>
      {top}
      <Suspense>
        {shows && <ModeSwitch editing={editing} onEditing={setEditing} />}
        {painted && editing && (
          <div className="h-path">
            <Breadcrumb />
            <ZoomBar />
          </div>
        )}
      </Suspense>
      {editing ? (
        <main className="h-middle">
          <LiveCanvas session={session} />
        </main>
      ) : (
        <Suspense fallback={<main className="h-middle" />}>
          <RunView />
        </Suspense>
      )}
      <footer className="h-phone-bar">
        <Suspense>
          {painted && (
            <RunBar
              compact
              onShow={(id, field) => {
                setEditing(true)
                editor.reveal(id, field)
              }}
              onProblems={onProblems}
            />
          )}
        </Suspense>
        {editing && (
          <nav>
            <GlyphButton glyph="add" label={t`Components and outline`} onClick={() => setDrawer('left')} />
            <GlyphButton glyph="rightPanel" label={t`Properties`} onClick={() => setDrawer('right')} />
            <GlyphButton glyph="list" label={t`Simulation panel`} onClick={() => setDrawer('bottom')} />
          </nav>
        )}
      </footer>
      <Suspense>
        {painted && (
          <Drawer
            open={drawer !== null && !pointing}
            placement="bottom"
            size="66vh"
            onClose={() => setDrawer(null)}
            closable={false}
            styles={{ body: { padding: 0 } }}
            destroyOnHidden
          >
            <Suspense>
              {drawer === 'left' && <SidePanel onTaken={() => setDrawer(null)} />}
              {drawer === 'right' && <RightSide />}
              {drawer === 'bottom' && <SimulationPanel tab={tab} onTab={setTab} />}
            </Suspense>
          </Drawer>
        )}
      </Suspense>
    </div>
  )
}

function WidePage({ session, top, painted, panels, setPanels, tab, setTab }: PageProps) {
  const { t } = useLingui()
  const left = usePanelSize('left', 248, 180, 420)
  const right = usePanelSize('right', 312, 240, 560)
  const bottom = usePanelSize('bottom', 220, 120, 640)
  return (
    <div className="h-editor">
      {top}
      <div className="h-columns">
        {panels.left && (
          <aside className="h-side" style={{ width: left.size }} aria-label={t`Components and outline`}>
            <Suspense>{painted && <SidePanel />}</Suspense>
            <Sash edge="end" panel={left} label={t`Width of the left panel`} />
          </aside>
        )}
        <div className="h-centre">
          <div className="h-canvas-bar">
            <GlyphButton
              glyph="leftPanel"
              label={t`Components and outline`}
              pressed={panels.left}
              onClick={() => setPanels({ ...panels, left: !panels.left })}
            />
            <Suspense>{painted ? <Breadcrumb /> : <span className="h-breadcrumb" />}</Suspense>
            <GlyphButton
              glyph="rightPanel"
              label={t`Properties`}
              pressed={panels.right}
              onClick={() => setPanels({ ...panels, right: !panels.right })}
            />
          </div>
          <main className="h-middle">
            <LiveCanvas session={session} />
          </main>
          {/* Folded, the panel still shows its tabs: they open it. */}
          <section
            className="h-bottom"
            data-open={panels.bottom || undefined}
            style={panels.bottom ? { height: bottom.size } : undefined}
            aria-label={t`Simulation panel`}
          >
            {panels.bottom && <Sash edge="top" panel={bottom} label={t`Height of the simulation panel`} />}
            <div className="h-bottom-inside" onClickCapture={() => !panels.bottom && setPanels({ ...panels, bottom: true })}>
              <Suspense>
                {painted && (
                  <SimulationPanel
                    tab={tab}
                    onTab={shown => {
                      setTab(shown)
                      if (!panels.bottom) setPanels({ ...panels, bottom: true })
                    }}
                    actions={
                      panels.bottom && (
                        <GlyphButton
                          glyph="down"
                          label={t`Fold the simulation panel`}
                          onClick={() => setPanels({ ...panels, bottom: false })}
                        />
                      )
                    }
                  />
                )}
              </Suspense>
            </div>
            <ZoomBar />
          </section>
        </div>
        {panels.right && (
          <aside className="h-side h-side-right" style={{ width: right.size }} aria-label={t`Properties`}>
            <Sash edge="start" panel={right} label={t`Width of the right panel`} />
            <div className="h-side-scroll">
              <Suspense>{painted && <RightSide />}</Suspense>
            </div>
          </aside>
        )}
      </div>
    </div>
  )
}

/** Keys that are pressed before the commands are here: they are carried out then. */
function useEarlyKeys(painted: boolean): KeyboardEvent[] {
  const [early] = useState<KeyboardEvent[]>([])
  useEffect(() => {
    if (painted) return
    const keep = (event: KeyboardEvent): void => void early.push(event)
    window.addEventListener('keydown', keep)
    return () => window.removeEventListener('keydown', keep)
  }, [painted, early])
  return early
}

/** Says why the last wish was refused. */
function useRefusals(limited: ReturnType<typeof useEditBounds>): void {
  const editor = useEditor()
  const words = useWords()
  const refusal = useView(view => view.refusal)
  useEffect(() => {
    if (!refusal) return
    if (refusal.limit) limited(refusal.limit)
    else warn(words(refusal.words))
    editor.view.setState({ refusal: null })
  }, [refusal, editor, words, limited])
}

const endings = { png: 'png', jpeg: 'jpg', svg: 'svg' } as const

type Speak = (words: Words) => string

const exportOf = async (editor: Editor, as: keyof typeof endings, words: Speak): Promise<Blob> =>
  (await import('./export.ts')).exportPicture(editor, as, words)

async function printOf(editor: Editor, words: Speak, title: string): Promise<void> {
  const [{ exportPicture }, { printPicture }] = await Promise.all([import('./export.ts'), import('./print.ts')])
  await printPicture(await exportPicture(editor, 'svg', words, 'paper'), title)
}

/** Asks whether files about this model shall be renamed as well, if some use the old name. */
async function offerLinked(session: Session, id: string, was: string): Promise<void> {
  if (session.target.shareCode !== undefined) return
  const { model } = session.model.getState()
  const name = model.elements.get(id)?.fields['name']
  const links = await import('./linked.ts')
  const renamed = links.renamedOf(model, id, was, typeof name === 'string' ? name : '')
  if (!renamed) return
  const saying = await links.sayingIt(session, renamed)
  if (saying.length === 0) return
  const { from, to } = renamed
  const files = listNow(saying.map(({ file }) => file.name))
  const key = `renamed ${id}`
  const update = async (): Promise<void> => {
    hush(key)
    const count = await links.writeThere(session, saying, renamed)
    say(plural(count, { one: 'Updated # linked file.', other: 'Updated # linked files.' }))
  }
  notify('info', i18nt`Linked files still say “${from}”`, i18nt`These files would no longer find it: ${files}`, {
    key,
    stay: true,
    actions: createElement(
      PlainButton,
      { primary: true, small: true, onClick: () => void update().catch(complain) },
      i18nt`Say “${to}” there`,
    ),
  })
}

/** Makes an experiment with the scenario in front, exploring a variable when one is given; where it is. */
async function beginExperiment(editor: Editor, { docId, target }: Session, team: string, title: string, variable?: Id): Promise<string> {
  const { beginExperiment: begin } = await import('../experiments/begin.ts')
  const place = { user: target.user, team: target.local ? 'device' : team, local: target.local }
  const explored = editor.model.elements.get(variable ?? '') ?? null
  // What an experiment sets is an input.
  if (explored && explored.fields['public'] !== true) editor.gesture(() => editor.tell(setField(editor.doc, explored.id, 'public', true)))
  const name = explored ? `${title}: ${String(explored.fields['name'])}` : title
  const of = { modelId: docId, scenario: editor.view.getState().scenario, model: editor.model }
  const file = await begin(place, name, of, null, explored)
  return `/experimenting/${encodeURIComponent(team)}/${encodeURIComponent(file.id)}`
}

const setCover = async (editor: Editor, id: string, words: Speak): Promise<void> =>
  api.setCover(id, await (await import('./export.ts')).coverPicture(editor, words))

/** The title without what file systems don't take. */
const fileName = (title: string): string =>
  title
    .replace(/[\\/:*?"<>|]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 80) || 'model'

function save(content: Blob, name: string): void {
  const url = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
