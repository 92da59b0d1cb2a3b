// Tags for one file or several: of each set at most one.
import { TagsOutlined } from '@ant-design/icons'
import { Trans, useLingui } from '@lingui/react/macro'
import { useNavigate } from '@tanstack/react-router'
import { Button, Modal, Select } from 'antd'
import { complain } from '../../ui/toast.ts'
import { letGo } from './hand.ts'
import type { Actions } from './useActions.tsx'
import type { ShownFile } from '../usePlace.ts'
import style from '../workspace.module.css'
import { TagDot } from './TagChips.tsx'
import { useTagSets } from './tagSets.ts'
import type { Tag, TagSet } from './tagSets.ts'

export function TagDialog({ files, actions, close }: { files: readonly ShownFile[]; actions: Actions; close: () => void }) {
  const { t } = useLingui()
  const first = files[0]?.name ?? ''
  const title = files.length === 1 ? t`Tags of “${first}”` : t`Tags of ${files.length} files`
  return (
    <Modal open title={title} onCancel={close} footer={null} width={420} destroyOnHidden>
      <TagPicker files={files} actions={actions} />
    </Modal>
  )
}

/** One choice for each set of the workspace; what differs among the files shows as such until it is chosen. */
export function TagPicker({ files, actions, disabled = false }: { files: readonly ShownFile[]; actions: Actions; disabled?: boolean }) {
  const { t } = useLingui()
  const navigate = useNavigate()
  const team = files[0]?.team
  const sets = useTagSets(team)
  const put = (set: TagSet, tag: Tag | undefined): void => {
    for (const file of files) {
      const others = file.tags.filter(own => own.set !== set.id)
      const next = tag === undefined ? others : [...others, { id: tag.id, set: set.id, name: tag.name, color: tag.color }]
      actions.tag(file, next).catch(complain)
    }
  }
  if (sets.length === 0)
    return (
      <div className={style['stack']}>
        <p className={style['muted']}>
          <Trans>This workspace has no tag sets yet. A set is a question, its tags are the answers: “Status: draft, final”.</Trans>
        </p>
        <Button
          icon={<TagsOutlined aria-hidden />}
          disabled={disabled}
          onClick={() => {
            letGo()
            void navigate({ to: '/workspace/$teamCode/setting', params: { teamCode: team ?? '' } })
          }}
        >
          <Trans>Make a tag set in the settings</Trans>
        </Button>
      </div>
    )
  return (
    <div className={style['stack']}>
      {sets.map(set => {
        const values = new Set(files.map(file => file.tags.find(tag => tag.set === set.id)?.id ?? ''))
        const value = values.size === 1 ? [...values][0] : undefined
        return (
          <label key={set.id} className={style['tagRow']}>
            <span>{set.name}</span>
            <Select
              value={value === '' ? undefined : value}
              disabled={disabled}
              allowClear
              placeholder={values.size > 1 ? t`Several` : t`None`}
              aria-label={set.name}
              options={set.tags.map(tag => ({
                value: tag.id,
                label: (
                  <span className={style['tagOption']}>
                    <TagDot color={tag.color} /> {tag.name}
                  </span>
                ),
              }))}
              onChange={id =>
                put(
                  set,
                  set.tags.find(tag => tag.id === id),
                )
              }
            />
          </label>
        )
      })}
    </div>
  )
}
