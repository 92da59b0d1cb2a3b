// The version history: earlier states of the model, with author and time; any two versions, or one and the current state, compared on the
// canvas and in words; all or some of it restored, as an edit that can be undone; a version as a file of its own.
import {
  ArrowLeftOutlined,
  CloudOutlined,
  CopyOutlined,
  DeleteOutlined,
  EditOutlined,
  LaptopOutlined,
  MoreOutlined,
  PlusOutlined,
} from '@ant-design/icons'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useNavigate } from '@tanstack/react-router'
import { Alert, Button, Dropdown, Input, Modal, Segmented, Select, Spin } from 'antd'
import { useEffect, useEffectEvent, useMemo, useState } from 'react'
import { useStore } from 'zustand'
import { modelOfFile, type HoloFile } from '../../model-schema/file.ts'
import type { Id, Model } from '../../model-schema/model.ts'
import type { Origin } from '../../model-schema/proposals.ts'
import { useScope } from '../editor/useEditor.ts'
import { listNow } from '../i18n/list.ts'
import { useWords } from '../i18n/locale.ts'
import { createFile } from '../local/files.ts'
import type { Session } from '../session.ts'
import { Drawing } from '../ui/Drawing.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { When } from '../ui/When.tsx'
import { complain, confirmed, say } from '../ui/toast.ts'
import { useTeamPlace } from '../workspace/usePlace.ts'
import { changesBetween, type Change } from '../../model-schema/changes.ts'
import { overlaid } from './changes.ts'
import { Changes } from './Changes.tsx'
import { ByWhom } from './ByWhom.tsx'
import { HistoryCanvas, useViewer } from './HistoryCanvas.tsx'
import { useKnown } from './useKnown.ts'
import { Versions, type Known, type Version } from './versions.ts'
import './history.css'

/** `begin`: the version that is shown first, by its id. */
type Props = { session: Session; title: string; team: string; begin: string | null; close: () => void }

/** A version by its id, or what is there now. */
type Side = string
const now: Side = 'now'

type Loaded = { readonly file: HoloFile; readonly model: Model }
type Shown = 'both' | 'before' | 'after'

export function History({ session, title, team, begin, close }: Props) {
  const { t } = useLingui()
  const [versions] = useState(() => new Versions(session))
  const { known, refresh } = useKnown(session, versions)
  const list = known?.versions ?? []
  const [picked, setPicked] = useState<Side | null>(begin)
  const [against, setAgainst] = useState<Side>(now)
  const chosen = list.find(version => version.id === picked) ?? null
  const left = useContent(session, versions, list, chosen?.id ?? now)
  const right = useContent(session, versions, list, against)
  const [keeping, setKeeping] = useState(false)
  const writable = useStore(session.access, access => access.writable)
  useEscape(close)
  return (
    <div className="h-history" role="dialog" aria-modal aria-label={t`Version history`}>
      <header className="h-history-top">
        <Button type="text" icon={<ArrowLeftOutlined aria-hidden />} aria-label={t`Back to the model`} onClick={close}>
          <span className="h-history-wide">
            <Trans>Back to the model</Trans>
          </span>
        </Button>
        <h1>
          <Trans>Version history</Trans>
          <small>{title}</small>
        </h1>
        {writable && (
          <Button icon={<PlusOutlined aria-hidden />} aria-label={t`Save version`} onClick={() => setKeeping(true)}>
            <span className="h-history-wide">
              <Trans>Save version</Trans>
            </span>
          </Button>
        )}
      </header>
      <div className="h-history-columns">
        <VersionList
          known={known}
          picked={picked}
          pick={id => {
            setPicked(id)
            if (id === against) setAgainst(now)
          }}
          versions={versions}
          writable={writable}
          refresh={refresh}
        />
        {chosen && left && right ? (
          <Compared
            key={`${chosen.id} ${against}`}
            session={session}
            versions={versions}
            version={chosen}
            left={left}
            right={right}
            against={against}
            list={list}
            setAgainst={setAgainst}
            writable={writable}
            team={team}
            title={title}
            done={refresh}
          />
        ) : (
          <div className="h-history-empty">
            {chosen || !known ? (
              <Spin />
            ) : (
              <NothingChosen
                any={list.length > 0}
                keep={writable ? () => setKeeping(true) : null}
                newest={() => setPicked(list[0]?.id ?? null)}
              />
            )}
          </div>
        )}
      </div>
      {keeping && (
        <NameVersion
          title={t`Save version`}
          name=""
          remark=""
          close={() => setKeeping(false)}
          save={async (name, remark) => {
            const where = await versions.keep('named', name, remark)
            say(where === 'server' ? t`Version kept.` : t`Version kept on this device.`)
            refresh()
          }}
        />
      )}
    </div>
  )
}

