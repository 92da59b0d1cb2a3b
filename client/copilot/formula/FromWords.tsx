// The button of a formula field with which a formula is asked for in words, and what came of it: it is written into the field only when it is taken.
import { LoadingOutlined, StopOutlined } from '@ant-design/icons'
import { Trans, useLingui } from '@lingui/react/macro'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Button, Input, Popover } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { useStore } from 'zustand'
import type { Field } from '../../../model-schema/kinds/kind.ts'
import type { Element } from '../../../model-schema/model.ts'
import { useIdentity } from '../../account/identity.ts'
import { useEditor } from '../../editor/useEditor.ts'
import type { Session } from '../../session.ts'
import type { Within } from '../../panels/fields/control.ts'
import { complain } from '../../ui/toast.ts'
import { writeFormula, type Written } from './formulas.ts'
import { choice, useModels, type ModelInfo } from '../models.ts'
import { Toolbox } from '../toolbox.ts'
import { callServer } from '../wire.ts'
import { wordsOfEnd } from '../words.ts'
import './from-words.css'

/** `within`: of a cell, the table it is in. */
type Props = { session: Session; element: Element; field: Field; within: Within | undefined; write: (text: string) => void }

export default function FromWords({ session, element, field, within, write }: Props) {
  const { t } = useLingui()
  const [open, setOpen] = useState(false)
  const label = t`Write from words`
  return (
    <Popover
      trigger="click"
      placement="leftTop"
      open={open}
      onOpenChange={setOpen}
      destroyOnHidden
      title={label}
      content={
        <Asking
          session={session}
          element={element}
          field={field}
          within={within}
          take={text => {
            setOpen(false)
            write(text)
          }}
        />
      }
    >
      <Button
        size="small"
        type="text"
        className="h-field-tool h-write"
        // No stop on the way to the next field: F2 in this one asks for it.
        tabIndex={-1}
        aria-label={label}
        aria-keyshortcuts="F2"
        title={`${label} (F2)`}
        icon={<Sparkle />}
      />
    </Popover>
  )
}

const Sparkle = () => (
  <svg width="13" height="13" viewBox="0 0 13 13" aria-hidden>
    <path
      d="M5.5 1.5 6.7 5.3 10.5 6.5 6.7 7.7 5.5 11.5 4.3 7.7 .5 6.5 4.3 5.3ZM10.5.7v3.6M8.7 2.5h3.6"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.1"
      strokeLinejoin="round"
    />
  </svg>
)

type AskingProps = Omit<Props, 'write'> & { take: (text: string) => void }

function Asking({ session, ...props }: AskingProps) {
  const { t } = useLingui()
  const example = t`For example: a third of the patients in the ward`
  const models = useModels(session)
  const chosen = useStore(choice)
  const { me } = useIdentity()
  const [first] = models.data?.providers ?? []
  const to = models.data?.providers.find(({ id }) => id === chosen.model) ?? first
  if (to) return <Form session={session} to={to} file={models.data?.file} {...props} />
  return (
    <div className="h-from-words">
      <Input.TextArea disabled autoSize={{ minRows: 2 }} aria-label={example} placeholder={example} />
      <p className="h-muted">
        {models.isLoading ? (
          <Trans>Looking…</Trans>
        ) : me === null ? (
          <Link to="/login">
            <Trans>Sign in to ask a language model</Trans>
          </Link>
        ) : models.isError ? (
          <Trans>The server cannot be reached. The guide works without a network.</Trans>
        ) : (
          <>
            <Trans>This takes a language model, and none is connected.</Trans>{' '}
            <Link to="/account/copilot">
              <Trans>Connect a language model…</Trans>
            </Link>
          </>
        )}
      </p>
    </div>
  )
}

type FormProps = AskingProps & { to: ModelInfo; file: string | undefined }

function Form({ session, element, field, within, take, to, file }: FormProps) {
  const { t } = useLingui()
  const editor = useEditor()
  const queries = useQueryClient()
  const [words, setWords] = useState('')
  const [came, setCame] = useState<Written | 'asking' | null>(null)
  const asking = useRef<AbortController | null>(null)
  useEffect(() => () => asking.current?.abort(), [])
  const ask = async (): Promise<void> => {
    const { signal } = (asking.current = new AbortController())
    const toolbox = new Toolbox(session)
    const stop = (): void => toolbox.stop()
    signal.addEventListener('abort', stop)
    setCame('asking')
    try {
      const { canvas } = editor.view.getState()
      const chosen = { id: to.id, label: to.label, mode: 'ask' as const, ...(file === undefined ? {} : { file }) }
      setCame(await writeFormula({ element, field, within, words: words.trim(), canvas }, chosen, { toolbox, call: callServer }, signal))
    } catch (error) {
      setCame(null)
      complain(error)
    } finally {
      toolbox.close()
      void queries.invalidateQueries({ queryKey: ['copilot-models'] })
    }
  }
  const isBusy = came === 'asking'
  const placeholder = t`For example: a third of the patients in the ward`
  return (
    <form
      className="h-from-words"
      onSubmit={event => {
        event.preventDefault()
        if (!isBusy && words.trim() !== '') void ask()
      }}
    >
      <Input.TextArea
        autoFocus
        value={words}
        maxLength={1000}
        autoSize={{ minRows: 2, maxRows: 6 }}
        aria-label={t`What the formula is to say`}
        placeholder={placeholder}
        disabled={isBusy}
        onChange={event => setWords(event.target.value)}
        onKeyDown={event => {
          if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
          event.preventDefault()
          event.currentTarget.form?.requestSubmit()
        }}
      />
      <Came came={came} take={take} />
      <div className="h-from-words-foot">
        <small className="h-muted">
          <Trans>by {to.label}, checked before it is shown</Trans>
        </small>
        {isBusy ? (
          <Button size="small" icon={<StopOutlined aria-hidden />} onClick={() => asking.current?.abort()}>
            <Trans>Stop</Trans>
          </Button>
        ) : (
          <Button size="small" htmlType="submit" type={came === null ? 'primary' : 'default'} disabled={words.trim() === ''}>
            {came === null ? <Trans>Write</Trans> : <Trans>Write again</Trans>}
          </Button>
        )}
      </div>
    </form>
  )
}

/** What came of it. Only a formula that passed can be taken. */
function Came({ came, take }: { came: Written | 'asking' | null; take: (text: string) => void }) {
  if (came === null) return null
  if (came === 'asking')
    return (
      <p className="h-muted" role="status">
        <LoadingOutlined aria-hidden /> <Trans>Writing and checking…</Trans>
      </p>
    )
  if ('end' in came) {
    const ended = wordsOfEnd(came.end)
    return (
      <p className="h-muted" role="alert">
        {ended ? ended.text : <Trans>There was no formula in the answer.</Trans>}
      </p>
    )
  }
  if ('refused' in came)
    return (
      <div role="alert">
        <p className="h-muted">
          <Trans>No formula passed the check. The last one:</Trans>
        </p>
        <code dir="ltr">{came.refused}</code>
      </div>
    )
  return (
    <div role="status">
      <code dir="ltr">{came.formula}</code>
      {came.warnings.length > 0 && (
        <p className="h-muted">
          <Trans>It passes the check with a warning.</Trans>
        </p>
      )}
      <Button size="small" type="primary" onClick={() => take(came.formula)}>
        <Trans>Take it</Trans>
      </Button>
    </div>
  )
}
