// Files as cards or rows. Everything a mouse can do the keyboard can: arrows walk, Enter opens, Space chooses, F2 renames, Delete
// trashes, Alt+Enter shows details, the menu key lists, and Ctrl+Z takes the last deed back.
import {
  CloudUploadOutlined,
  ExclamationCircleOutlined,
  EyeOutlined,
  LockOutlined,
  MoreOutlined,
  StarFilled,
  StarOutlined,
  WarningOutlined,
} from '@ant-design/icons'
import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { Button, Checkbox, Dropdown, Tooltip } from 'antd'
import { useLayoutEffect, useRef, useState } from 'react'
import type { DragEvent, KeyboardEvent, MouseEvent, ReactNode, RefObject } from 'react'
import type { Action } from '../../../model-schema/roles.ts'
import { useWords } from '../../i18n/locale.ts'
import { holders } from '../../local/device.ts'
import type { Place } from '../../local/place.ts'
import { Avatar } from '../../ui/Avatar.tsx'
import { When } from '../../ui/When.tsx'
import { wordsOfCode, wordsOfLimit } from '../../ui/notices.ts'
import { complain, say } from '../../ui/toast.ts'
import { NameField } from './NameField.tsx'
import { SelectionBar } from './SelectionBar.tsx'
import { TagChips } from './TagChips.tsx'
import { FileCover } from './FileCover.tsx'
import { useItems } from './menu.tsx'
import { drag, dropOn, useDragged } from './drag.ts'
import { choose, hand, toggle, undoLast, useHand } from './hand.ts'
import { addressOf } from './address.ts'
import { FileIcon, useKindWords } from './kinds.tsx'
import { explainFile, may } from './standing.ts'
import { useSpaces } from '../team/spaces.ts'
import type { Actions } from './useActions.tsx'
import type { ShownFile } from '../usePlace.ts'
import { setOrder, useView } from './view.ts'
import type { Order } from './view.ts'
import style from '../workspace.module.css'
import { defined } from '../../ui/defined.ts'

type Props = {
  files: readonly ShownFile[]
  place: Place
  actions: Actions
  caption: string
  sortable?: boolean
  /** Shows the first row of cards, or the first lines, until all are asked for. */
  brief?: boolean
}

/** Cards drawn at first, and added whenever the end of the list comes near. */
const CHUNK = 120

/** Lines of a brief list. */
const briefLines = 5

export function FileList({ files: all, place, actions, caption, sortable = true, brief = false }: Props) {
  const { t } = useLingui()
  const { layout } = useView()
  const list = useRef<HTMLDivElement>(null)
  const columns = useColumns(list, brief && layout === 'cards')
  const [isWhole, setWhole] = useState(false)
  const count = all.length
  const few = layout === 'cards' ? columns : briefLines
  const files = brief && !isWhole ? all.slice(0, few) : all
  const ids = files.map(file => file.id)
  const { data: spaces = [] } = useSpaces()
  const words = useWords()
  /** Whether all of them permit it; says why not otherwise. */
  const permits = (meant: readonly ShownFile[], action: Action): boolean => {
    const refused = meant.map(file => explainFile(file, action, spaces)).find(verdict => !verdict.allowed)
    if (refused !== undefined) say(words(refused.because))
    return refused === undefined
  }
  const { shown, end } = useChunks()
  const visible = files.slice(0, shown)
  const item = { place, actions, ids, files }
  return (
    <div ref={list} onKeyDown={event => walk(event, list.current, { files, actions, layout, permits })} data-list={layout}>
      <SelectionBar files={files} place={place} actions={actions} />
      {layout === 'cards' ? (
        <ul className={style['cards']} aria-label={caption}>
          {visible.map(file => (
            <Card key={file.id} file={file} {...item} />
          ))}
        </ul>
      ) : (
        <Rows {...item} visible={visible} caption={caption} sortable={sortable} />
      )}
      {shown < files.length ? <div key={shown} ref={end} className={style['listEnd']} aria-hidden="true" /> : null}
      {brief && all.length > few ? (
        <p className={style['whole']}>
          <Button type="text" size="small" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
            {isWhole ? t`Show fewer` : t`Show all ${count}`}
          </Button>
        </p>
      ) : null}
    </div>
  )
}

