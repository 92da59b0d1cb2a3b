// Embed codes: a file inside pages of others, read only. Where it may be shown, what it shows; closed and opened again.
import { CopyOutlined } from '@ant-design/icons'
import { Trans, useLingui } from '@lingui/react/macro'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Alert, Button, Checkbox, Form, Input, Segmented, Select, Switch } from 'antd'
import { useState } from 'react'
import { dashboardOf, everyItem } from '../../../model-schema/dashboard.ts'
import { modelOfFile } from '../../../model-schema/file.ts'
import { kindOf } from '../../../model-schema/kinds.ts'
import { plans, quantityLabels } from '../../../model-schema/business/plans.ts'
import { api } from '../../api.ts'
import { useWords } from '../../i18n/locale.ts'
import { readFile } from '../../local/files.ts'
import { When } from '../../ui/When.tsx'
import { wordsOfError } from '../../ui/notices.ts'
import { complain, say } from '../../ui/toast.ts'
import { embedOptionsOf, frameOf, originsOf } from './embedding.ts'
import type { EmbedOptions } from './embedding.ts'
import { usePlace } from '../usePlace.ts'
import style from '../workspace.module.css'
import { verbatim } from '../../../model-schema/words.ts'

type Embed = Awaited<ReturnType<typeof api.embeds>>['embeds'][number]
type Runnable = Awaited<ReturnType<typeof api.embeds>>['models'][number]
type Props = { id: string; kind: string; name: string; allowed: boolean }

export function Embeds({ id, kind, name, allowed }: Props) {
  const { t } = useLingui()
  const words = useWords()
  const queries = useQueryClient()
  const embeds = useQuery({ queryKey: ['embeds', id], queryFn: () => api.embeds(id) })
  const usage = useQuery({ queryKey: ['usage'], queryFn: api.usage, retry: false })
  const changed = async (): Promise<void> => {
    await queries.invalidateQueries({ queryKey: ['embeds', id] })
    await queries.invalidateQueries({ queryKey: ['usage'] })
  }
  const models = embeds.data?.models ?? []
  // Models of this workspace are offered; a model from elsewhere is included only when it is ticked.
  const offered = models.filter(model => model.allowed && !model.elsewhere).map(model => model.id)
  const create = useMutation({ mutationFn: () => api.createEmbed(id, { models: offered }), onSettled: changed, onError: complain })
  const most = usage.data === undefined ? null : plans[usage.data.level].embeds
  return (
    <section className={style['links']} aria-label={t`Embed codes`}>
      <p className={style['quiet']}>
        <Trans>An embed code shows this file in another page. Visitors can run it; names stay hidden.</Trans>
      </p>
      {most === null || usage.data === undefined ? null : (
        <p className={style['quiet']}>
          {words(quantityLabels.embeds)}: <span className="h-num">{t`${usage.data.used.embeds} of ${most}`}</span>
        </p>
      )}
      {allowed ? null : (
        <Alert
          type="warning"
          showIcon
          title={<Trans>The workspace has switched embedding off; existing codes show nothing until it is on again.</Trans>}
        />
      )}
      <Button type="primary" loading={create.isPending} disabled={!allowed} onClick={() => create.mutate()} data-testid="create-embed">
        <Trans>Create embed code</Trans>
      </Button>
      {embeds.error === null ? null : <Alert type="error" showIcon title={wordsOfError(embeds.error)} />}
      <ul className={style['embeds']}>
        {(embeds.data?.embeds ?? []).map(embed => (
          <li key={embed.code}>
            <EmbedRow id={id} kind={kind} name={name} embed={embed} models={models} allowed={allowed} changed={changed} />
          </li>
        ))}
      </ul>
    </section>
  )
}

type RowProps = Props & { embed: Embed; models: readonly Runnable[]; changed: () => Promise<void> }

