// Buttons for what people do around a document: talk about it, look at what it was.
import { CommentOutlined, HistoryOutlined } from '@ant-design/icons'
import { useLingui } from '@lingui/react/macro'
import { Badge, Button, Tooltip } from 'antd'
import { useStore } from 'zustand'
import { commentsOf } from '../comments/comments.ts'
import type { Session } from '../session.ts'
import { besideOf, useBeside } from './beside.ts'

export function DocumentButtons({ session }: { session: Session }) {
  const { t } = useLingui()
  const side = useBeside(session, beside => beside.side)
  const on = side === 'comments'
  const unread = useStore(commentsOf(session).state, talk => talk.unread.size)
  return (
    <>
      <Tooltip title={t`Version history`}>
        <Button
          type="text"
          icon={<HistoryOutlined aria-hidden />}
          aria-label={t`Version history`}
          onClick={() => besideOf(session).setState({ history: true })}
        />
      </Tooltip>
      <Tooltip title={t`Comments`}>
        <Button
          type="text"
          icon={
            <Badge dot={unread > 0} offset={[-1, 2]} color="var(--h-accent)">
              <CommentOutlined aria-hidden />
            </Badge>
          }
          aria-label={unread > 0 ? t`Comments, ${unread} unread` : t`Comments`}
          aria-pressed={on}
          onClick={() => besideOf(session).setState({ side: on ? 'properties' : 'comments' })}
        />
      </Tooltip>
    </>
  )
}
