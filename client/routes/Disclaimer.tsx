import { Trans } from '@lingui/react/macro'
import { TextPage } from './TextPage.tsx'

/** What people accept before they register. */
export function Disclaimer() {
  return (
    <TextPage>
      <h1>
        <Trans>Disclaimer</Trans>
      </h1>
      <h2>
        <Trans>Models are not reality</Trans>
      </h2>
      <p>
        <Trans>
          A simulation shows what follows from its assumptions, not what will happen. Check models and their inputs before you decide
          anything by their results. Decisions remain yours.
        </Trans>
      </p>
      <h2>
        <Trans>Your content</Trans>
      </h2>
      <p>
        <Trans>
          What you make here belongs to you. You are responsible for having the right to upload and share it, and for keeping personal data
          of others out of it unless you may use them.
        </Trans>
      </p>
      <h2>
        <Trans>The service</Trans>
      </h2>
      <p>
        <Trans>
          The software comes as it is, without warranty. Whoever runs this server decides about backups, availability and how long data are
          kept. Download copies of what matters to you.
        </Trans>
      </p>
      <h2>
        <Trans>Privacy</Trans>
      </h2>
      <p>
        <Trans>
          The server stores your name, your email address, your files and when you changed them. People you share a file with see your name
          and what you do in it. A workspace on this device sends nothing to any server.
        </Trans>
      </p>
    </TextPage>
  )
}
