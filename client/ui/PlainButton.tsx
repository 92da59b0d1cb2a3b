import type { ReactNode } from 'react'
import style from './ui.module.css'

type Props = { children?: ReactNode; primary?: boolean; small?: boolean } & ({ onClick: () => void } | { href: string } | { submit: true })

/** A button for where Ant Design is not loaded yet, or may be what failed. Looks the same. */
export function PlainButton(props: Props) {
  const { children, primary = false, small = false } = props
  const look = { className: style['button'], 'data-primary': primary || undefined, 'data-small': small || undefined }
  return 'href' in props ? (
    <a {...look} href={props.href}>
      {children}
    </a>
  ) : (
    <button {...look} type={'submit' in props ? 'submit' : 'button'} {...('onClick' in props ? { onClick: props.onClick } : {})}>
      {children}
    </button>
  )
}
