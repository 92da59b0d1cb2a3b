// One line for each colleague in the document who talks with the copilot, or for whom it prepares a change.
import { RobotOutlined } from '@ant-design/icons'
import { Trans } from '@lingui/react/macro'
import { useStore } from 'zustand'
import type { Session } from '../session.ts'

/** People who are named. */
const NAMED = 3

export function Others({ session }: { session: Session }) {
  const peers = useStore(session.peers, state => state.peers)
  const working = peers.filter(({ self, copilot }) => !self && copilot !== null)
  return (
    <div className="h-guide-others" role="status">
      {working.slice(0, NAMED).map(({ client, name, copilot }) => (
        <p key={client} className="h-guide-hint">
          <RobotOutlined aria-hidden />{' '}
          {copilot === 'preparing' ? (
            <Trans>The copilot of {name} is preparing a change.</Trans>
          ) : (
            <Trans>{name} is talking with the copilot.</Trans>
          )}
        </p>
      ))}
    </div>
  )
}
