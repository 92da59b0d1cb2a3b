// The header of a list of files: title or crumbs, filters, order, layout, upload, new.
import {
  AppstoreOutlined,
  DownOutlined,
  FilterOutlined,
  PlusOutlined,
  SortAscendingOutlined,
  UnorderedListOutlined,
  UploadOutlined,
} from '@ant-design/icons'
import { Trans, useLingui } from '@lingui/react/macro'
import { Button, Dropdown, Segmented, Select, Space } from 'antd'
import { useRef } from 'react'
import type { ReactNode } from 'react'
import { fileKinds, isFileKind } from '../../local/device.ts'
import type { FileKind } from '../../local/device.ts'
import { TagDot } from './TagChips.tsx'
import { useTagSets } from './tagSets.ts'
import { FileIcon, useKindWords } from './kinds.tsx'
import type { Actions } from './useActions.tsx'
import { setLayout, setOrder, useView, view } from './view.ts'
import style from '../workspace.module.css'

type Props = {
  title: ReactNode
  children?: ReactNode
  sortable?: boolean
  /** The workspace with the tags to filter by. */
  tagsOf?: string | undefined
}

export function Toolbar({ title, children, sortable = true, tagsOf }: Props) {
  const { t } = useLingui()
  const { layout, order } = useView()
  return (
    <div className={style['toolbar']}>
      {typeof title === 'string' ? <h1>{title}</h1> : title}
      {sortable ? (
        <>
          <Filter team={tagsOf} />
          <Select
            value={order}
            onChange={setOrder}
            variant="borderless"
            prefix={<SortAscendingOutlined aria-hidden />}
            aria-label={t`Order`}
            popupMatchSelectWidth={false}
            options={[
              { value: 'opened', label: t`Last opened` },
              { value: 'updated', label: t`Last changed` },
              { value: 'created', label: t`Created` },
              { value: 'name', label: t`Name` },
              { value: 'kind', label: t`Kind` },
            ]}
          />
          <Segmented
            value={layout}
            onChange={setLayout}
            aria-label={t`Layout`}
            options={[
              { value: 'cards', icon: <AppstoreOutlined aria-hidden />, title: t`Cards` },
              { value: 'rows', icon: <UnorderedListOutlined aria-hidden />, title: t`List` },
            ]}
          />
        </>
      ) : null}
      {children}
    </div>
  )
}

/** Only a kind, only some tags: one of several tags of a set, all of the sets. */
function Filter({ team }: { team: string | undefined }) {
  const { t } = useLingui()
  const words = useKindWords()
  const { kind, tags } = useView()
  const sets = useTagSets(team)
  const on = (kind === '' ? 0 : 1) + tags.length
  const items = [
    {
      key: 'kinds',
      type: 'group' as const,
      label: t`Kind`,
      children: [
        { key: 'kind ', label: t`All kinds` },
        ...fileKinds.map(one => ({ key: `kind ${one}`, icon: <FileIcon kind={one} />, label: words.name(one) })),
      ],
    },
    ...sets
      .filter(set => set.tags.length > 0)
      .map(set => ({
        key: set.id,
        type: 'group' as const,
        label: set.name,
        children: set.tags.map(tag => ({
          key: `tag ${set.id} ${tag.id}`,
          label: (
            <span className={style['tagOption']}>
              <TagDot color={tag.color} /> {tag.name}
            </span>
          ),
        })),
      })),
  ]
  const pick = (key: string): void => {
    const [what, first = '', id = ''] = key.split(' ')
    if (what === 'kind') view.setState({ kind: first === kind ? '' : first })
    else view.setState({ tags: tags.some(tag => tag.id === id) ? tags.filter(tag => tag.id !== id) : [...tags, { set: first, id }] })
  }
  return (
    <Dropdown
      trigger={['click']}
      menu={{
        items,
        selectable: true,
        multiple: true,
        selectedKeys: [`kind ${kind}`, ...tags.map(tag => `tag ${tag.set} ${tag.id}`)],
        onClick: ({ key }) => pick(key),
        className: style['filterMenu'] ?? '',
      }}
    >
      <Button
        type={on > 0 ? 'default' : 'text'}
        icon={<FilterOutlined aria-hidden />}
        aria-label={on > 0 ? t`Filter, ${on} set` : t`Filter`}
      >
        {on > 0 ? <span className="h-num">{on}</span> : null}
      </Button>
    </Dropdown>
  )
}

export function UploadButton({ actions }: { actions: Actions }) {
  const { t } = useLingui()
  const field = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button icon={<UploadOutlined aria-hidden />} onClick={() => field.current?.click()} aria-label={t`Upload .holo files`}>
        <span className={style['wide']}>
          <Trans>Upload</Trans>
        </span>
      </Button>
      <input
        ref={field}
        type="file"
        accept=".holo,.json,application/json"
        multiple
        hidden
        data-testid="upload"
        onChange={event => {
          actions.upload([...(event.target.files ?? [])])
          event.target.value = ''
        }}
      />
    </>
  )
}

/** Adds a model at once; everything else from the menu next to it. `kinds`: what may be added here. */
export function NewButton({ actions, kinds = fileKinds }: { actions: Actions; kinds?: readonly FileKind[] }) {
  const { t } = useLingui()
  const words = useKindWords()
  const main = kinds[0] ?? 'model'
  const others = kinds.filter(kind => kind !== main)
  return (
    <Space.Compact>
      <Button type="primary" icon={<PlusOutlined aria-hidden />} onClick={() => actions.create(main)} data-testid={`new-${main}`}>
        {words.fresh(main)}
      </Button>
      {others.length === 0 ? null : (
        <Dropdown
          trigger={['click']}
          placement="bottomRight"
          menu={{
            items: others.map(kind => ({ key: kind, icon: <FileIcon kind={kind} />, label: words.name(kind) })),
            onClick: ({ key }) => isFileKind(key) && actions.create(key),
          }}
        >
          <Button type="primary" icon={<DownOutlined aria-hidden />} aria-label={t`New file of another kind`} data-testid="new-other" />
        </Dropdown>
      )}
    </Space.Compact>
  )
}