/** How many cards of the list make a full row, or two rows where a row is short. */
function useColumns(list: RefObject<HTMLDivElement | null>, isAsked: boolean): number {
  const [columns, setColumns] = useState(4)
  useLayoutEffect(() => {
    const box = list.current
    if (!isAsked || box === null) return undefined
    const measure = (): void => {
      const cards = box.querySelector(`.${style['cards']}`)
      const count = cards === null ? 0 : getComputedStyle(cards).gridTemplateColumns.split(' ').length
      if (count > 0) setColumns(count < 3 ? 2 * count : count)
    }
    measure()
    const watch = new ResizeObserver(measure)
    watch.observe(box)
    return () => watch.disconnect()
  }, [list, isAsked])
  return columns
}

type ItemProps = { file: ShownFile; place: Place; actions: Actions; ids: readonly string[]; files: readonly ShownFile[] }

function Rows({
  visible,
  caption,
  sortable,
  ...item
}: Omit<ItemProps, 'file'> & { visible: readonly ShownFile[]; caption: string; sortable: boolean }) {
  const { t } = useLingui()
  const chosen = useHand(state => state.chosen)
  const all = item.ids.length > 0 && item.ids.every(id => chosen.has(id))
  return (
    <div className={style['tableBox']}>
      <table className={style['table']}>
        <caption className="h-hidden">{caption}</caption>
        <thead>
          <tr>
            <th scope="col" className={style['checkCell']}>
              <Checkbox
                checked={all}
                indeterminate={!all && item.ids.some(id => chosen.has(id))}
                onChange={() => choose(all ? [] : item.ids)}
                aria-label={t`Choose all`}
              />
            </th>
            <Head order="name" sortable={sortable}>
              <Trans>Name</Trans>
            </Head>
            <Head order="kind" sortable={sortable} wide>
              <Trans>Kind</Trans>
            </Head>
            <th scope="col" className={style['wideCell']}>
              <Trans>Creator</Trans>
            </th>
            <Head order="created" sortable={sortable} wide>
              <Trans>Created</Trans>
            </Head>
            <Head order="updated" sortable={sortable}>
              <Trans>Changed</Trans>
            </Head>
            <th scope="col">
              <span className="h-hidden">
                <Trans>Actions</Trans>
              </span>
            </th>
          </tr>
        </thead>
        <tbody>
          {visible.map(file => (
            <Row key={file.id} file={file} {...item} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Head({ order, sortable, wide = false, children }: { order: Order; sortable: boolean; wide?: boolean; children: ReactNode }) {
  const view = useView()
  const now = view.order === order
  return (
    <th
      scope="col"
      className={wide ? style['wideCell'] : ''}
      aria-sort={now && sortable ? (order === 'name' || order === 'kind' ? 'ascending' : 'descending') : 'none'}
    >
      {sortable ? (
        <button type="button" className={style['sortButton']} data-now={now || undefined} onClick={() => setOrder(order)}>
          {children}
        </button>
      ) : (
        children
      )}
    </th>
  )
}

function Card(props: ItemProps) {
  const { file } = props
  const chosen = useHand(state => state.chosen.has(file.id))
  const any = useHand(state => state.chosen.size > 0)
  return (
    <Menu {...props}>
      <li className={style['card']} data-chosen={chosen || undefined} data-choosing={any || undefined} {...useMoving(props)}>
        <div className={style['cover']}>
          <FileCover file={file} />
        </div>
        <Check {...props} />
        <Star {...props} />
        <div className={style['cardText']}>
          <span className={style['cardName']}>
            <FileIcon kind={file.kind} className={style['kindIcon']} />
            <Name {...props} />
          </span>
          <span className={style['meta']}>
            <When at={file.updatedAt} />
            <Standing file={file} />
            {file.team === props.place.team ? null : <span>· {file.owner.name}</span>}
          </span>
          <TagChips tags={file.tags} />
        </div>
        <MoreButton {...props} />
      </li>
    </Menu>
  )
}

function Row(props: ItemProps) {
  const { file } = props
  const words = useKindWords()
  const chosen = useHand(state => state.chosen.has(file.id))
  const creator = file.creator ?? file.owner
  return (
    <Menu {...props}>
      <tr data-chosen={chosen || undefined} {...useMoving(props)}>
        <td className={style['checkCell']}>
          <Check {...props} />
        </td>
        <td className={style['mainCell']}>
          <span className={style['nameCell']}>
            <FileIcon kind={file.kind} className={style['kindIcon']} />
            <Name {...props} />
            <Star {...props} />
            <Standing file={file} />
            <TagChips tags={file.tags} />
          </span>
        </td>
        <td className={style['wideCell']}>{words.name(file.kind)}</td>
        <td className={style['wideCell']}>
          <span className={style['owner']}>
            <Avatar id={creator.id} name={creator.name} image={creator.avatar} size={20} />
            {creator.name}
          </span>
        </td>
        <td className={style['wideCell']}>
          <When at={file.createdAt} />
        </td>
        <td>
          <When at={file.updatedAt} />
        </td>
        <td className={style['moreCell']}>
          <MoreButton {...props} />
        </td>
      </tr>
    </Menu>
  )
}

/** Dragging the file, and dropping others on it when it holds them. */
function useMoving({ file, files, actions }: ItemProps) {
  const dragged = useDragged()
  const { data: spaces = [] } = useSpaces()
  const [over, setOver] = useState(false)
  const target = holders.has(file.kind) ? dropOn({ team: file.team, parent: file.id, kind: file.kind }, dragged, actions, setOver) : {}
  return {
    draggable: may(file, 'move', spaces),
    onDragStart: (event: DragEvent) => drag(event, file, files),
    onDragEnd: () => drag(null, file, files),
    'data-over': (over && dragged.length > 0) || undefined,
    ...target,
  }
}

function Check({ file, ids }: ItemProps) {
  const { t } = useLingui()
  const chosen = useHand(state => state.chosen.has(file.id))
  const name = file.name
  return (
    <span className={style['check']}>
      <Checkbox
        checked={chosen}
        aria-label={t`Choose “${name}”`}
        onChange={event => toggle(file.id, ids, event.nativeEvent instanceof globalThis.MouseEvent && event.nativeEvent.shiftKey)}
      />
    </span>
  )
}

function Star({ file, actions }: ItemProps) {
  const { t } = useLingui()
  const name = file.name
  const label = file.favourite ? t`Remove “${name}” from the favourites` : t`Add “${name}” to the favourites`
  return (
    <button
      type="button"
      className={style['star']}
      aria-pressed={file.favourite}
      aria-label={label}
      title={label}
      onClick={() => actions.favourite(file)}
    >
      {file.favourite ? <StarFilled aria-hidden /> : <StarOutlined aria-hidden />}
    </button>
  )
}

function Name({ file, actions, ids }: ItemProps) {
  const renaming = useHand(state => state.renaming === file.id)
  if (renaming)
    return <NameField name={file.name} rename={name => actions.rename(file, name)} done={() => hand.setState({ renaming: null })} />
  const pick = (event: MouseEvent): void => {
    if (!event.ctrlKey && !event.metaKey && !event.shiftKey) return
    // A list of files: chosen as everywhere, rather than opened in a tab.
    event.preventDefault()
    toggle(file.id, ids, event.shiftKey)
  }
  return (
    <Link to={addressOf(file)} className={style['name']} title={file.name} data-file={file.id} draggable={false} onClick={pick}>
      {file.name}
    </Link>
  )
}

/**
 * Not sent to the server yet, or refused by it; read-only, as its workspace is beyond its plan; only to be viewed; itself beyond the plan.
 */
export function Standing({ file }: { file: ShownFile }) {
  const { t } = useLingui()
  if (file.state === 'told') {
    if (file.overLimit) {
      const words = t`Read-only: its workspace is beyond the limits of its plan`
      return (
        <Tooltip title={words}>
          <LockOutlined className={style['locked']} aria-label={words} role="img" />
        </Tooltip>
      )
    }
    if (file.onlyView === true) {
      const words = t`You may only view and run this`
      return (
        <Tooltip title={words}>
          <EyeOutlined className={style['locked']} aria-label={words} role="img" />
        </Tooltip>
      )
    }
    if (!file.beyondPlan) return null
    const limit = wordsOfLimit(file.beyondPlan)
    const words = t`Over the limit. ${limit}`
    return (
      <Tooltip title={words}>
        <WarningOutlined className={style['locked']} aria-label={words} role="img" />
      </Tooltip>
    )
  }
  if (file.state === 'waiting') {
    const words = t`On this device; sent to the server when it can be reached`
    return (
      <Tooltip title={words}>
        <CloudUploadOutlined className={style['waiting']} aria-label={words} role="img" />
      </Tooltip>
    )
  }
  const reason = wordsOfCode(file.state.refused)
  const words = t`The server did not take the last change. ${reason} The file is on this device.`
  return (
    <Tooltip title={words}>
      <ExclamationCircleOutlined className={style['refused']} aria-label={words} role="img" />
    </Tooltip>
  )
}

function Menu(props: ItemProps & { children: ReactNode }) {
  const items = useItems(props)
  return (
    <Dropdown trigger={['contextMenu']} menu={defined({ items })}>
      {props.children}
    </Dropdown>
  )
}

function MoreButton(props: ItemProps) {
  const { t } = useLingui()
  const items = useItems(props)
  const name = props.file.name
  return (
    <Dropdown trigger={['click']} menu={defined({ items })} placement="bottomRight">
      <Button
        type="text"
        size="small"
        className={style['more'] ?? ''}
        icon={<MoreOutlined aria-hidden />}
        aria-label={t`Actions for ${name}`}
      />
    </Dropdown>
  )
}

type WalkParts = {
  files: readonly ShownFile[]
  actions: Actions
  layout: 'cards' | 'rows'
  permits(meant: readonly ShownFile[], action: Action): boolean
}

/** Keys of a list, wherever in it the focus is. */
function walk(event: KeyboardEvent, list: HTMLElement | null, { files, actions, layout, permits }: WalkParts): void {
  const target = event.target
  if (!(target instanceof HTMLElement) || list === null || target.closest('input[type="text"], textarea, [role="menu"]') !== null) return
  const links = [...list.querySelectorAll<HTMLElement>('[data-file]')]
  const at = links.findIndex(link => link === target)
  const file = files.find(one => one.id === links[at]?.dataset['file'])
  const { chosen } = hand.getState()
  const meant = chosen.size > 0 ? files.filter(one => chosen.has(one.id)) : file === undefined ? [] : [file]
  const control = event.ctrlKey || event.metaKey
  if (control && event.key === 'a') choose(files.map(one => one.id))
  else if (control && event.key === 'z' && !event.shiftKey) void undoLast().catch(complain)
  else if (event.key === 'Escape' && chosen.size > 0) choose([])
  else if (event.key === 'Delete' && meant.length > 0) {
    if (permits(meant, 'trash')) void actions.trash(meant)
  } else if (event.key === 'F2' && file !== undefined) {
    if (permits([file], 'rename')) hand.setState({ renaming: file.id })
  } else if (event.key === ' ' && file !== undefined)
    toggle(
      file.id,
      files.map(one => one.id),
      event.shiftKey,
    )
  else if (event.key === 'Enter' && event.altKey && file !== undefined) hand.setState({ details: file.id })
  else if (event.key.startsWith('Arrow') && at >= 0) {
    const top = links[0]?.offsetTop
    const across = layout === 'rows' ? 1 : Math.max(1, links.findIndex(link => rowOf(link) !== rowOf(links[0])) || links.length)
    const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: across, ArrowUp: -across }[event.key]
    if (top === undefined || step === undefined) return
    links[at + step]?.focus()
  } else return
  event.preventDefault()
}

const rowOf = (link: HTMLElement | undefined): number => Math.round(link?.getBoundingClientRect().top ?? 0)

/** How many of a long list are drawn: more when its end comes near. */
function useChunks() {
  const [shown, setShown] = useState(CHUNK)
  // One mark a chunk (by its key), watched as long as it is there.
  const end = (mark: HTMLDivElement | null): (() => void) | undefined => {
    if (mark === null) return undefined
    const watcher = new IntersectionObserver(entries => entries.some(entry => entry.isIntersecting) && setShown(n => n + CHUNK), {
      rootMargin: '600px',
    })
    watcher.observe(mark)
    return () => watcher.disconnect()
  }
  return { shown, end }
}
