// The language models of a person, a workspace or the whole server, for its manager: connecting, testing, changing and removing.
import { PlusOutlined } from '@ant-design/icons'
import { Trans, useLingui } from '@lingui/react/macro'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Alert, Button, InputNumber, Skeleton } from 'antd'
import { Suspense, useState } from 'react'
import { server } from '../../api.ts'
import { useLocale } from '../../i18n/locale.ts'
import { wordsOfError } from '../../ui/notices.ts'
import { complain, confirmed, say } from '../../ui/toast.ts'
import { importedPart } from '../../ui/loading/updates.ts'
import style from '../../workspace/workspace.module.css'
import { dollars, wordsOfEnd } from '../words.ts'

const ProviderDialog = importedPart(
  () => import('./ProviderDialog.tsx'),
  module => module.ProviderDialog,
)

/** The owner: neither property for one's own. */
export type Whose = { readonly workspace?: string; readonly server?: true }

const read = async ({ workspace, server: isServers }: Whose) =>
  (
    await server.copilot.providers.managed.$get({
      query: { ...(workspace === undefined ? {} : { workspace }), ...(isServers ? { server: 'true' as const } : {}) },
    })
  ).json()

type Found = Awaited<ReturnType<typeof read>>
export type Managed = Found['providers'][number]

export function Providers({ whose, title, about }: { whose: Whose; title: string; about: string }) {
  const { t } = useLingui()
  const queries = useQueryClient()
  const key = ['copilot-managed', whose.workspace ?? '', whose.server ?? false]
  const found = useQuery({ queryKey: key, queryFn: () => read(whose), retry: 1 })
  const [editing, setEditing] = useState<Managed | 'new' | null>(null)
  const refresh = async (): Promise<void> => {
    await Promise.all([queries.invalidateQueries({ queryKey: key }), queries.invalidateQueries({ queryKey: ['copilot-models'] })])
  }
  const remove = async ({ id, label }: Managed): Promise<void> => {
    const sure = await confirmed({
      title: t`Disconnect “${label}”?`,
      content: t`Its key is deleted. Talks stay on the devices of those who had them.`,
      ok: t`Disconnect`,
      cancel: t`Cancel`,
    })
    if (!sure) return
    await server.copilot.providers[':id'].$delete({ param: { id } })
    await refresh()
  }
  return (
    <section className={style['group']} aria-label={title}>
      <h2>{title}</h2>
      <p className={style['muted']}>{about}</p>
      {found.isPending && <Skeleton active paragraph={{ rows: 1 }} />}
      {found.error && <Alert type="error" showIcon title={wordsOfError(found.error)} />}
      <ul>
        {found.data?.providers.map(one => (
          <Row key={one.id} one={one} edit={() => setEditing(one)} remove={() => void remove(one).catch(complain)} />
        ))}
      </ul>
      {found.data && (found.data.providers.length > 0 || found.data.money.monthCost !== null || found.data.money.spent > 0) && (
        <Money key={found.data.money.monthCost} money={found.data.money} whose={whose} saved={refresh} />
      )}
      <Button icon={<PlusOutlined aria-hidden />} onClick={() => setEditing('new')} style={{ marginBlockStart: 12 }}>
        <Trans>Connect a language model</Trans>
      </Button>
      <Suspense>
        {editing !== null && (
          <ProviderDialog whose={whose} one={editing === 'new' ? null : editing} close={() => setEditing(null)} saved={refresh} />
        )}
      </Suspense>
    </section>
  )
}

function Row({ one, edit, remove }: { one: Managed; edit: () => void; remove: () => void }) {
  const { t } = useLingui()
  const language = useLocale()
  const test = useMutation({
    mutationFn: async () => (await server.copilot.providers[':id'].test.$post({ param: { id: one.id } })).json(),
  })
  const tokens = one.dayTokens === null ? null : new Intl.NumberFormat(language).format(one.dayTokens)
  const money = one.monthCost === null ? null : dollars(one.monthCost, language)
  return (
    <li className={style['personRow']}>
      <span className={style['personName']}>
        {one.label}
        <small dir="auto">
          {one.model} · {URL.parse(one.url ?? '')?.host}
          {one.last4 ? ` · …${one.last4}` : ''}
          {tokens === null ? '' : ` · ${t`${tokens} tokens a day each`}`}
          {money === null ? '' : ` · ${t`${money} a month for all`}`}
        </small>
        <small role="status">{test.error ? wordsOfError(test.error) : test.data && <Came {...test.data} />}</small>
      </span>
      <Button size="small" loading={test.isPending} aria-label={t`Test ${one.label}`} onClick={() => test.mutate()}>
        <Trans>Test</Trans>
      </Button>
      <Button size="small" aria-label={t`Change ${one.label}`} onClick={edit}>
        <Trans>Change</Trans>
      </Button>
      <Button size="small" danger aria-label={t`Disconnect ${one.label}`} onClick={remove}>
        <Trans>Disconnect</Trans>
      </Button>
    </li>
  )
}

/** What all of them together may cost, and have cost by their prices. */
function Money({ money: { monthCost, spent }, whose, saved }: { money: Found['money']; whose: Whose; saved: () => Promise<void> }) {
  const { t } = useLingui()
  const language = useLocale()
  const [limit, setLimit] = useState(monthCost)
  const save = useMutation({
    mutationFn: async () => server.copilot.providers.money.$put({ json: { monthCost: limit, ...whose } }),
    onSuccess: async () => {
      await saved()
      say(t`The changes are saved.`)
    },
    onError: complain,
  })
  const field = `money-${whose.workspace ?? ''}${whose.server ? 'server' : ''}`
  return (
    <form
      className={style['personRow']}
      onSubmit={event => {
        event.preventDefault()
        save.mutate()
      }}
    >
      <label className={style['personName']} htmlFor={field}>
        <Trans>Money for 30 days, for all of them together</Trans>
        <small>
          <Trans>{dollars(spent, language)} spent, by the prices of each. Leave empty for no limit.</Trans>
        </small>
      </label>
      <InputNumber<number>
        id={field}
        min={0}
        max={1_000_000}
        step={1}
        prefix="US$"
        value={limit}
        onChange={setLimit}
        style={{ inlineSize: 140 }}
      />
      <Button size="small" htmlType="submit" loading={save.isPending} disabled={limit === monthCost}>
        <Trans>Save</Trans>
      </Button>
    </form>
  )
}

type CameProps = Awaited<ReturnType<Awaited<ReturnType<(typeof server.copilot.providers)[':id']['test']['$post']>>['json']>>

/** What a test of the connection found. */
function Came({ fault, detail, firstMs, usesTools }: CameProps) {
  if (fault !== null) return <span className={style['bad']}>{wordsOfEnd({ why: fault, detail })?.text}</span>
  return usesTools === 'calls' ? (
    <Trans>It answers after {firstMs} ms and can use tools.</Trans>
  ) : usesTools === 'text' ? (
    <Trans>It answers after {firstMs} ms and can use tools by blocks in its text: choose that under “Change”.</Trans>
  ) : (
    <Trans>It answers after {firstMs} ms, but used no tool when asked to: it can talk, hardly build.</Trans>
  )
}