/** Before a version is chosen: what versions are for, and the two things to do. */
function NothingChosen({ any, keep, newest }: { any: boolean; keep: (() => void) | null; newest: () => void }) {
  const { t } = useLingui()
  return (
    <EmptyState
      drawing={<Drawing of="history" />}
      title={any ? t`What changed, and when?` : t`No versions yet`}
      text={
        any
          ? t`Choose a version to see it and what has changed since.`
          : t`Versions are saved by themselves while you work, and whenever you save one by name.`
      }
      action={
        <span className="h-history-begin">
          {any && (
            <Button type="primary" onClick={newest}>
              <Trans>Compare with the newest</Trans>
            </Button>
          )}
          {keep && (
            <Button type={any ? 'default' : 'primary'} onClick={keep}>
              <Trans>Save version</Trans>
            </Button>
          )}
        </span>
      }
    />
  )
}

/** The content of one side; null while it is read. What is there now follows the document. */
function useContent(session: Session, versions: Versions, list: readonly Version[], side: Side): Loaded | null {
  const model = useStore(session.model, state => state.model)
  const present = useMemo(() => (side === now ? presentOf(versions, model) : null), [side, versions, model])
  const [read, setRead] = useState<{ id: string; content: Loaded } | null>(null)
  const version = list.find(one => one.id === side)
  useEffect(() => {
    if (!version) return undefined
    let current = true
    versions.content(version).then(file => current && setRead({ id: version.id, content: loaded(file) }), complain)
    return () => {
      current = false
    }
  }, [version, versions])
  return present ?? (read?.id === side ? read.content : null)
}

// Both sides are read the same way, from files; the model says when that of the document is another one.
const presentOf = (versions: Versions, _model: Model): Loaded => loaded(versions.now())

const loaded = (file: HoloFile): Loaded => ({ file, model: modelOfFile(file) })

/** Escape goes back, unless something smaller is open. */
function useEscape(close: () => void): void {
  const escape = useEffectEvent((event: KeyboardEvent) => {
    if (
      event.key === 'Escape' &&
      !event.defaultPrevented &&
      document.querySelector('.ant-modal-wrap, .ant-dropdown:not(.ant-dropdown-hidden)') === null
    )
      close()
  })
  useEffect(() => {
    const pressed = (event: KeyboardEvent): void => escape(event)
    window.addEventListener('keydown', pressed)
    return () => window.removeEventListener('keydown', pressed)
  }, [])
}

type ListProps = {
  known: Known | null
  picked: Side | null
  pick: (id: string) => void
  versions: Versions
  writable: boolean
  refresh: () => void
}

