// Links to a file: what each allows, until when, how often, with which password; copied, and closed at once.
import { CopyOutlined, DeleteOutlined, LockOutlined } from '@ant-design/icons'
import { plural } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Alert, Button, Checkbox, DatePicker, Form, Input, InputNumber, Select, Tooltip } from 'antd'
import dayjs from 'dayjs'
import type { Dayjs } from 'dayjs'
import { useState } from 'react'
import { api } from '../../api.ts'
import type { LinkRole, ShareLink } from '../../api.ts'
import { When } from '../../ui/When.tsx'
import { wordsOfError } from '../../ui/notices.ts'
import { complain, say } from '../../ui/toast.ts'
import style from '../workspace.module.css'
import { useRoleNames } from './People.tsx'

const linkRoles: readonly LinkRole[] = ['viewer', 'commenter', 'editor']

type Fields = { role: LinkRole; expiresAt?: Dayjs | null; password?: string; maxUses?: number | null; mayCopy?: boolean }

export function Links({ id }: { id: string }) {
  const { t } = useLingui()
  const queries = useQueryClient()
  const links = useQuery({ queryKey: ['links', id], queryFn: () => api.links(id) })
  const changed = (): Promise<void> => queries.invalidateQueries({ queryKey: ['links', id] })
  const isClosed = ({ closedAt }: ShareLink): boolean => closedAt !== null
  return (
    <section className={style['links']} aria-label={t`Links`}>
      <p className={style['quiet']}>
        <Trans>Anyone with the link can open this, until you delete the link. Viewing and running needs no account; editing does.</Trans>
      </p>
      <NewLink id={id} changed={changed} />
      {links.error === null ? null : <Alert type="error" showIcon title={wordsOfError(links.error)} />}
      <OpenLinks id={id} links={(links.data ?? []).filter(link => !isClosed(link))} changed={changed} />
      <ClosedLinks id={id} links={(links.data ?? []).filter(isClosed)} changed={changed} />
    </section>
  )
}

function useCopied(): (code: string) => Promise<void> {
  const { t } = useLingui()
  return async code => {
    await navigator.clipboard.writeText(addressOf(code))
    say(t`The link is in the clipboard.`)
  }
}

function NewLink({ id, changed }: { id: string; changed: () => Promise<void> }) {
  const { t } = useLingui()
  const names = useRoleNames()
  const copy = useCopied()
  const [guarding, setGuarding] = useState(false)
  const [form] = Form.useForm<Fields>()
  const create = useMutation({
    mutationFn: ({ role, expiresAt, password, maxUses, mayCopy }: Fields) =>
      api.createLink(id, {
        role,
        ...(expiresAt == null ? {} : { expiresAt: expiresAt.endOf('day').toISOString() }),
        ...(password === undefined || password === '' ? {} : { password }),
        ...(maxUses == null ? {} : { maxUses }),
        ...(mayCopy === true ? { mayCopy } : {}),
      }),
    onSuccess(link) {
      form.resetFields(['password', 'expiresAt', 'maxUses', 'mayCopy'])
      // A browser may refuse the clipboard; the link is in the list all the same.
      return copy(link.code).catch(() => undefined)
    },
    onSettled: changed,
    onError: complain,
  })
  return (
    <Form
      form={form}
      className={style['linkForm']}
      layout="vertical"
      initialValues={{ role: 'viewer' }}
      onFinish={(fields: Fields) => create.mutate(fields)}
    >
      <div className={style['row']}>
        <Form.Item name="role" noStyle>
          <Select
            popupMatchSelectWidth={false}
            aria-label={t`What the link allows`}
            options={linkRoles.map(value => ({ value, label: names[value] }))}
          />
        </Form.Item>
        <Button type="primary" htmlType="submit" loading={create.isPending} data-testid="create-link">
          <Trans>Create link</Trans>
        </Button>
        <Button type="text" icon={<LockOutlined aria-hidden />} aria-expanded={guarding} onClick={() => setGuarding(!guarding)}>
          <Trans>Limits</Trans>
        </Button>
      </div>
      {guarding ? (
        <div className={style['limits']}>
          <Form.Item name="expiresAt" label={t`Valid until`}>
            <DatePicker minDate={dayjs()} style={{ inlineSize: '100%' }} />
          </Form.Item>
          <Form.Item name="maxUses" label={t`How often it may be opened`}>
            <InputNumber min={1} max={1_000_000} precision={0} placeholder={t`Without limit`} style={{ inlineSize: '100%' }} />
          </Form.Item>
          <Form.Item name="password" label={t`Password`} rules={[{ min: 4, message: t`At least 4 characters.` }]}>
            <Input.Password autoComplete="new-password" maxLength={128} placeholder={t`None`} />
          </Form.Item>
          <Form.Item name="mayCopy" valuePropName="checked" label={t`Copying`}>
            <Checkbox>
              <Trans>May be copied and downloaded</Trans>
            </Checkbox>
          </Form.Item>
        </div>
      ) : null}
    </Form>
  )
}

