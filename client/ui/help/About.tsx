import { Trans, useLingui } from '@lingui/react/macro'
import { Modal } from 'antd'
import { Logo } from '../Logo.tsx'

/** What this is, and which version of it. */
export function About({ close }: { close: () => void }) {
  const { t } = useLingui()
  const version = Number(import.meta.env['VITE_VERSION'])
  return (
    <Modal open onCancel={close} footer={null} title={t`About Holarchy`} width={400}>
      <p>
        <Logo />
      </p>
      <p>
        <Trans>
          Models of agents, processes and systems: built on a canvas, run in the browser, studied by experiments, shared with a team.
        </Trans>
      </p>
      <p className="h-num">{Number.isSafeInteger(version) && version > 0 ? t`Version ${version}` : t`Version under development`}</p>
      <p>
        <a href="/changelog" target="_blank" rel="noreferrer">
          <Trans>What is new</Trans>
        </a>
        {' · '}
        <a href="/docs" target="_blank" rel="noreferrer">
          <Trans>Help</Trans>
        </a>
        {' · '}
        <a href="/legal/disclaimer" target="_blank" rel="noreferrer">
          <Trans>Legal notice</Trans>
        </a>
      </p>
    </Modal>
  )
}
