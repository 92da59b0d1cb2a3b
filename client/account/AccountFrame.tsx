// The page around sign-in forms: the form, language and theme, and on wide screens a picture of the product's subject.
import type { ReactNode } from 'react'
import { Logo } from '../ui/Logo.tsx'
import { LanguageMenu, ThemeMenu } from '../ui/Choices.tsx'
import style from './account.module.css'

export function AccountFrame({ title, lead, children }: { title: string; lead: string; children: ReactNode }) {
  return (
    <div className={style['frame']}>
      <div className={style['main']}>
        <header className={style['top']}>
          <Logo />
          <LanguageMenu />
          <ThemeMenu />
        </header>
        <main className={style['body']}>
          <h1>{title}</h1>
          <p className={style['lead']}>{lead}</p>
          {children}
        </main>
      </div>
      <aside className={style['side']} aria-hidden="true">
        <Holons />
      </aside>
    </div>
  )
}

/** Wholes that are parts of wholes. */
function Holons() {
  const ring = (x: number, y: number, r: number, n: number, size: number, turn: number): ReactNode =>
    Array.from({ length: n }, (_, i) => {
      const angle = turn + (i / n) * 2 * Math.PI
      return (
        <circle
          key={`${x}-${r}-${i}`}
          cx={x + r * Math.cos(angle)}
          cy={y + r * Math.sin(angle)}
          r={size}
          fill="currentColor"
          stroke="none"
        />
      )
    })
  return (
    <svg viewBox="0 0 600 600" fill="none" stroke="currentColor" strokeWidth="1.5">
      <circle cx="300" cy="300" r="270" opacity=".35" />
      <circle cx="218" cy="262" r="142" opacity=".6" />
      <circle cx="424" cy="378" r="104" opacity=".6" />
      <circle cx="392" cy="170" r="62" opacity=".6" />
      <circle cx="218" cy="430" r="38" opacity=".6" />
      <circle cx="176" cy="228" r="56" />
      <circle cx="268" cy="312" r="46" />
      <circle cx="250" cy="176" r="24" />
      <circle cx="400" cy="398" r="40" />
      <circle cx="470" cy="346" r="26" />
      <g opacity=".9">
        {ring(176, 228, 32, 7, 4.5, 0.2)}
        {ring(268, 312, 24, 5, 4.5, 0.7)}
        {ring(250, 176, 9, 3, 3.5, 0.4)}
        {ring(400, 398, 20, 6, 4, 0.1)}
        {ring(470, 346, 11, 3, 3.5, 1)}
        {ring(392, 170, 34, 8, 4, 0.3)}
        {ring(218, 430, 16, 4, 3.5, 0.2)}
      </g>
      <path d="M232 238 252 270M306 330l58 52M440 390l12-26M264 196l80-18" opacity=".5" strokeDasharray="3 6" />
    </svg>
  )
}
