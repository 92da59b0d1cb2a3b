// In a thread of comments: the heading of a reply that the copilot wrote, and the state of a question that it has not answered yet.
import { LoadingOutlined, RobotOutlined } from '@ant-design/icons'
import { Trans, useLingui } from '@lingui/react/macro'
import { Button } from 'antd'
import { Fragment, lazy, Suspense } from 'react'
import { useStore } from 'zustand'
import { answeringIn, askedIn } from '../copilot/asked.ts'
import { Chip, cited } from '../copilot/Chip.tsx'
import { useProposals } from '../copilot/proposals/review.ts'
import { besideOf } from '../panels/beside.ts'
import type { Session } from '../session.ts'
import { complain } from '../ui/toast.ts'
import type { Comments } from './comments.ts'
import { asksIn, nodesOf, wordsOf, type ByCopilot, type Thread } from './threads.ts'

const CitedRuns = lazy(() => import('./CitedRuns.tsx'))

/** Has the copilot answer what this person asked last in a thread. */
async function askCopilot(session: Session, comments: Comments, thread: string): Promise<void> {
  const { answerIn } = await import('../copilot/answering.ts')
  await answerIn(session, comments, thread)
}

/** Asks it when a comment that was just written does. */
export function askIfMentioned(session: Session, comments: Comments, thread: string, body: string): void {
  if (asksIn(body)) askCopilot(session, comments, thread).catch(complain)
}

type AnswerProps = { session: Session; body: string; copilot: ByCopilot }

/** An answer: text, with the elements that it names by their ids, and the way to what it suggests. */
export function CopilotAnswer({ session, body, copilot }: AnswerProps) {
  const lines = wordsOf(nodesOf(body)).split('\n')
  return (
    <div className="h-comment-text">
      {lines.map((line, at) => (
        // Lines of an answer never change.
        // eslint-disable-next-line react/no-array-index-key
        <p key={at}>
          {line.split(cited).map((piece, index) =>
            // eslint-disable-next-line react/no-array-index-key
            index % 2 === 1 ? <Chip key={index} id={piece} session={session} /> : <Fragment key={index}>{piece}</Fragment>,
          )}
        </p>
      ))}
      {copilot.runs && (
        <Suspense>
          <CitedRuns runs={copilot.runs} by={copilot.by ?? ''} session={session} />
        </Suspense>
      )}
      {copilot.proposal !== null && <Suggested session={session} id={copilot.proposal} />}
    </div>
  )
}

function Suggested({ session, id }: { session: Session; id: string }) {
  const { proposals } = useProposals(session)
  const proposal = proposals.find(one => one.id === id)
  if (!proposal)
    return (
      <p className="h-muted">
        <Trans>What it suggested has been decided on.</Trans>
      </p>
    )
  const { title } = proposal
  return (
    <Button size="small" onClick={() => besideOf(session).setState({ side: 'copilot' })}>
      <Trans>Show the proposal: {title}</Trans>
    </Button>
  )
}

/** Of a question that has no answer yet: that it is being answered, or why not. */
export function Asked({ session, comments, thread }: { session: Session; comments: Comments; thread: Thread }) {
  const { t } = useLingui()
  const now = useStore(answeringIn(session), all => all[thread.id])
  if (now && 'stop' in now)
    return (
      <p className="h-muted h-asked" role="status">
        <LoadingOutlined aria-hidden />
        <span>
          <Trans>The copilot is answering…</Trans>
        </span>
        <Button size="small" type="link" onClick={now.stop}>
          <Trans>Stop</Trans>
        </Button>
      </p>
    )
  if (!askedIn(thread, comments.me.id)) return null
  return (
    <p className="h-muted h-asked" role={now ? 'alert' : undefined}>
      <RobotOutlined aria-hidden />
      <span>{now ? now.failed : t`The copilot has not answered this.`}</span>
      <Button size="small" type="link" onClick={() => void askCopilot(session, comments, thread.id).catch(complain)}>
        <Trans>Ask again</Trans>
      </Button>
    </p>
  )
}
