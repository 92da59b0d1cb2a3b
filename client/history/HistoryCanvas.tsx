// A content of the model on a canvas where nothing can be changed, with what differs coloured: added, removed, changed.
import { useEffect, useMemo, useRef, useState, type ReactNode, type RefObject } from 'react'
import { createStore, type StoreApi } from 'zustand/vanilla'
import { kindOf } from '../../model-schema/kinds.ts'
import type { Id, Model } from '../../model-schema/model.ts'
import { CanvasView } from '../canvas/CanvasView.tsx'
import { iconOf } from '../canvas/icons.ts'
import { Breadcrumb } from '../editor/chrome/Breadcrumb.tsx'
import { ZoomBar } from '../editor/chrome/ZoomBar.tsx'
import { Editor } from '../editor/editor.ts'
import { silentHost } from '../editor/quietHost.ts'
import { EditorContext, useEditor, useElement, useModel, useView, type EditorScope } from '../editor/useEditor.ts'
import { KindIcon } from '../panels/KindIcon.tsx'
import { nowhere } from '../session/content.ts'
import type { Change } from '../../model-schema/changes.ts'

/** An editor of read-only content; lives as long as the screen. */
export function useViewer(first: Model): { scope: EditorScope; model: StoreApi<{ model: Model }> } {
  const [made] = useState(() => {
    const model = createStore<{ model: Model }>(() => ({ model: first }))
    const { doc, undo } = nowhere()
    const editor = new Editor({ doc, undo, model, writable: () => false })
    return { scope: { editor, host: silentHost, model }, model }
  })
  useEffect(() => () => made.scope.editor.close(), [made])
  return made
}

export function HistoryCanvas({ scope, changes }: { scope: EditorScope; changes: ReadonlyMap<Id, Change['sort']> }) {
  return (
    <EditorContext value={scope}>
      <div className="h-history-path">
        <Breadcrumb />
        <ZoomBar />
      </div>
      <div className="h-history-canvas">
        <CanvasView others={nobody} badges={noBadges} level={noLevel} Card={StillCard}>
          <Marks changes={changes} />
        </CanvasView>
      </div>
    </EditorContext>
  )
}

const nobody: [] = []
const noBadges = { problems: new Map(), tokens: {}, breakpoints: new Map(), here: null }
const noLevel = (): null => null

/** A chart or view without a run. The canvas draws its frame and name. */
function StillCard({ id, kind }: { id: Id; kind: string }): ReactNode {
  const element = useElement(id)
  if (!element || kind === 'controller') return null
  return (
    <div className="h-still-card">
      <KindIcon name={iconOf(element.kind, element.fields)} size={28} />
    </div>
  )
}

/** Coloured shapes around what differs, moving with the camera. What differs further inside marks the box that opens it. */
function Marks({ changes }: { changes: ReadonlyMap<Id, Change['sort']> }) {
  const editor = useEditor()
  const group = useRef<SVGGElement>(null)
  const canvas = useView(view => view.canvas)
  const model = useModel(model => model)
  useCamera(group)
  const inside = useMemo(() => holdersOf(changes, model), [changes, model])
  const children = model.elements.get(canvas)?.children ?? []
  return (
    <svg className="h-marks" aria-hidden>
      <g ref={group}>
        {children.map(id => {
          const sort = changes.get(id) ?? (inside.has(id) ? 'inside' : undefined)
          if (sort === undefined) return null
          const box = editor.scene.box(id)
          if (box)
            return (
              <rect
                key={id}
                data-sort={sort}
                x={box.x - 4}
                y={box.y - 4}
                width={box.w + 8}
                height={box.h + 8}
                rx={roundOf(box.element.kind, box.h)}
              />
            )
          const points = editor.scene.pointsOf(id)
          return points.length > 1 ? <polyline key={id} data-sort={sort} points={points.map(({ x, y }) => `${x},${y}`).join(' ')} /> : null
        })}
      </g>
    </svg>
  )
}

function useCamera(group: RefObject<SVGGElement | null>): void {
  const editor = useEditor()
  useEffect(() => {
    const follow = (): void => {
      const { x, y, zoom } = editor.view.getState().camera
      group.current?.setAttribute('transform', `scale(${zoom}) translate(${-x} ${-y})`)
    }
    follow()
    return editor.view.subscribe(follow)
  }, [editor, group])
}

/** Round shapes get round marks. */
function roundOf(kind: string, height: number): number {
  const shape = kindOf(kind)?.shape
  return shape === 'start' || shape === 'end' || shape === 'intermediate' || shape === 'boundary' ? height / 2 + 4 : 10
}

/** What has changes somewhere inside it. */
function holdersOf(changes: ReadonlyMap<Id, Change['sort']>, model: Model): ReadonlySet<Id> {
  const holders = new Set<Id>()
  for (const id of changes.keys())
    for (let at = model.elements.get(id)?.parent; at && !holders.has(at); at = model.elements.get(at)?.parent) holders.add(at)
  return holders
}
