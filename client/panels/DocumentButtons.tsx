// Buttons for what people do around a document: talk about it, look at what it was.
import { CommentOutlined, HistoryOutlined } from '@ant-design/icons'
import { useLingui } from '@lingui/react/macro'
import { Button, Tooltip } from 'antd'
import type { Session } from '../session.ts'
import { besideOf, useBeside } from './beside.ts'

export function DocumentButtons({ session }: { session: Session }) {
  const { t } = useLingui()
  const side = useBeside(session, beside => beside.side)
  const on = side === 'comments'
  return (
    <>
      <Tooltip title={t`Version history`}>
        <Button
          type="text"
          icon={<HistoryOutlined />}
          aria-label={t`Version history`}
          onClick={() => besideOf(session).setState({ history: true })}
        />
      </Tooltip>
      <Tooltip title={t`Comments`}>
        <Button
          type="text"
          icon={<CommentOutlined />}
          aria-label={t`Comments`}
          aria-pressed={on}
          onClick={() => besideOf(session).setState({ side: on ? 'properties' : 'comments' })}
        />
      </Tooltip>
    </>
  )
}
