// The world view element: the stage, its buttons, and the properties of the individual that was clicked.
import { AimOutlined, CloseOutlined, CompressOutlined, HighlightOutlined, ZoomInOutlined, ZoomOutOutlined } from '@ant-design/icons'
import { useLingui } from '@lingui/react/macro'
import { Button, Tooltip } from 'antd'
import { useCallback, useEffect, useId, useRef, useState } from 'react'
import type { Element, Id } from '../../model-schema/model.ts'
import { formatNumber, formatValue } from '../charts/format.ts'
import { told } from '../charts/told.ts'
import { fontFamily, usePalette } from '../ui/theme.ts'
import { complain, warn } from '../ui/toast.ts'
import { Card, CardHint } from './Card.tsx'
import { download } from './download.ts'
import { flagField, idField, idsField, numberField, textField } from './fields.ts'
import { useRun, useRunView, useSeldom } from './RunProvider.tsx'
import type { Film } from './world/film.ts'
import { Stage } from './world/stage.ts'

type One = { population: Id; entity: number }

/** Most single agents with trails drawn. */
const mostTraced = 50
const isSame = (one: One | null, other: One | null): boolean => one?.population === other?.population && one?.entity === other?.entity

export function WorldView({ element }: { element: Element }) {
  const { t } = useLingui()
  const run = useRun()
  const palette = usePalette()
  const present = useId()
  const { host, stage, zoomed, following } = useStage()
  const [traced, setTraced] = useState<readonly One[]>([])
  const status = useRunView(view => view.status)
  const inspected = useRunView(view => view.inspected)
  const inspectedSpace = useRunView(view => view.loaded?.populations.find(one => one.id === view.inspected?.population)?.space)
  const spaces = useRunView(view => view.loaded?.spaces)

  const space = idField(element, 'space') ?? spaces?.[0]?.id ?? null
  const layers = JSON.stringify(idsField(element, 'layers'))
  const links = element.fields['links'] !== false
  const grid = flagField(element, 'grid')
  const trails = JSON.stringify(idsField(element, 'trails'))
  const trailLength = Math.min(2000, Math.max(1, numberField(element, 'trailLength') ?? 100))
  const deep = spaces?.find(one => one.id === space)?.minZ !== undefined
  const title = textField(element, 'name') || t`World`

  useEffect(() => {
    stage?.setLook({ world: palette.sunken, line: palette.lineStrong, text: palette.faint, accent: palette.accent, font: fontFamily })
  }, [stage, palette])

  useEffect(() => {
    if (!stage) return
    const shown = { space, layers: idsField({ ...element, fields: { layers: JSON.parse(layers) } }, 'layers'), links }
    const own = {
      populations: idsField({ ...element, fields: { trails: JSON.parse(trails) } }, 'trails'),
      agents: traced,
      length: trailLength,
    }
    const show = () => {
      const { frame, loaded } = run.getState()
      stage.show(frame, loaded, shown, grid, own)
    }
    show()
    return run.subscribe((now, before) => {
      if (now.frame !== before.frame || now.loaded !== before.loaded) show()
    })
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [run, stage, space, layers, links, grid, trails, trailLength, traced])

  // Another view, or a reset, may let go of the individual marked here.
  useEffect(() => {
    if (inspected) stage?.mark(inspected.population, inspected.entity)
    else stage?.select(null)
  }, [stage, inspected])
  const followed = inspected?.follow === true && inspectedSpace === space ? `${inspected.population} ${inspected.entity}` : null
  useEffect(() => {
    if (followed !== null) stage?.follow(true)
  }, [stage, followed])

  // Ids start again with each load.
  const load = useRunView(view => view.loaded?.load)
  useEffect(() => setTraced([]), [load])

  const savePng = async () => {
    const picture = await stage?.png()
    if (picture) download(picture, `${title}.png`)
  }
  const filming = useFilming(stage, title)
  return (
    <Card
      title={title}
      actions={
        <>
          {filming.since !== null && <Filming since={filming.since} end={filming.turn} />}
          <ZoomButtons stage={stage} zoomed={zoomed} />
        </>
      }
      menu={[
        { key: 'png', label: t`Download PNG`, onClick: () => void savePng() },
        { key: 'film', label: filming.since === null ? t`Record a video` : t`Stop recording`, onClick: filming.turn },
        ...(traced.length > 0 ? [{ key: 'trails', label: t`Remove the trails of single individuals`, onClick: () => setTraced([]) }] : []),
      ]}
    >
      <div
        ref={host}
        className="h-world"
        tabIndex={0}
        role="application"
        aria-label={
          deep
            ? t`${title}: click an individual to see its properties; drag or arrow keys turn the view, with Shift they move it, plus and minus zoom, 0 shows all.`
            : t`${title}: click an individual to see its properties; arrow keys move, plus and minus zoom.`
        }
        aria-describedby={present}
      />
      <Present id={present} space={space} />
      {spaces?.length === 0 && <CardHint>{t`This model has no space. Add one, and place agents or cells in it.`}</CardHint>}
      {!spaces && status === 'problems' && <CardHint>{t`Nothing to show until the model can run.`}</CardHint>}
      {inspected && inspectedSpace === space && (
        <Individual
          following={following}
          follow={on => stage?.follow(on)}
          traced={trails.includes(inspected.population) ? null : traced.some(one => isSame(one, inspected))}
          trace={on =>
            setTraced(before => {
              const others = before.filter(one => !isSame(one, inspected))
              return on ? [...others, { population: inspected.population, entity: inspected.entity }].slice(-mostTraced) : others
            })
          }
        />
      )}
    </Card>
  )
}

/** The stage in its host element, and the state it reports; a clicked individual is inspected. */
function useStage() {
  const run = useRun()
  const host = useRef<HTMLDivElement>(null)
  const [stage, setStage] = useState<Stage | null>(null)
  const [zoomed, setZoomed] = useState(false)
  const [following, setFollowing] = useState(false)
  useEffect(() => {
    if (!host.current) return
    const made = new Stage(host.current, {
      zoomed: setZoomed,
      following: setFollowing,
      picked(picked) {
        made.follow(false)
        made.select(picked)
        const before = run.getState().inspected
        if (picked) run.inspect(picked.population, picked.entity)
        else if (before) run.inspect(before.population, null)
      },
    })
    setStage(made)
    return () => made.destroy()
  }, [run])
  return { host, stage, zoomed, following }
}

function ZoomButtons({ stage, zoomed }: { stage: Stage | null; zoomed: boolean }) {
  const { t } = useLingui()
  return (
    <>
      <Tooltip title={t`Zoom out`}>
        <Button
          type="text"
          size="small"
          icon={<ZoomOutOutlined aria-hidden />}
          aria-label={t`Zoom out`}
          disabled={!zoomed}
          onClick={() => stage?.zoom(1 / 1.5)}
        />
      </Tooltip>
      <Tooltip title={t`Show the whole world`}>
        <Button
          type="text"
          size="small"
          icon={<CompressOutlined aria-hidden />}
          aria-label={t`Show the whole world`}
          disabled={!zoomed}
          onClick={() => stage?.fit()}
        />
      </Tooltip>
      <Tooltip title={t`Zoom in`}>
        <Button type="text" size="small" icon={<ZoomInOutlined aria-hidden />} aria-label={t`Zoom in`} onClick={() => stage?.zoom(1.5)} />
      </Tooltip>
    </>
  )
}

/** Milliseconds from one description of a world to the next. */
const describedEach = 1000

/** The population of a space in words: the drawing has no text for screen readers. */
function Present({ id, space }: { id: string; space: Id | null }) {
  const { t, i18n } = useLingui()
  const { frame, loaded } = useSeldom(describedEach)
  const counts = new Map(
    (frame?.layers ?? []).map(layer => [layer.population, layer.kind === 'cell' ? layer.columns * layer.rows : layer.count]),
  )
  const there = (loaded?.populations ?? [])
    .filter(one => one.kind !== 'link' && one.space === space)
    .map(one => ({ label: one.name, value: counts.get(one.id) ?? 0 }))
  const tick = formatNumber(frame?.tick ?? 0, i18n.locale)
  const list = told(there, i18n.locale)
  return (
    <p id={id} className="h-visually-hidden">
      {there.length > 0 && t`At tick ${tick}: ${list}`}
    </p>
  )
}

type Filming = { readonly since: number | null; turn(): void }

/** Films the world as it is shown; the film is downloaded when it is ended, also by leaving the canvas. */
function useFilming(stage: Stage | null, title: string): Filming {
  const { t } = useLingui()
  const [since, setSince] = useState<number | null>(null)
  const film = useRef<Film | null>(null)
  const name = useRef(title)
  useEffect(() => void (name.current = title), [title])
  const end = useCallback((): void => {
    const ended = film.current
    film.current = null
    setSince(null)
    const saved = ended?.end().then(made => made && download(made, `${name.current}.${made.type === 'video/mp4' ? 'mp4' : 'webm'}`))
    saved?.catch(complain)
  }, [])
  useEffect(() => end, [end])
  const turn = (): void => {
    if (film.current) return end()
    film.current = stage?.film() ?? null
    if (film.current) setSince(Date.now())
    else warn(t`This browser can't record videos.`)
  }
  return { since, turn }
}

/** How long a recording has been going on; pressed, it ends. */
function Filming({ since, end }: { since: number; end: () => void }) {
  const { t } = useLingui()
  const [now, setNow] = useState(since)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 500)
    return () => clearInterval(timer)
  }, [])
  const seconds = Math.max(0, Math.floor((now - since) / 1000))
  return (
    <Tooltip title={t`Stop recording`}>
      <Button type="text" size="small" danger className="h-filming" aria-label={t`Stop recording`} onClick={end}>
        <span className="h-num">{`${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`}</span>
      </Button>
    </Tooltip>
  )
}

