// Blocks next to the canvas: those available to insert, and those in the model, with the changes of their source since.
import { BlockOutlined, EyeOutlined, PlusOutlined, StarFilled, SyncOutlined } from '@ant-design/icons'
import { plural } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { Alert, Button, Input } from 'antd'
import { nanoid } from 'nanoid'
import { Suspense, useMemo, useState } from 'react'
import { modelOfFile } from '../../model-schema/file.ts'
import type { Model } from '../../model-schema/model.ts'
import { pasteText } from '../editor/clipboard.ts'
import { useEditor, useModel } from '../editor/useEditor.ts'
import { useWords } from '../i18n/locale.ts'
import { readFile } from '../local/files.ts'
import type { Place } from '../local/place.ts'
import { EmptyState } from '../ui/EmptyState.tsx'
import { wordsOfError } from '../ui/notices.ts'
import { complain, say } from '../ui/toast.ts'
import { importedPart } from '../ui/loading/updates.ts'
import { useSpaces } from '../workspace/team/spaces.ts'
import { explainFile } from '../workspace/files/standing.ts'
import { useFiles, usePlace } from '../workspace/usePlace.ts'
import type { ShownFile } from '../workspace/usePlace.ts'
import { clipOfBlock, differencesOf, instancesOf } from './origin.ts'
import type { Instance } from './origin.ts'
import './blocks.css'
import type { Words } from '../../model-schema/words.ts'

const UpdateDialog = importedPart(
  () => import('./UpdateDialog.tsx'),
  module => module.UpdateDialog,
)

export function BlocksPanel() {
  const { t } = useLingui()
  const { teamCode } = useParams({ strict: false })
  const place = usePlace(teamCode)
  if (place === null) return <EmptyState title={t`Blocks`} text={t`Sign in to use the blocks of your workspaces.`} />
  return <BlocksOf place={place} />
}

/** The model a block holds now, from this device and the server. */
const blockQuery = (place: Place, id: string) => ({
  queryKey: ['block', place.user.id, id],
  queryFn: async (): Promise<Model> => modelOfFile(await readFile(place, id)),
  retry: false,
  staleTime: 10_000,
})

