// The tag sets of a workspace: made, named, their tags with colours in order. Tags are changed on the server at once.
import { ArrowDownOutlined, ArrowUpOutlined, DeleteOutlined, PlusOutlined } from '@ant-design/icons'
import { Trans, useLingui } from '@lingui/react/macro'
import { useQueryClient } from '@tanstack/react-query'
import { Button, ColorPicker, Input } from 'antd'
import { nanoid } from 'nanoid'
import { useState } from 'react'
import { LIMITS } from '../../../sync-server/protocol.ts'
import { api } from '../../api.ts'
import { createFile, renameFile, trashFile } from '../../local/files.ts'
import type { Place } from '../../local/place.ts'
import { complain, say } from '../../ui/toast.ts'
import { tagsKey, useTagSets } from '../files/tagSets.ts'
import type { Tag, TagSet } from '../files/tagSets.ts'
import style from '../workspace.module.css'

/** Colours a new tag takes in turn; any other may be chosen. */
const colors = ['#3257d6', '#1a7f47', '#c2410c', '#9333ea', '#0e7490', '#be123c', '#a16207', '#475569'] as const

export function TagSets({ place, disabled }: { place: Place; disabled: boolean }) {
  const { t } = useLingui()
  const sets = useTagSets(place.team)
  return (
    <section className={style['group']} aria-labelledby="tag-sets">
      <h2 id="tag-sets">
        <Trans>Tag sets</Trans>
      </h2>
      <p className={style['muted']}>
        <Trans>A file carries at most one tag of each set. Whoever sees the file sees its tags.</Trans>
      </p>
      {sets.map(set => (
        <SetOf key={set.id} set={set} place={place} disabled={disabled} />
      ))}
      <Button
        icon={<PlusOutlined aria-hidden />}
        disabled={disabled}
        onClick={() => void createFile(place, t`New tag set`, null, { kind: 'tag-set' }).catch(complain)}
      >
        <Trans>New tag set</Trans>
      </Button>
    </section>
  )
}

function SetOf({ set, place, disabled }: { set: TagSet; place: Place; disabled: boolean }) {
  const { t } = useLingui()
  const queries = useQueryClient()
  const act = (work: Promise<void>): void =>
    void work
      .catch(complain)
      .finally(() => void queries.invalidateQueries({ queryKey: tagsKey(set.id) }))
      .then(() => queries.invalidateQueries({ queryKey: ['files'] }))
  const save = (tag: Tag, change: Partial<Tag>): void => act(api.saveTag(set.id, { ...tag, ...change }))
  const swap = (i: number, j: number): void => {
    const order = [...set.tags]
    const [a, b] = [order[i], order[j]]
    if (a === undefined || b === undefined) return
    order[i] = b
    order[j] = a
    act(
      (async () => {
        for (const [place, tag] of order.entries()) if (tag.place !== place) await api.saveTag(set.id, { ...tag, place })
      })(),
    )
  }
  return (
    <fieldset className={style['tagSet']} disabled={disabled}>
      <legend className="h-hidden">{set.name}</legend>
      <div className={style['tagLine']}>
        <Text text={set.name} label={t`Name of the tag set`} keep={name => void renameFile(place, set.id, name).catch(complain)} strong />
        <Button
          type="text"
          icon={<DeleteOutlined aria-hidden />}
          aria-label={t`Move the tag set ${set.name} to the trash`}
          onClick={() => void trashFile(place, set.id).then(() => say(t`“${set.name}” is in the trash.`), complain)}
        />
      </div>
      <ul>
        {set.tags.map((tag, i) => (
          <li key={tag.id} className={style['tagLine']}>
            <ColorPicker
              size="small"
              disabled={disabled}
              value={tag.color === '' ? '#8b95a5' : tag.color}
              disabledAlpha
              presets={[{ label: t`Colours`, colors: [...colors] }]}
              onChangeComplete={color => save(tag, { color: color.toHexString() })}
            />
            <Text text={tag.name} label={t`Name of the tag`} keep={name => save(tag, { name })} />
            <Button
              type="text"
              size="small"
              icon={<ArrowUpOutlined aria-hidden />}
              aria-label={t`Move ${tag.name} up`}
              disabled={i === 0}
              onClick={() => swap(i, i - 1)}
            />
            <Button
              type="text"
              size="small"
              icon={<ArrowDownOutlined aria-hidden />}
              aria-label={t`Move ${tag.name} down`}
              disabled={i === set.tags.length - 1}
              onClick={() => swap(i, i + 1)}
            />
            <Button
              type="text"
              size="small"
              icon={<DeleteOutlined aria-hidden />}
              aria-label={t`Delete the tag ${tag.name}`}
              title={tag.files > 0 ? t`${tag.files} files carry it` : ''}
              onClick={() => act(api.deleteTag(set.id, tag.id))}
            />
          </li>
        ))}
      </ul>
      <AddTag
        add={name =>
          act(api.saveTag(set.id, { id: nanoid(), name, color: colors[set.tags.length % colors.length] ?? '', place: set.tags.length }))
        }
      />
    </fieldset>
  )
}

/** A text kept on Enter and on leaving; an empty one is what it was. */
function Text({ text, label, keep, strong = false }: { text: string; label: string; keep: (text: string) => void; strong?: boolean }) {
  const [now, setNow] = useState<string | null>(null)
  const done = (): void => {
    if (now !== null && now.trim() !== '' && now.trim() !== text) keep(now.trim())
    setNow(null)
  }
  return (
    <Input
      variant="borderless"
      value={now ?? text}
      aria-label={label}
      maxLength={LIMITS.nameLength}
      {...(strong ? { style: { fontWeight: 600 } } : {})}
      onChange={event => setNow(event.target.value)}
      onBlur={done}
      onPressEnter={event => event.currentTarget.blur()}
    />
  )
}

function AddTag({ add }: { add: (name: string) => void }) {
  const { t } = useLingui()
  const [name, setName] = useState('')
  const [empty, setEmpty] = useState(false)
  const done = (): void => {
    setEmpty(name.trim() === '')
    if (name.trim() === '') return
    add(name.trim())
    setName('')
  }
  return (
    <div className={style['tagLine']}>
      <Input
        value={name}
        status={empty ? 'error' : ''}
        placeholder={empty ? t`A tag cannot be empty` : t`Another tag`}
        aria-label={t`Another tag`}
        aria-invalid={empty}
        maxLength={LIMITS.nameLength}
        onChange={event => {
          setName(event.target.value)
          setEmpty(false)
        }}
        onPressEnter={done}
      />
      <Button icon={<PlusOutlined aria-hidden />} onClick={done}>
        <Trans>Add</Trans>
      </Button>
    </div>
  )
}
