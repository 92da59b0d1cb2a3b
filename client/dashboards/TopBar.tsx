// The line above a dashboard: that of every document, with the mode; a click on somebody goes to the card they have selected.
import type { ReactNode } from 'react'
import type { Peer, Session } from '../session.ts'
import { DocumentBar, type PersonAction } from '../ui/DocumentBar.tsx'
import { reveal } from './Grid.tsx'

type Props = {
  session: Session
  title: string
  onRename?: ((title: string) => void) | undefined
  backTo: string
  share?: ReactNode
  narrow: boolean
  modes: ReactNode
}

const person = ({ name, selection: [card] }: Peer): PersonAction => ({ label: name, act: () => card !== undefined && reveal(card) })

export function TopBar({ modes, ...rest }: Props) {
  return <DocumentBar {...rest} tools={modes} person={person} />
}
