// The world view element: the stage, its buttons, and the properties of the individual that was clicked.
import { AimOutlined, CloseOutlined, CompressOutlined, ZoomInOutlined, ZoomOutOutlined } from '@ant-design/icons'
import { useLingui } from '@lingui/react/macro'
import { Button, Tooltip } from 'antd'
import { useEffect, useRef, useState } from 'react'
import type { Element } from '../../model-schema/model.ts'
import { formatValue } from '../charts/format.ts'
import { fontFamily, usePalette } from '../ui/theme.ts'
import { Card, CardHint } from './Card.tsx'
import { download } from './download.ts'
import { flagField, idField, idsField, textField } from './fields.ts'
import { useRun, useRunView } from './RunProvider.tsx'
import { Stage } from './world/stage.ts'

export function WorldView({ element }: { element: Element }) {
  const { t } = useLingui()
  const run = useRun()
  const palette = usePalette()
  const host = useRef<HTMLDivElement>(null)
  const [stage, setStage] = useState<Stage | null>(null)
  const [zoomed, setZoomed] = useState(false)
  const [following, setFollowing] = useState(false)
  const status = useRunView(view => view.status)
  const inspected = useRunView(view => view.inspected)
  const inspectedSpace = useRunView(view => view.loaded?.populations.find(one => one.id === view.inspected?.population)?.space)
  const spaces = useRunView(view => view.loaded?.spaces)

  const space = idField(element, 'space') ?? spaces?.[0]?.id ?? null
  const layers = JSON.stringify(idsField(element, 'layers'))
  const links = element.fields['links'] !== false
  const grid = flagField(element, 'grid')
  const title = textField(element, 'name') || t`World`

  useEffect(() => {
    if (!host.current) return
    const made = new Stage(host.current, {
      zoomed: setZoomed,
      picked(picked) {
        made.select(picked)
        setFollowing(false)
        const before = run.getState().inspected
        if (picked) run.inspect(picked.population, picked.entity)
        else if (before) run.inspect(before.population, null)
      },
    })
    setStage(made)
    return () => made.destroy()
  }, [run])

  useEffect(() => {
    stage?.setLook({ world: palette.sunken, line: palette.lineStrong, text: palette.faint, accent: palette.accent, font: fontFamily })
  }, [stage, palette])

  useEffect(() => {
    if (!stage) return
    const shown = { space, layers: idsField({ ...element, fields: { layers: JSON.parse(layers) } }, 'layers'), links }
    const show = () => {
      const { frame, loaded } = run.getState()
      stage.show(frame, loaded, shown, grid)
    }
    show()
    return run.subscribe((now, before) => {
      if (now.frame !== before.frame || now.loaded !== before.loaded) show()
    })
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [run, stage, space, layers, links, grid])

  // Another view, or a reset, may let go of the individual marked here.
  useEffect(() => {
    if (inspected) return
    stage?.select(null)
    setFollowing(false)
  }, [stage, inspected])

  const savePng = async () => {
    const picture = await stage?.png()
    if (picture) download(picture, `${title}.png`)
  }
  const zoomButtons = (
    <>
      <Tooltip title={t`Zoom out`}>
        <Button
          type="text"
          size="small"
          icon={<ZoomOutOutlined />}
          aria-label={t`Zoom out`}
          disabled={!zoomed}
          onClick={() => stage?.zoom(1 / 1.5)}
        />
      </Tooltip>
      <Tooltip title={t`Show the whole world`}>
        <Button
          type="text"
          size="small"
          icon={<CompressOutlined />}
          aria-label={t`Show the whole world`}
          disabled={!zoomed}
          onClick={() => stage?.fit()}
        />
      </Tooltip>
      <Tooltip title={t`Zoom in`}>
        <Button type="text" size="small" icon={<ZoomInOutlined />} aria-label={t`Zoom in`} onClick={() => stage?.zoom(1.5)} />
      </Tooltip>
    </>
  )

  return (
    <Card title={title} actions={zoomButtons} menu={[{ key: 'png', label: t`Download PNG`, onClick: () => void savePng() }]}>
      <div
        ref={host}
        className="h-world"
        tabIndex={0}
        role="application"
        aria-label={t`${title}: click an individual to see its properties; arrow keys move, plus and minus zoom.`}
      />
      {spaces?.length === 0 && <CardHint>{t`This model has no space. Add one, and place agents or cells in it.`}</CardHint>}
      {!spaces && status === 'problems' && <CardHint>{t`The model has problems. Correct them to see its world.`}</CardHint>}
      {inspected && inspectedSpace === space && (
        <Individual
          following={following}
          follow={on => {
            setFollowing(on)
            stage?.follow(on)
          }}
        />
      )}
    </Card>
  )
}

/** The properties of the individual looked at, as they are now. */
function Individual({ following, follow }: { following: boolean; follow(on: boolean): void }) {
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
              icon={<AimOutlined />}
              aria-label={t`Follow`}
              aria-pressed={following}
              onClick={() => follow(!following)}
            />
          </Tooltip>
        )}
        <Button
          type="text"
          size="small"
          icon={<CloseOutlined />}
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
