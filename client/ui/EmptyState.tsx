import type { ReactNode } from 'react'
import style from './ui.module.css'

type Props = { title: string; text: string; action?: ReactNode; /** Shows what will be here (`Drawing.tsx`). */ drawing?: ReactNode }

/** The content of an empty place: one sentence that explains, one action. */
export function EmptyState({ title, text, action, drawing = <Mark /> }: Props) {
  return (
    <section className={style['empty']}>
      {drawing}
      <h2>{title}</h2>
      <p>{text}</p>
      {action}
    </section>
  )
}

function Mark() {
  return (
    <svg
      className={style['emptyMark']}
      width="56"
      height="56"
      viewBox="0 0 56 56"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      aria-hidden="true"
    >
      <circle cx="28" cy="28" r="25" strokeDasharray="4 5" />
      <circle cx="20" cy="28" r="9" />
      <circle cx="39" cy="28" r="6" />
    </svg>
  )
}
