// Tokens with which programs work on models for a person, over the Model Context Protocol: made, shown once, revoked.
import { CopyOutlined, PlusOutlined } from '@ant-design/icons'
import { Trans, useLingui } from '@lingui/react/macro'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Alert, Button, Form, Input, Modal, Select } from 'antd'
import { useState } from 'react'
import { api, server } from '../../api.ts'
import { wordsOfError } from '../../ui/notices.ts'
import { complain, confirmed, say } from '../../ui/toast.ts'
import { When } from '../../ui/When.tsx'
import { useSpaces } from '../../workspace/team/spaces.ts'
import style from '../../workspace/workspace.module.css'

const read = async () => (await (await server.copilot.tokens.$get()).json()).tokens
type Token = Awaited<ReturnType<typeof read>>[number]
type Entered = { label: string; scope: Token['scope']; workspaces?: string[]; files?: string[]; days: number }

export function Tokens() {
  const { t } = useLingui()
  const queries = useQueryClient()
  const found = useQuery({ queryKey: ['copilot-tokens'], queryFn: read, retry: 1 })
  const [making, setMaking] = useState(false)
  const refresh = (): Promise<void> => queries.invalidateQueries({ queryKey: ['copilot-tokens'] })
  const revoke = async ({ id, label }: Token): Promise<void> => {
    const sure = await confirmed({
      title: t`Revoke “${label}”?`,
      content: t`Programs that use it stop working at once.`,
      ok: t`Revoke`,
      cancel: t`Cancel`,
    })
    if (!sure) return
    await server.copilot.tokens[':id'].$delete({ param: { id } })
    await refresh()
  }
  return (
    <section className={style['group']} aria-label={t`Access for programs`}>
      <h2>
        <Trans>Access for programs</Trans>
      </h2>
      <p className={style['muted']}>
        <Trans>
          AI clients that speak the Model Context Protocol can read, run and change your models in your name, with a token. What they change
          is a suggestion until somebody accepts it.
        </Trans>{' '}
        <code dir="ltr">{`${location.origin}/mcp`}</code>
      </p>
      {found.error && <Alert type="error" showIcon title={wordsOfError(found.error)} />}
      <ul>
        {found.data?.map(one => (
          <li key={one.id} className={style['personRow']}>
            <span className={style['personName']}>
              {one.label}
              <small>
                {one.scope === 'read' ? <Trans>reads and runs</Trans> : <Trans>reads, runs and suggests</Trans>} ·{' '}
                {one.workspaces.length + one.files.length === 0 ? (
                  <Trans>everything you may open</Trans>
                ) : (
                  <Trans>only what you chose</Trans>
                )}{' '}
                ·{' '}
                <Trans>
                  until <When at={one.expiresAt} />
                </Trans>
                {one.usedAt !== null && (
                  <>
                    {' '}
                    ·{' '}
                    <Trans>
                      used <When at={one.usedAt} />
                    </Trans>
                  </>
                )}
              </small>
            </span>
            <Button size="small" danger aria-label={t`Revoke ${one.label}`} onClick={() => void revoke(one).catch(complain)}>
              <Trans>Revoke</Trans>
            </Button>
          </li>
        ))}
      </ul>
      <Button icon={<PlusOutlined aria-hidden />} onClick={() => setMaking(true)} style={{ marginBlockStart: 12 }}>
        <Trans>Make a token</Trans>
      </Button>
      {making && <TokenDialog close={() => setMaking(false)} made={refresh} />}
    </section>
  )
}

function TokenDialog({ close, made }: { close: () => void; made: () => Promise<void> }) {
  const { t } = useLingui()
  const spaces = useSpaces()
  const files = useQuery({ queryKey: ['copilot-token-files'], queryFn: api.files })
  const make = useMutation({
    mutationFn: async ({ workspaces = [], files: chosen = [], ...entered }: Entered) =>
      (await (await server.copilot.tokens.$post({ json: { ...entered, workspaces, files: chosen } })).json()).token,
    onSuccess: () => made(),
  })
  const token = make.data
  const models = (files.data ?? []).filter(({ kind, trashedAt }) => (kind === 'model' || kind === 'block') && trashedAt === null)
  return (
    <Modal
      open
      width={520}
      title={t`Make a token`}
      onCancel={close}
      {...(token === undefined
        ? { okText: t`Make`, okButtonProps: { htmlType: 'submit', form: 'token' }, confirmLoading: make.isPending }
        : // Shown once: a click outside does not close it.
          { okText: t`I have kept it`, onOk: close, cancelButtonProps: { hidden: true }, mask: { closable: false } })}
    >
      {token === undefined ? (
        <Form<Entered>
          name="token"
          layout="vertical"
          requiredMark={false}
          initialValues={{ scope: 'propose', days: 90, label: '' }}
          onFinish={entered => make.mutate(entered)}
        >
          {make.error === null ? null : (
            <Form.Item>
              <Alert type="error" showIcon title={wordsOfError(make.error)} />
            </Form.Item>
          )}
          <Form.Item name="label" label={t`What it is for`} rules={[{ required: true, whitespace: true, message: t`Enter a name.` }]}>
            <Input maxLength={80} placeholder={t`AI client on my laptop`} autoComplete="off" />
          </Form.Item>
          <Form.Item name="scope" label={t`What it may do`}>
            <Select<Token['scope']>
              options={[
                { value: 'read', label: t`Read and run` },
                { value: 'propose', label: t`Read, run and suggest changes` },
              ]}
            />
          </Form.Item>
          <Form.Item name="workspaces" label={t`Workspaces`}>
            <Select<string[]>
              mode="multiple"
              placeholder={t`All`}
              optionFilterProp="label"
              options={(spaces.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
            />
          </Form.Item>
          <Form.Item name="files" label={t`Files`} extra={<Trans>Leave both empty for everything you may open, also later.</Trans>}>
            <Select<string[]>
              mode="multiple"
              placeholder={t`All`}
              optionFilterProp="label"
              options={models.map(({ id, name }) => ({ value: id, label: name }))}
            />
          </Form.Item>
          <Form.Item name="days" label={t`Good for`}>
            <Select<number>
              options={[
                { value: 7, label: t`a week` },
                { value: 30, label: t`a month` },
                { value: 90, label: t`three months` },
                { value: 365, label: t`a year` },
              ]}
            />
          </Form.Item>
        </Form>
      ) : (
        <>
          <p>
            <Trans>Give this to the program. It is shown now and never again.</Trans>
          </p>
          <div className={style['row']}>
            <Input readOnly value={token} dir="ltr" aria-label={t`Token`} onFocus={event => event.target.select()} />
            <Button
              icon={<CopyOutlined aria-hidden />}
              onClick={() => void navigator.clipboard.writeText(token).then(() => say(t`The token is copied.`), complain)}
            >
              <Trans>Copy</Trans>
            </Button>
          </div>
        </>
      )}
    </Modal>
  )
}