type IndividualProps = {
  following: boolean
  follow(on: boolean): void
  /** Whether it leaves a trail; null while all of its population do. */
  traced: boolean | null
  trace(on: boolean): void
}

/** The current properties of the inspected individual. */
function Individual({ following, follow, traced, trace }: IndividualProps) {
  const { t, i18n } = useLingui()
  const run = useRun()
  const inspected = useRunView(view => view.inspected)
  const population = useRunView(view => view.loaded?.populations.find(one => one.id === inspected?.population))
  if (!inspected) return null
  const values = inspected.values
  const id = values?.['id']
  const name = `${population?.name ?? ''} ${typeof id === 'number' ? formatValue(id, i18n.locale) : ''}`.trim()
  return (
    <aside className="h-individual" aria-label={name}>
      <header>
        <span>{name}</span>
        {population?.kind === 'agent' && (
          <Tooltip title={following ? t`Stop following` : t`Follow`}>
            <Button
              type={following ? 'primary' : 'text'}
              size="small"
              icon={<AimOutlined aria-hidden />}
              aria-label={t`Follow`}
              aria-pressed={following}
              onClick={() => follow(!following)}
            />
          </Tooltip>
        )}
        {population?.kind === 'agent' && traced !== null && (
          <Tooltip title={traced ? t`Remove its trail` : t`Draw its trail`}>
            <Button
              type={traced ? 'primary' : 'text'}
              size="small"
              icon={<HighlightOutlined aria-hidden />}
              aria-label={t`Draw its trail`}
              aria-pressed={traced}
              onClick={() => trace(!traced)}
            />
          </Tooltip>
        )}
        <Button
          type="text"
          size="small"
          icon={<CloseOutlined aria-hidden />}
          aria-label={t`Close`}
          onClick={() => run.inspect(inspected.population, null)}
        />
      </header>
      <dl>
        {values === null ? (
          <dt>{t`No longer alive`}</dt>
        ) : (
          Object.entries(values ?? {}).map(([key, value]) => (
            <div key={key} style={{ display: 'contents' }}>
              <dt>{key}</dt>
              <dd>{formatValue(value, i18n.locale)}</dd>
            </div>
          ))
        )}
      </dl>
    </aside>
  )
}