function VersionList({ known, picked, pick, versions, writable, refresh }: ListProps) {
  const { t } = useLingui()
  const [naming, setNaming] = useState<Version | null>(null)
  const label = useLabel()
  const remove = async (version: Version): Promise<void> => {
    const sure = await confirmed({
      title: t`Delete this version?`,
      content: t`The model stays as it is; only this version is deleted, for good.`,
      ok: t`Delete`,
      cancel: t`Keep it`,
    })
    if (!sure) return
    await versions.remove(version)
    refresh()
  }
  return (
    <nav className="h-versions" aria-label={t`Versions`}>
      <Where server={known?.server ?? null} />
      {known?.versions.length === 0 && (
        <p className="h-history-none">
          <Trans>No version has been kept yet. Keep one before a large change; some are kept by themselves as you work.</Trans>
        </p>
      )}
      <ol>
        {known?.versions.map(version => (
          <li key={version.id} data-kind={version.kind}>
            <button type="button" aria-current={version.id === picked || undefined} onClick={() => pick(version.id)}>
              <b>{label(version)}</b>
              {version.origin && <Suggested origin={version.origin} />}
              <span>
                <When at={version.at} />
                {version.people.length > 0 && ` · ${listNow(version.people)}`}
              </span>
              {version.remark !== '' && <em>{version.remark}</em>}
              {version.where === 'device' && (
                <span>
                  <LaptopOutlined aria-hidden /> <Trans>on this device only</Trans>
                </span>
              )}
            </button>
            {writable && (
              <Dropdown
                trigger={['click']}
                placement="bottomRight"
                menu={{
                  items: [
                    { key: 'name', icon: <EditOutlined aria-hidden />, label: t`Name and remark`, onClick: () => setNaming(version) },
                    {
                      key: 'delete',
                      icon: <DeleteOutlined aria-hidden />,
                      danger: true,
                      label: t`Delete`,
                      onClick: () => void remove(version).catch(complain),
                    },
                  ],
                }}
              >
                <Button type="text" size="small" icon={<MoreOutlined aria-hidden />} aria-label={t`Actions on the version`} />
              </Dropdown>
            )}
          </li>
        ))}
      </ol>
      {naming && (
        <NameVersion
          title={t`Name and remark`}
          name={naming.name ?? ''}
          remark={naming.remark}
          close={() => setNaming(null)}
          save={async (name, remark) => {
            await versions.note(naming, { name, remark })
            refresh()
          }}
        />
      )}
    </nav>
  )
}

/** The author of the proposal that was partly accepted just before. */
function Suggested({ origin: { by, title } }: { origin: Origin }) {
  const words = useWords()
  return (
    <>
      <span>
        <ByWhom by={by} />
      </span>
      <em>{words(title)}</em>
    </>
  )
}

/** The source of the versions, if it is not simply the server. */
function Where({ server }: { server: Known['server'] | null }) {
  const { t } = useLingui()
  if (server === null || server === 'told') return null
  const text = {
    none: t`This model lives on this device alone, and so do its versions.`,
    unreachable: t`The server can't be reached. These are the versions on this device; those of the server come when it can.`,
    refused: t`The versions of this model are for those who are members of its workspace. Versions you keep stay on this device.`,
  }[server]
  return (
    <Alert type="info" showIcon icon={server === 'none' ? <LaptopOutlined aria-hidden /> : <CloudOutlined aria-hidden />} title={text} />
  )
}

