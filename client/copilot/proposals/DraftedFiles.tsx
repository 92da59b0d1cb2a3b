// The files that a proposal suggests about the model: new ones are made by a press, changes of others are handed to those; both are opened from here.
import { ArrowRightOutlined, CheckOutlined, CloseOutlined } from '@ant-design/icons'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useNavigate } from '@tanstack/react-router'
import { Button } from 'antd'
import { useState } from 'react'
import { draftKinds, rootKindOf, type DraftKind, type FileDraft } from '../../../model-schema/file-drafts.ts'
import { kindOf } from '../../../model-schema/kinds.ts'
import { decide, verdictsOn, type Proposal } from '../../../model-schema/proposals.ts'
import { useWords } from '../../i18n/locale.ts'
import type { Session } from '../../session.ts'
import { complain } from '../../ui/toast.ts'
import { openBeside } from '../files/handed.ts'
import { fileIdOf, pathOfFile, takeFile } from './related.ts'

type Props = { session: Session; proposal: Proposal; writable: boolean }

/** The files of a proposal that are neither accepted nor rejected. */
export const openFilesOf = ({ doc }: Session, proposal: Proposal): FileDraft[] => {
  const verdicts = verdictsOn(doc, proposal)
  return (proposal.files ?? []).filter(({ id }) => verdicts.get(id) === 'open')
}

export function DraftedFiles({ session, proposal, writable }: Props) {
  const { t } = useLingui()
  const verdicts = verdictsOn(session.doc, proposal)
  if (!proposal.files) return null
  return (
    <ul aria-label={t`Files`}>
      {proposal.files.map(file => (
        <One
          key={file.id}
          session={session}
          proposal={proposal}
          writable={writable}
          file={file}
          verdict={verdicts.get(file.id) ?? 'open'}
        />
      ))}
    </ul>
  )
}

function One({ session, proposal, writable, file, verdict }: Props & { file: FileDraft; verdict: 'open' | 'taken' | 'rejected' }) {
  const { t } = useLingui()
  const words = useWords()
  const navigate = useNavigate()
  const [busy, setBusy] = useState(false)
  const [why, setWhy] = useState<string | null>(null)
  const { kind, name, content } = file
  const isNew = content.is === 'new'
  const open = async (): Promise<void> => {
    if (!isNew) openBeside(fileIdOf(file))
    await navigate({ to: await pathOfFile(session, kind, fileIdOf(file)) })
  }
  const take = async (): Promise<void> => {
    setBusy(true)
    try {
      const now = await takeFile(session, proposal, file)
      setWhy(now)
      if (now === null && !isNew) await open()
    } finally {
      setBusy(false)
    }
  }
  return (
    <li data-sort={isNew ? 'added' : 'changed'} data-standing={verdict}>
      <span className="h-proposal-sign" role="img" aria-label={isNew ? t`New file` : t`Changed file`}>
        {isNew ? '+' : '~'}
      </span>
      <span className="h-proposal-what">
        <span>{name}</span>
        <small>
          {words(labelOf(kind))} · <Parts file={file} />
        </small>
        {why !== null && <small role="alert">{why}</small>}
      </span>
      {verdict === 'taken' ? (
        <Button size="small" type="link" onClick={() => void open().catch(complain)} aria-label={t`Open ${name}`}>
          <Trans>Open</Trans>
        </Button>
      ) : (
        writable && (
          <>
            <Button
              size="small"
              type="text"
              icon={isNew ? <CheckOutlined aria-hidden /> : <ArrowRightOutlined aria-hidden />}
              loading={busy}
              aria-label={isNew ? t`Make ${name}` : t`Look at the changes of ${name}`}
              title={isNew ? undefined : t`They are taken in one by one where the file is edited`}
              onClick={() => void take().catch(complain)}
            />
            <Button
              size="small"
              type="text"
              icon={<CloseOutlined aria-hidden />}
              aria-label={verdict === 'rejected' ? t`Reopen ${name}` : t`Reject ${name}`}
              aria-pressed={verdict === 'rejected'}
              onClick={() => decide(session.doc, proposal, file.id, verdict === 'rejected' ? null : 'rejected')}
            />
          </>
        )
      )}
    </li>
  )
}

function Parts({ file: { content } }: { file: FileDraft }) {
  return content.is === 'change' ? (
    <Plural value={content.deltas.length} one="# change" other="# changes" />
  ) : (
    <Plural value={partsOf(content.elements)} one="# part" other="# parts" />
  )
}

/** What people see of it: not the file itself nor its run. */
const partsOf = (elements: (FileDraft['content'] & { is: 'new' })['elements']): number =>
  Object.values(elements).filter(({ kind }) => kind !== 'association' && !draftKinds.some(one => rootKindOf[one] === kind)).length

const labelOf = (kind: DraftKind) => kindOf(rootKindOf[kind])!.label
