import type { ReactNode } from 'react'
import { LanguageMenu, ThemeMenu } from '../ui/Choices.tsx'
import { Logo } from '../ui/Logo.tsx'
import style from './routes.module.css'

/** A page of text, with language and colours to choose. */
export function TextPage({ children }: { children: ReactNode }) {
  return (
    <div className={style['page']}>
      <header className={style['top']}>
        <Logo />
        <LanguageMenu />
        <ThemeMenu />
      </header>
      <main className={style['text']}>{children}</main>
    </div>
  )
}