/** What a version is called. */
function useLabel(): (version: Version) => string {
  const { t, i18n } = useLingui()
  return ({ name, kind, at }) => {
    if (name !== null && name !== '') return name
    const day = new Intl.DateTimeFormat(i18n.locale, { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(at))
    return kind === 'before-restore' ? t`Before restoring, ${day}` : day
  }
}

type ComparedProps = {
  session: Session
  versions: Versions
  version: Version
  left: Loaded
  right: Loaded
  against: Side
  list: readonly Version[]
  setAgainst: (side: Side) => void
  writable: boolean
  team: string
  title: string
  done: () => void
}

function Compared({ versions, version, left, right, against, list, setAgainst, writable, team, title, done }: ComparedProps) {
  const { t } = useLingui()
  const label = useLabel()
  const navigate = useNavigate()
  const place = useTeamPlace(team)
  const words = useWords()
  const mayCopy = useScope().host.mayCopy ?? true
  const [shown, setShown] = useState<Shown>('both')
  const [chosen, setChosen] = useState<ReadonlySet<Id>>(new Set())
  const [busy, setBusy] = useState(false)
  // The older is what was before; what is there now is the newest.
  const other = list.find(one => one.id === against)
  const swapped = other !== undefined && other.at < version.at
  const [before, after] = swapped ? [right, left] : [left, right]
  const changes = useMemo(() => changesBetween(before.model, after.model), [before, after])
  const both = useMemo(() => overlaid(before.model, after.model), [before, after])
  const model = { both, before: before.model, after: after.model }[shown]
  const marks = useMemo(
    () => new Map(changes.filter(change => model.elements.has(change.id)).map((change): [Id, Change['sort']] => [change.id, change.sort])),
    [changes, model],
  )
  const viewer = useViewer(model)
  useEffect(() => viewer.model.setState({ model }), [viewer, model])
  const withNow = against === now

  const act = (work: () => Promise<void>): void => {
    setBusy(true)
    work()
      .catch(complain)
      .finally(() => setBusy(false))
  }
  const restoreSome = (only?: readonly Id[]): void =>
    act(async () => {
      await versions.restore(version, only)
      setChosen(new Set())
      say(only ? t`Brought back. You can undo this in the model.` : t`The model is as it was. You can undo this in the model.`)
      done()
    })
  const copy = (): void =>
    act(async () => {
      if (!place) return
      const file = await createFile(place, `${title} – ${label(version)}`.slice(0, 120), left.file)
      await navigate({ to: '/modeling/$teamCode/$modelId', params: { teamCode: file.team, modelId: file.id } })
    })
  return (
    <>
      <section className="h-history-view" aria-label={t`The model`}>
        <div className="h-history-bar">
          <Segmented<Shown>
            size="small"
            value={shown}
            onChange={setShown}
            aria-label={t`What is shown`}
            options={[
              { value: 'before', label: t`Before` },
              { value: 'both', label: t`Differences` },
              { value: 'after', label: t`After` },
            ]}
          />
        </div>
        <HistoryCanvas scope={viewer.scope} changes={marks} />
      </section>
      <aside className="h-history-changes" aria-label={t`Differences`}>
        <label className="h-history-against">
          <span>
            <Trans>Compared with</Trans>
          </span>
          <Select
            size="small"
            value={against}
            onChange={setAgainst}
            popupMatchSelectWidth={260}
            options={[
              { value: now, label: t`The model now` },
              ...list.filter(one => one.id !== version.id).map(one => ({ value: one.id, label: label(one) })),
            ]}
          />
        </label>
        <div className="h-history-actions">
          {writable && (
            <Button
              type="primary"
              size="small"
              loading={busy}
              disabled={withNow && changes.length === 0}
              onClick={() => restoreSome(withNow && chosen.size > 0 ? [...chosen] : undefined)}
            >
              {withNow && chosen.size > 0 ? (
                <Plural value={chosen.size} one="Bring back # element" other="Bring back # elements" />
              ) : (
                <Trans>Restore this version</Trans>
              )}
            </Button>
          )}
          {place && (
            <Button
              size="small"
              icon={<CopyOutlined aria-hidden />}
              disabled={busy || mayCopy !== true}
              title={mayCopy === true ? undefined : words(mayCopy)}
              onClick={copy}
            >
              <Trans>Copy to a new file</Trans>
            </Button>
          )}
        </div>
        <div className="h-history-list">
          <Changes
            changes={changes}
            before={before.model}
            after={after.model}
            chosen={writable && withNow ? chosen : null}
            choose={setChosen}
            show={id => {
              if (!model.elements.has(id)) {
                setShown('both')
                viewer.model.setState({ model: both })
              }
              viewer.scope.editor.reveal(id)
            }}
          />
        </div>
      </aside>
    </>
  )
}

type NameProps = { title: string; name: string; remark: string; close: () => void; save: (name: string, remark: string) => Promise<void> }

function NameVersion({ title, name, remark, close, save }: NameProps) {
  const { t } = useLingui()
  const [text, setText] = useState(name)
  const [more, setMore] = useState(remark)
  const [busy, setBusy] = useState(false)
  const submit = (): void => {
    if (text.trim() === '') return
    setBusy(true)
    save(text.trim(), more.trim())
      .then(close, complain)
      .finally(() => setBusy(false))
  }
  return (
    <Modal
      open
      title={title}
      onCancel={close}
      onOk={submit}
      okText={t`Save`}
      cancelText={t`Cancel`}
      okButtonProps={{ disabled: text.trim() === '', loading: busy }}
      width={420}
    >
      <div className="h-name-version">
        <label>
          <span>{t`Name`}</span>
          <Input autoFocus value={text} maxLength={128} onChange={event => setText(event.target.value)} onPressEnter={submit} />
        </label>
        <label>
          <span>{t`Remark`}</span>
          <Input.TextArea
            value={more}
            maxLength={1000}
            autoSize={{ minRows: 2, maxRows: 6 }}
            onChange={event => setMore(event.target.value)}
          />
        </label>
      </div>
    </Modal>
  )
}