function BlocksOf({ place }: { place: Place }) {
  const { t } = useLingui()
  const { teamCode, blockId, modelId } = useParams({ strict: false })
  const words = useWords()
  const translated = (reason: Words | null): string | undefined => (reason === null ? undefined : words(reason))
  const { data: spaces = [] } = useSpaces()
  const self = blockId ?? modelId
  const editor = useEditor()
  const files = useFiles(place)
  const [search, setSearch] = useState('')
  const [busy, setBusy] = useState<string | null>(null)
  const model = useModel(now => now)
  const instances = useMemo(() => instancesOf(model), [model])
  const sought = search.trim().toLowerCase()
  const blocks = (files ?? [])
    .filter(file => file.kind === 'block' && file.trashedAt === null && file.id !== self && file.name.toLowerCase().includes(sought))
    .sort((a, b) => Number(b.favourite) - Number(a.favourite) || a.name.localeCompare(b.name))
  const libraries = new Map((files ?? []).filter(file => file.kind === 'library').map(file => [file.id, file.name]))
  const byId = new Map((files ?? []).map(file => [file.id, file]))
  // Into a model of the same workspace a block is copied; into another, copied out of its own.
  const refusal = (block: ShownFile): Words | null => {
    const verdict = explainFile(block, block.team === teamCode ? 'copy' : 'copyOut', spaces)
    return verdict.allowed ? null : verdict.because
  }
  const sourceRefusal = ({ block }: Instance): Words | null => {
    const source = byId.get(block)
    return source === undefined ? null : refusal(source)
  }
  const insert = async (id: string, name: string): Promise<void> => {
    setBusy(id)
    try {
      const clip = clipOfBlock(modelOfFile(await readFile(place, id)), id, nanoid(8))
      if (clip.roots.length === 0) complain(t`“${name}” is empty.`)
      else pasteText(editor, JSON.stringify(clip))
    } finally {
      setBusy(null)
    }
  }
  return (
    <div className="h-blocks">
      <Input
        value={search}
        allowClear
        placeholder={t`Search blocks`}
        aria-label={t`Search blocks`}
        onChange={event => setSearch(event.target.value)}
      />
      {blocks.length === 0 ? (
        <p className="h-blocks-note">
          {sought === '' ? (
            <Trans>No blocks yet. Make one in the library of a workspace; it is a small model of its own.</Trans>
          ) : (
            <Trans>No block has these words in its name.</Trans>
          )}
        </p>
      ) : (
        <ul aria-label={t`Blocks`}>
          {blocks.map(block => (
            <li key={block.id}>
              <button
                type="button"
                disabled={busy !== null || refusal(block) !== null}
                title={translated(refusal(block))}
                aria-busy={busy === block.id}
                onClick={() => void insert(block.id, block.name).catch(complain)}
              >
                <BlockOutlined aria-hidden />
                <span>
                  {block.name}
                  {block.parent === null || libraries.get(block.parent) === undefined ? null : <small>{libraries.get(block.parent)}</small>}
                </span>
                {block.favourite ? <StarFilled aria-label={t`Starred`} role="img" /> : null}
                <PlusOutlined aria-hidden />
              </button>
              {block.favourite ? (
                <a
                  className="h-blocks-look"
                  href={`/star_block/${place.local ? 'device' : block.team}/${block.id}`}
                  target="_blank"
                  rel="noreferrer"
                >
                  <EyeOutlined aria-hidden />
                  <span className="h-visually-hidden">{t`Look at ${block.name}`}</span>
                </a>
              ) : null}
            </li>
          ))}
        </ul>
      )}
      {instances.length === 0 ? null : (
        <>
          <h3>
            <Trans>In this model</Trans>
          </h3>
          <ul>
            {instances.map(instance => (
              <li key={`${instance.block}/${instance.copy}`}>
                <InstanceRow
                  place={place}
                  instance={instance}
                  name={byId.get(instance.block)?.name ?? t`A block you have no access to`}
                  refusal={translated(sourceRefusal(instance))}
                />
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  )
}

type InstanceProps = {
  place: Place
  instance: Instance
  name: string
  /** Why nothing may be taken from its source. */
  refusal: string | undefined
}

function InstanceRow({ place, instance, name, refusal }: InstanceProps) {
  const { t } = useLingui()
  const editor = useEditor()
  const model = useModel(now => now)
  const source = useQuery(blockQuery(place, instance.block))
  const [open, setOpen] = useState(false)
  const differences = useMemo(
    () => (source.data === undefined ? [] : differencesOf(model, instance, source.data)),
    [model, instance, source.data],
  )
  const top = [...instance.at.values()][0]?.[0]
  return (
    <div className="h-blocks-instance">
      <button type="button" onClick={() => top !== undefined && editor.reveal(top)}>
        {name}
      </button>
      {source.error !== null ? (
        <Alert type="warning" title={wordsOfError(source.error)} />
      ) : differences.length === 0 ? (
        <small>{source.isPending ? <Trans>Being compared…</Trans> : <Trans>As its source</Trans>}</small>
      ) : (
        <Button size="small" disabled={refusal !== undefined} title={refusal} onClick={() => setOpen(true)}>
          {t`${plural(differences.length, { one: '# difference', other: '# differences' })}`}
        </Button>
      )}
      <Button
        size="small"
        type="text"
        icon={<SyncOutlined aria-hidden spin={source.isFetching} />}
        aria-label={t`Compare ${name} with its source again`}
        onClick={() => void source.refetch()}
      />
      {open && source.data !== undefined ? (
        <Suspense>
          <UpdateDialog
            name={name}
            instance={instance}
            source={source.data}
            differences={differences}
            close={() => setOpen(false)}
            done={() => say(t`“${name}” is up to date in these respects.`)}
          />
        </Suspense>
      ) : null}
    </div>
  )
}