function EmbedRow({ id, kind, name, embed, models, allowed, changed }: RowProps) {
  const { t } = useLingui()
  const options = embedOptionsOf(embed.options)
  const text = frameOf(location.origin, kind, embed.code, name)
  const cards = useCards(id, kind)
  // One card is shown when it has been chosen: until then what was shown stays.
  const [show, setShow] = useState(options.show)
  const change = (wish: Parameters<typeof api.changeEmbed>[2]): void =>
    void api
      .changeEmbed(id, embed.code, wish)
      .catch(complain)
      .finally(() => void changed())
  const choose = (next: Partial<EmbedOptions>): void => {
    const all = { ...options, ...next }
    change({
      options: {
        ...embed.options,
        title: String(all.title),
        controls: String(all.controls),
        theme: all.theme,
        show: all.show,
        card: all.show === 'full' ? '' : all.card,
      },
    })
  }
  return (
    <>
      <div className={style['row']}>
        <Switch
          checked={!embed.closed}
          disabled={embed.closed && !allowed}
          checkedChildren={t`Shown`}
          unCheckedChildren={t`Closed`}
          aria-label={t`This embed code is open`}
          onChange={on => change({ closed: !on })}
        />
        <span className={style['quiet']}>
          <Trans>
            made <When at={embed.createdAt} />
          </Trans>
        </span>
        <span className={style['grow']} />
        <Button
          size="small"
          icon={<CopyOutlined aria-hidden />}
          onClick={() => void navigator.clipboard.writeText(text).then(() => say(t`The code is in the clipboard.`), complain)}
        >
          <Trans>Copy the code</Trans>
        </Button>
      </div>
      <Input.TextArea
        readOnly
        value={text}
        autoSize
        aria-label={t`Embed code`}
        onFocus={event => event.target.select()}
        data-testid="embed-code"
        className={style['code'] ?? ''}
      />
      <div className={style['row']}>
        <Checkbox checked={options.title} onChange={event => choose({ title: event.target.checked })}>
          <Trans>Title</Trans>
        </Checkbox>
        <Checkbox checked={options.controls} onChange={event => choose({ controls: event.target.checked })}>
          <Trans>Run controls</Trans>
        </Checkbox>
        <Segmented<EmbedOptions['theme']>
          size="small"
          value={options.theme}
          aria-label={t`Appearance`}
          options={[
            { value: 'system', label: t`As the system` },
            { value: 'light', label: t`Light` },
            { value: 'dark', label: t`Dark` },
          ]}
          onChange={theme => choose({ theme })}
        />
      </div>
      <ModelsShown embed={embed} models={models} choose={chosen => change({ models: chosen })} />
      {kind === 'dashboard' && (
        <>
          <div className={style['row']}>
            <Segmented<EmbedOptions['show']>
              size="small"
              value={show}
              aria-label={t`What is embedded`}
              options={[
                { value: 'full', label: t`The whole dashboard` },
                { value: 'parameters', label: t`A card and its controls` },
                { value: 'chart', label: t`One card` },
              ]}
              onChange={next => {
                setShow(next)
                if (next === 'full' || options.card !== '') choose({ show: next })
              }}
            />
          </div>
          {show !== 'full' && (
            <Form.Item
              className={style['card'] ?? ''}
              validateStatus={options.card === '' ? 'error' : ''}
              help={options.card === '' ? t`Choose what is embedded: it can’t be empty.` : undefined}
            >
              <Select
                className="h-wide"
                aria-label={t`Card`}
                placeholder={t`Choose a card`}
                loading={cards === undefined}
                notFoundContent={t`This dashboard has no cards yet.`}
                {...(options.card === '' ? {} : { value: options.card })}
                options={[...(cards ?? [])]}
                onChange={(card: string) => choose({ show, card })}
              />
            </Form.Item>
          )}
        </>
      )}
      <Origins key={embed.origins.join()} origins={embed.origins} keep={origins => change({ origins })} />
    </>
  )
}

/** Which of the models that the file runs are shown to visitors. */
function ModelsShown({ embed, models, choose }: { embed: Embed; models: readonly Runnable[]; choose: (models: string[]) => void }) {
  const { t } = useLingui()
  if (models.length === 0) return null
  const chosen = models.filter(model => embed.models.includes(model.id)).map(model => model.id)
  const labelOf = ({ name, allowed, elsewhere }: Runnable): string =>
    !allowed ? t`${name} (not yours to embed)` : elsewhere ? t`${name} (in another workspace)` : name
  return (
    <div role="group" aria-label={t`Models that visitors run`}>
      <span className={style['quiet']}>
        <Trans>Models that visitors run and can read:</Trans>
      </span>
      <Checkbox.Group
        value={chosen}
        options={models.map(model => ({
          value: model.id,
          label: labelOf(model),
          disabled: !model.allowed && !embed.models.includes(model.id),
        }))}
        onChange={choose}
      />
      {chosen.length < models.length ? (
        <p className={style['quiet']}>
          <Trans>Cards of a model that is not ticked stay empty in this embed.</Trans>
        </p>
      ) : null}
    </div>
  )
}

/** The cards of a dashboard that can be embedded alone; undefined while they are read, and for other kinds. */
function useCards(id: string, kind: string): readonly { value: string; label: string }[] | undefined {
  const place = usePlace()
  const words = useWords()
  const cards = useQuery({
    queryKey: ['cards', id],
    enabled: kind === 'dashboard' && place !== null,
    queryFn: async () => {
      const dashboard = place === null ? null : dashboardOf(modelOfFile(await readFile(place, id)))
      return everyItem(dashboard?.items ?? [])
        .map(({ element }) => element)
        .filter(({ kind }) => kind !== 'controller' && kind !== 'image' && kind !== 'note')
    },
  })
  return cards.data?.map(({ id, kind, fields }) => {
    const name = typeof fields['name'] === 'string' ? fields['name'] : ''
    return { value: id, label: name || words(kindOf(kind)?.label ?? verbatim(kind)) }
  })
}

function Origins({ origins, keep }: { origins: readonly string[]; keep: (origins: string[]) => void }) {
  const { t } = useLingui()
  return (
    <Form
      className={style['invite']}
      initialValues={{ origins: origins.join(', ') }}
      onFinish={({ origins = '' }: { origins?: string }) => keep(originsOf(origins).good)}
    >
      <Form.Item
        name="origins"
        className={style['grow'] ?? ''}
        rules={[
          {
            validator(_rule, value) {
              const first = originsOf(typeof value === 'string' ? value : '').bad[0]
              return first === undefined ? Promise.resolve() : Promise.reject(new Error(t`“${first}” is not the address of a site.`))
            },
          },
        ]}
      >
        <Input aria-label={t`Sites that may show it`} placeholder={t`Any site may show it; or name some, like https://example.org`} />
      </Form.Item>
      <Button htmlType="submit">
        <Trans>Save</Trans>
      </Button>
    </Form>
  )
}