type ListOf = { id: string; links: readonly ShareLink[]; changed: () => Promise<void> }

function OpenLinks({ id, links, changed }: ListOf) {
  const { t } = useLingui()
  const names = useRoleNames()
  const copy = useCopied()
  const closeLink = useMutation({ mutationFn: (code: string) => api.closeLink(id, code), onSettled: changed, onError: complain })
  return (
    <ul className={style['people']}>
      {links.map(link => (
        <li key={link.code} className={style['linkRow']}>
          <span className={style['grow']}>
            <Input
              readOnly
              size="small"
              value={addressOf(link.code)}
              aria-label={t`Link`}
              onFocus={event => event.target.select()}
              data-testid="share-link"
            />
            <small>
              {names[link.role]}
              <LinkLimits link={link} />
            </small>
          </span>
          <Tooltip title={t`Copy`}>
            <Button
              type="text"
              size="small"
              icon={<CopyOutlined aria-hidden />}
              aria-label={t`Copy the link`}
              onClick={() => void copy(link.code).catch(complain)}
            />
          </Tooltip>
          <Tooltip title={t`Close this link`}>
            <Button
              type="text"
              size="small"
              icon={<DeleteOutlined aria-hidden />}
              aria-label={t`Close this link`}
              onClick={() => closeLink.mutate(link.code)}
            />
          </Tooltip>
        </li>
      ))}
    </ul>
  )
}

function ClosedLinks({ id, links, changed }: ListOf) {
  const names = useRoleNames()
  const reopen = useMutation({ mutationFn: (code: string) => api.reopenLink(id, code), onSettled: changed, onError: complain })
  if (links.length === 0) return null
  return (
    <details className={style['closedLinks']}>
      <summary>
        <Trans>
          Closed links <span className="h-num">({links.length})</span>
        </Trans>
      </summary>
      <ul className={style['people']}>
        {links.map(link => (
          <li key={link.code} className={style['linkRow']}>
            <span className={style['grow']}>
              <span className={style['closedLink']} dir="ltr">
                {addressOf(link.code)}
              </span>
              <small>
                {names[link.role]}
                <LinkLimits link={link} />
                {' · '}
                <Trans>
                  closed <When at={link.closedAt ?? ''} />
                </Trans>
              </small>
            </span>
            <Button
              size="small"
              disabled={isOver(link)}
              loading={reopen.isPending && reopen.variables === link.code}
              onClick={() => reopen.mutate(link.code)}
            >
              <Trans>Open again</Trans>
            </Button>
          </li>
        ))}
      </ul>
    </details>
  )
}

function LinkLimits({ link }: { link: ShareLink }) {
  const { t } = useLingui()
  const over = isOver(link)
  const { maxUses, uses } = link
  return (
    <>
      {link.expiresAt === null ? null : (
        <>
          {' · '}
          {over ? <Trans>expired</Trans> : <Trans>ends</Trans>} <When at={link.expiresAt} />
        </>
      )}
      {link.hasPassword ? <> · {t`with a password`}</> : null}
      {maxUses === null ? null : (
        <> · {t`${plural(maxUses, { one: 'opened # time at most', other: 'opened # times at most' })}, ${uses} so far`}</>
      )}
      {link.mayCopy ? <> · {t`may be copied`}</> : null}
    </>
  )
}

const isOver = (link: ShareLink): boolean => link.expiresAt !== null && link.expiresAt < new Date().toISOString()

function addressOf(code: string): string {
  return `${location.origin}/share/model/${code}`
}
