// A network as nodes and lines, laid out by its links instead of the agents' positions.
import { plural } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { CompressOutlined } from '@ant-design/icons'
import { Button, Tooltip } from 'antd'
import { useEffect, useRef, useState } from 'react'
import type { Element } from '../../model-schema/model.ts'
import type { Loaded } from '../../sim-engine/messages.ts'
import { Card, CardHint } from '../run/Card.tsx'
import { download } from '../run/download.ts'
import { idsField, textField } from '../run/fields.ts'
import { useRun, useRunView } from '../run/RunProvider.tsx'
import type { Scene } from '../run/world/scene.ts'
import { Stage } from '../run/world/stage.ts'
import { fontFamily, usePalette } from '../ui/theme.ts'
import { NothingYet } from './NothingYet.tsx'
import { graphOf, wiring, type Graph } from './network/graph.ts'
import type { NetworkLayout, Places } from './network/layout.ts'
import type { Laid, LayoutRequest } from './network/worker.ts'
import { startWorker } from '../ui/worker.ts'
// oxlint-disable-next-line import/default
import script from './network/worker.ts?worker&url'

/** The square layouts live in, as a space of the stage. */
const square: Loaded['spaces'][number] = {
  id: 'network',
  name: '',
  topology: 'continuous',
  minX: -1.04,
  maxX: 1.04,
  minY: -1.04,
  maxY: 1.04,
  wrapX: false,
  wrapY: false,
}

export function NetworkChart({ element }: { element: Element }) {
  const { t } = useLingui()
  const run = useRun()
  const palette = usePalette()
  const host = useRef<HTMLDivElement>(null)
  const [stage, setStage] = useState<Stage | null>(null)
  const [zoomed, setZoomed] = useState(false)
  const [size, setSize] = useState({ nodes: 0, links: 0 })
  const hasLinks = useRunView(view => view.loaded?.populations.some(population => population.kind === 'link') ?? false)
  const status = useRunView(view => view.status)
  const isLoaded = useRunView(view => view.loaded !== null)
  const title = textField(element, 'name') || t`Network`
  const chosen = JSON.stringify(idsField(element, 'links'))
  const asked = textField(element, 'layout')
  const layout: NetworkLayout = asked === 'circle' || asked === 'tree' ? asked : 'force'

  useEffect(() => {
    if (!host.current) return
    const made = new Stage(
      host.current,
      {
        zoomed: setZoomed,
        picked(picked) {
          made.select(picked)
          if (picked) run.inspect(picked.population, picked.entity)
        },
      },
      false,
    )
    setStage(made)
    return () => made.destroy()
  }, [run])

  useEffect(() => {
    stage?.setLook({ world: palette.surface, line: palette.line, text: palette.faint, accent: palette.accent, font: fontFamily })
  }, [stage, palette])

  useEffect(() => {
    if (!stage) return
    const worker = startWorker(script, 'layout')
    const links = idsField({ ...element, fields: { links: JSON.parse(chosen) } }, 'links')
    let graph: Graph | null = null
    let wired = ''
    let version = 0
    let places: Places | null = null
    const draw = () => stage.showScene(graph && places && places.length === graph.count * 2 ? sceneFor(graph, places) : null, square, false)
    const look = () => {
      const { frame } = run.getState()
      graph = frame ? graphOf(frame, links) : null
      const now = graph ? wiring(graph) : ''
      if (graph && now !== wired) {
        const wish: LayoutRequest = { version: ++version, layout, count: graph.count, edges: graph.edges }
        worker.postMessage(wish, [])
      }
      if (now !== wired) setSize({ nodes: graph?.count ?? 0, links: (graph?.edges.length ?? 0) / 2 })
      wired = now
      draw()
    }
    worker.addEventListener('message', (event: MessageEvent<Laid>) => {
      if (event.data.version !== version) return
      places = event.data.places
      draw()
    })
    look()
    const stop = run.subscribe((now, before) => {
      if (now.frame !== before.frame) look()
    })
    return () => {
      stop()
      worker.terminate()
    }
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [run, stage, chosen, layout])

  const savePng = async () => {
    const picture = await stage?.png()
    if (picture) download(picture, `${title}.png`)
  }
  return (
    <Card
      title={title}
      actions={
        <Tooltip title={t`Show the whole network`}>
          <Button
            type="text"
            size="small"
            icon={<CompressOutlined aria-hidden />}
            aria-label={t`Show the whole network`}
            disabled={!zoomed}
            onClick={() => stage?.fit()}
          />
        </Tooltip>
      }
      menu={[{ key: 'png', label: t`Download PNG`, onClick: () => void savePng() }]}
    >
      <div
        ref={host}
        className="h-world"
        tabIndex={0}
        role="application"
        aria-label={t`${title}: ${plural(size.nodes, { one: '# node', other: '# nodes' })}, ${plural(size.links, { one: '# link', other: '# links' })}; arrow keys move, plus and minus zoom.`}
      />
      {status === 'problems' && <NothingYet />}
      {isLoaded && !hasLinks && <CardHint>{t`This model has no links yet.`}</CardHint>}
    </Card>
  )
}

function sceneFor(graph: Graph, places: Places): Scene {
  const { count, edges } = graph
  const at = (node: number | undefined, axis: 0 | 1): number => places[2 * (node ?? 0) + axis] ?? 0
  const links = edges.length / 2
  // Large enough to see, small enough not to touch.
  const unit = Math.min(0.07, 0.9 / Math.sqrt(Math.max(1, count)))
  return {
    bounds: square,
    cells: [],
    links: [
      {
        kind: 'link',
        population: 'links',
        count: links,
        x1: Float32Array.from({ length: links }, (_, e) => at(edges[2 * e], 0)),
        y1: Float32Array.from({ length: links }, (_, e) => at(edges[2 * e], 1)),
        x2: Float32Array.from({ length: links }, (_, e) => at(edges[2 * e + 1], 0)),
        y2: Float32Array.from({ length: links }, (_, e) => at(edges[2 * e + 1], 1)),
        colors: graph.edgeColors,
        thickness: graph.thickness,
      },
    ],
    agents: graph.populations.map((population, p) => {
      const nodes = Array.from({ length: count }, (_, i) => i).filter(i => graph.population[i] === p)
      return {
        kind: 'agent',
        population,
        count: nodes.length,
        ids: Float64Array.from(nodes, i => graph.ids[i] ?? 0),
        x: Float32Array.from(nodes, i => at(i, 0)),
        y: Float32Array.from(nodes, i => at(i, 1)),
        heading: new Float32Array(nodes.length),
        size: new Float32Array(nodes.length).fill(unit),
        colors: Uint32Array.from(nodes, i => graph.colors[i] ?? 0),
        shapes: new Uint8Array(nodes.length),
      }
    }),
  }
}
