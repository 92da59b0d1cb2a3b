// The changes of the open proposals, drawn over the canvas in a layer that moves with the camera. The list in the panel describes the same
// in words.
import { useEffect, useMemo, useRef, useState, type ReactNode } from 'react'
import { useStore } from 'zustand'
import { isOutdated, type Proposal } from '../../../model-schema/proposals.ts'
import { centre, grown } from '../../editor/geometry/geometry.ts'
import { useEditor, useModelLater, useView } from '../../editor/useEditor.ts'
import type { Session } from '../../session.ts'
import { marksOn, type Mark } from './marks.ts'
import { reviewOf, useProposals, useStandings } from './review.ts'
import './marks.css'

export function ProposalMarks({ session }: { session: Session }) {
  const { proposals: all, verdicts } = useProposals(session)
  const [now] = useState(() => Date.now())
  const proposals = all.filter(one => !isOutdated(one, now))
  if (proposals.length === 0) return null
  return (
    <Layer>
      {proposals.map(proposal => (
        <Marks key={proposal.id} session={session} proposal={proposal} verdicts={verdicts} />
      ))}
    </Layer>
  )
}

/** Moves with the camera. */
function Layer({ children }: { children: ReactNode }) {
  const editor = useEditor()
  const group = useRef<SVGGElement>(null)
  useEffect(() => {
    const follow = (): void => {
      const { x, y, zoom } = editor.view.getState().camera
      group.current?.setAttribute('transform', `scale(${zoom}) translate(${-x} ${-y})`)
    }
    follow()
    return editor.view.subscribe(follow)
  }, [editor])
  return (
    <svg className="h-proposal-marks" aria-hidden>
      <defs>
        <marker id="h-proposal-arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="5" markerHeight="5" orient="auto-start-reverse">
          <path d="M0 0l8 4-8 4z" />
        </marker>
      </defs>
      <g ref={group}>{children}</g>
    </svg>
  )
}

function Marks({ session, proposal, verdicts }: { session: Session; proposal: Proposal; verdicts: number }) {
  const model = useModelLater()
  const canvas = useView(view => view.canvas)
  const standings = useStandings(session, proposal, model, verdicts)
  const looked = useStore(reviewOf(session), ({ proposal: of, at }) => (of === proposal.id ? at : null))
  const marks = useMemo(() => marksOn(canvas, proposal, standings, model), [canvas, proposal, standings, model])
  return marks.map(mark => <Drawn key={mark.id} mark={mark} isLooked={mark.id === looked} />)
}

function Drawn({ mark: { id, sort, box, was, line, isRound, name }, isLooked }: { mark: Mark; isLooked: boolean }) {
  const shape = box && grown(box, sort === 'added' ? 0 : 4)
  const corner = shape ? (isRound ? shape.h / 2 : 10) : 0
  const middle = box && centre(box)
  const from = was && centre(was)
  return (
    <g data-mark={id} data-sort={sort} data-looked={isLooked || undefined}>
      {shape && <rect x={shape.x} y={shape.y} width={shape.w} height={shape.h} rx={corner} />}
      {box && sort === 'removed' && <path className="h-proposal-strike" d={`M${box.x} ${box.y + box.h}L${box.x + box.w} ${box.y}`} />}
      {from && middle && (
        <path className="h-proposal-move" markerEnd="url(#h-proposal-arrow)" d={`M${from.x} ${from.y}L${middle.x} ${middle.y}`} />
      )}
      {middle && name !== '' && (
        <text x={middle.x} y={isRound && box ? box.y + box.h + 16 : middle.y}>
          {name.length > 24 ? `${name.slice(0, 23)}…` : name}
        </text>
      )}
      {line.length > 1 && (
        <polyline
          markerEnd={sort === 'added' ? 'url(#h-proposal-arrow)' : undefined}
          points={line.map(({ x, y }) => `${x},${y}`).join(' ')}
        />
      )}
    </g>
  )
}
