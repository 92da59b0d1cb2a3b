// The steps of two-step verification: the password, then (to switch it on) a QR code for the app and a code back from it, then the
// recovery codes, which are shown this once.
import { CopyOutlined, DownloadOutlined } from '@ant-design/icons'
import { Trans, useLingui } from '@lingui/react/macro'
import { useMutation } from '@tanstack/react-query'
import { Alert, Button, Form, Input, Modal, QRCode } from 'antd'
import type { InputRef } from 'antd'
import { useRef, useState } from 'react'
import type { RefObject } from 'react'
import { server } from '../api.ts'
import { wordsOfError } from '../ui/notices.ts'
import { complain, say } from '../ui/toast.ts'
import { codeRules } from './rules.ts'
import style from './account.module.css'

/** The requested change: on, off, or new recovery codes. */
export type Wish = 'on' | 'off' | 'codes'

type Step = { at: 'password' } | { at: 'scan'; uri: string } | { at: 'codes'; codes: string[] }

const factor = server.accounts['second-factor']

export function SecondFactorDialog({ wish, close }: { wish: Wish; close: () => void }) {
  const { t } = useLingui()
  const [step, setStep] = useState<Step>({ at: 'password' })
  const first = useRef<InputRef>(null)
  const begin = useMutation({
    mutationFn: async (password: string): Promise<Step | null> => {
      if (wish === 'on') return { at: 'scan', uri: (await (await factor.prepare.$post({ json: { password } })).json()).uri }
      if (wish === 'codes')
        return { at: 'codes', codes: (await (await factor['recovery-codes'].$post({ json: { password } })).json()).codes }
      await factor.off.$post({ json: { password } })
      return null
    },
    onSuccess: next => {
      if (next !== null) return setStep(next)
      say(t`Two-step verification is off.`)
      close()
    },
  })
  const confirm = useMutation({
    mutationFn: async (code: string) => (await (await factor.confirm.$post({ json: { code: code.trim() } })).json()).codes,
    onSuccess: codes => setStep({ at: 'codes', codes }),
  })
  const titles = { on: t`Set up two-step verification`, off: t`Switch off two-step verification`, codes: t`New recovery codes` }
  return (
    <Modal
      open
      title={step.at === 'codes' ? t`Recovery codes` : titles[wish]}
      onCancel={close}
      // Not before: a hidden element takes no focus.
      afterOpenChange={open => open && first.current?.focus()}
      footer={null}
      width={460}
      // Codes are shown once: a click outside must not close the dialog.
      {...(step.at === 'password' ? {} : { mask: { closable: false }, keyboard: false })}
    >
      {step.at === 'password' ? (
        <PasswordStep first={first} wish={wish} error={begin.error} busy={begin.isPending} give={password => begin.mutate(password)} />
      ) : step.at === 'scan' ? (
        <ScanStep uri={step.uri} error={confirm.error} busy={confirm.isPending} give={code => confirm.mutate(code)} />
      ) : (
        <CodesStep codes={step.codes} isNew={wish === 'codes'} close={close} />
      )}
    </Modal>
  )
}

type Asking = { error: Error | null; busy: boolean; give: (text: string) => void }

function PasswordStep({ first, wish, error, busy, give }: Asking & { first: RefObject<InputRef | null>; wish: Wish }) {
  const { t } = useLingui()
  return (
    <Form name="second-factor" layout="vertical" requiredMark={false} onFinish={({ password }: { password: string }) => give(password)}>
      {error === null ? null : (
        <Form.Item>
          <Alert type="error" showIcon title={wordsOfError(error)} />
        </Form.Item>
      )}
      <p className={style['words']}>
        {wish === 'on' ? (
          <Trans>You need an authenticator app on your phone. First, confirm that it is you.</Trans>
        ) : wish === 'off' ? (
          <Trans>The password alone will be enough to sign in.</Trans>
        ) : (
          <Trans>The codes you have now will work no more.</Trans>
        )}
      </p>
      <Form.Item name="password" label={t`Password`} rules={[{ required: true, message: t`Enter the password.` }]}>
        <Input.Password ref={first} autoComplete="current-password" />
      </Form.Item>
      <Button type="primary" danger={wish === 'off'} htmlType="submit" block loading={busy}>
        {wish === 'on' ? <Trans>Continue</Trans> : wish === 'off' ? <Trans>Switch off</Trans> : <Trans>Make new codes</Trans>}
      </Button>
    </Form>
  )
}

function ScanStep({ uri, error, busy, give }: Asking & { uri: string }) {
  const { t } = useLingui()
  const secret = new URL(uri).searchParams.get('secret') ?? ''
  return (
    <Form name="second-factor" layout="vertical" requiredMark={false} onFinish={({ code }: { code: string }) => give(code)}>
      <p>
        <Trans>Scan this with the app, or type the key into it. Then enter the code it shows.</Trans>
      </p>
      <div className={style['scan']}>
        <QRCode
          value={uri}
          type="svg"
          size={168}
          color="#000"
          bgColor="#fff"
          bordered={false}
          marginSize={3}
          className={style['qr'] ?? ''}
          role="img"
          aria-label={t`QR code for the authenticator app`}
        />
        <div className={style['byHand']}>
          <Trans>Key</Trans>
          <bdi className={style['secret']} dir="ltr">
            {secret.replaceAll(/(.{4})(?=.)/g, '$1 ')}
          </bdi>
          <Button
            size="small"
            icon={<CopyOutlined aria-hidden />}
            onClick={() => void navigator.clipboard.writeText(secret).then(() => say(t`The key is copied.`), complain)}
          >
            <Trans>Copy the key</Trans>
          </Button>
        </div>
      </div>
      {error === null ? null : (
        <Form.Item>
          <Alert type="error" showIcon title={wordsOfError(error)} />
        </Form.Item>
      )}
      <Form.Item name="code" label={t`Six-digit code`} rules={codeRules()} validateTrigger="onSubmit">
        <Input autoComplete="one-time-code" inputMode="numeric" maxLength={7} autoFocus className={style['code'] ?? ''} dir="ltr" />
      </Form.Item>
      <Button type="primary" htmlType="submit" block loading={busy}>
        <Trans>Switch on</Trans>
      </Button>
    </Form>
  )
}

function CodesStep({ codes, isNew, close }: { codes: string[]; isNew: boolean; close: () => void }) {
  const { t } = useLingui()
  const text = `${codes.join('\n')}\n`
  return (
    <>
      <p>
        {isNew ? null : (
          <>
            <Trans>Two-step verification is on.</Trans>{' '}
          </>
        )}
        <Trans>
          Each of these codes lets you in once without the app. Keep them where only you find them: they are shown now and never again.
        </Trans>
      </p>
      <ul className={style['codes']} aria-label={t`Recovery codes`} dir="ltr">
        {codes.map(code => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className={style['links']}>
        <Button
          icon={<CopyOutlined aria-hidden />}
          onClick={() => void navigator.clipboard.writeText(text).then(() => say(t`The codes are copied.`), complain)}
        >
          <Trans>Copy</Trans>
        </Button>
        <Button
          icon={<DownloadOutlined aria-hidden />}
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(text)}`}
          download="holarchy-recovery-codes.txt"
        >
          <Trans>Download</Trans>
        </Button>
        <Button type="primary" onClick={close} style={{ marginInlineStart: 'auto' }}>
          <Trans>I have kept them</Trans>
        </Button>
      </div>
    </>
  )
}
