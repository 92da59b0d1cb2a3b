// Shown when a part of the page fails: what happened, and what to do. Documents are safe: they are not in the page.
import { Trans } from '@lingui/react/macro'
import { Component, Suspense } from 'react'
import type { ReactNode } from 'react'
import { PlainButton } from '../PlainButton.tsx'
import { Attempt, isChunkError } from './updates.ts'
import style from '../ui.module.css'

type Props = {
  children: ReactNode
  /** The part alone shows the error in its place, and can be retried; absent: the whole page does. */
  inPlace?: boolean
}
type State = { error: Error | null; attempt: symbol }

export class Mishap extends Component<Props, State> {
  override state: State = { error: null, attempt: Symbol('attempt') }

  static getDerivedStateFromError(error: unknown): Pick<State, 'error'> {
    return { error: error instanceof Error ? error : new Error(String(error)) }
  }

  override componentDidCatch(error: unknown): void {
    console.error(error)
  }

  override render(): ReactNode {
    const { error, attempt } = this.state
    if (error !== null && this.props.inPlace !== true) return <MishapPage error={error} />
    if (error === null) return <Attempt value={attempt}>{this.props.children}</Attempt>
    return (
      <div className={style['missing']} role="alert">
        <Said error={error} />
        <pre className={style['detail']}>{error.message}</pre>
        <div className={style['row']}>
          <PlainButton small onClick={() => this.setState({ error: null, attempt: Symbol('attempt') })}>
            <Trans>Try again</Trans>
          </PlainButton>
          <PlainButton small onClick={() => location.reload()}>
            <Trans>Reload</Trans>
          </PlainButton>
        </div>
      </div>
    )
  }
}

/** A part of a page that is loaded when it is shown. An error in it does not affect the rest of the page. */
export function PartOfPage({ children }: { children: ReactNode }) {
  return (
    <Mishap inPlace>
      <Suspense>{children}</Suspense>
    </Mishap>
  )
}

function Said({ error }: { error: Error }) {
  return (
    <p>
      {isChunkError(error) ? (
        <Trans>The network is slow or gone, or a newer version was installed. What you changed is saved on this device.</Trans>
      ) : (
        <Trans>What you changed is saved on this device. Reloading usually helps; the detail below helps whoever mends it.</Trans>
      )}
    </p>
  )
}

/** A whole page that says what failed. */
export function MishapPage({ error }: { error: Error }) {
  return (
    <main className={style['mishap']} role="alert">
      <h1>
        {isChunkError(error) ? <Trans>A part of the app could not be loaded</Trans> : <Trans>Something went wrong on this page</Trans>}
      </h1>
      <Said error={error} />
      <pre className={style['detail']}>{error.message}</pre>
      <div className={style['row']}>
        <PlainButton primary onClick={() => location.reload()}>
          <Trans>Reload</Trans>
        </PlainButton>
        <PlainButton href="/workspace/recent">
          <Trans>To the workspace</Trans>
        </PlainButton>
      </div>
    </main>
  )
}
