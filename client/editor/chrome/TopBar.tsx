// The bar above the model: that of every document, with the run in its middle; clicking a person follows them.
import { useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { say } from '../../../model-schema/words.ts'
import { useWords } from '../../i18n/locale.ts'
import { DocumentButtons } from '../../panels/DocumentButtons.tsx'
import { RunBar } from '../../run/bar/RunBar.tsx'
import type { Peer, Session } from '../../session.ts'
import { DocumentBar, type PersonAction } from '../../ui/documentbar/DocumentBar.tsx'
import { command, type CommandId } from '../commands.ts'
import { keyText } from '../strokes.ts'
import { isMac } from '../keyboard.ts'
import { useEditor, useScope, useView } from '../useEditor.ts'
import { itemsOf, type Row } from './commands/ContextMenu.tsx'
import { useCover } from './useCover.ts'
import { useFollow } from './useFollow.ts'
import { useReports } from './useReports.tsx'

type Props = {
  session: Session
  title: string
  onRename?: ((title: string) => void) | undefined
  backTo: string
  share?: ReactNode
  narrow: boolean
  onProblems: () => void
}

const pictures: Row = { key: 'pictures', label: say('Save a picture'), commands: ['exportPng', 'exportJpeg', 'exportSvg', 'print'] }
const panels: Row = { key: 'panels', label: say('View'), commands: ['fullScreen', 'toggleLeft', 'toggleRight', 'toggleBottom'] }
const groups: readonly (readonly Row[])[] = [
  ['comment', 'copilot', 'history'],
  ['experiment'],
  ['find', 'replace'],
  ['download', pictures, 'setCover'],
  [panels],
]

const keyOf = (id: CommandId): string => keyText(command(id).keys[0] ?? '', isMac)
const keys = { undo: keyOf('undo'), redo: keyOf('redo') }

export function TopBar({ session, narrow, onProblems, ...rest }: Props) {
  const { t } = useLingui()
  const editor = useEditor()
  const scope = useScope()
  const words = useWords()
  const following = useView(view => view.following)
  useReports()
  useCover(session, !narrow)
  const person = ({ client, name }: Peer): PersonAction => {
    const on = client === following
    return {
      label: on ? t`Stop following ${name}` : t`Follow ${name}`,
      pressed: on,
      act: () => editor.view.setState({ following: on ? null : client }),
    }
  }
  return (
    <>
      <Follower session={session} />
      <DocumentBar
        {...rest}
        session={session}
        narrow={narrow}
        middle={narrow ? undefined : <RunBar onShow={(id, field) => editor.reveal(id, field)} onProblems={onProblems} />}
        tools={narrow ? undefined : <DocumentButtons session={session} />}
        keys={keys}
        person={person}
        menu={() => itemsOf(groups, scope, words)}
        learn={lesson => editor.view.setState({ lesson })}
      />
    </>
  )
}

/** Apart from the bar, which need not be rendered with every move of the followed person. */
function Follower({ session }: { session: Session }) {
  useFollow(session)
  return null
}
