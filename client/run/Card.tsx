// The frame around everything live on a canvas or dashboard: title, a few actions, the body. Its head stays free of
// controls of its own so that an editor can drag the card by it.
import { MoreOutlined } from '@ant-design/icons'
import { useLingui } from '@lingui/react/macro'
import { Button, Dropdown, type MenuProps } from 'antd'
import type { ReactNode } from 'react'
import './cards.css'

type Props = {
  title: string
  /** Buttons shown while the card is pointed at or focused. */
  actions?: ReactNode
  menu?: MenuProps['items']
  children: ReactNode
  className?: string
}

export function Card({ title, actions, menu, children, className = '' }: Props) {
  const { t } = useLingui()
  return (
    <section className={`h-card ${className}`} aria-label={title}>
      <header className="h-card-head">
        <h3 className="h-card-title" title={title}>
          {title}
        </h3>
        <div className="h-card-actions" onPointerDown={event => event.stopPropagation()}>
          {actions}
          {menu && (
            <Dropdown menu={{ items: menu }} trigger={['click']} placement="bottomRight">
              <Button type="text" size="small" icon={<MoreOutlined aria-hidden />} aria-label={t`More actions for ${title}`} />
            </Dropdown>
          )}
        </div>
      </header>
      <div className="h-card-body">{children}</div>
    </section>
  )
}

/** The text of a card while it has nothing to show. */
export function CardHint({ children, action }: { children: ReactNode; action?: ReactNode }) {
  return (
    <div className="h-card-hint">
      <span>{children}</span>
      {action && <div onPointerDown={event => event.stopPropagation()}>{action}</div>}
    </div>
  )
}
