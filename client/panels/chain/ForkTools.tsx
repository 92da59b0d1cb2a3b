// A fork in the inspector: what is recorded of the real chain, and recording it through a node that the server's operator provides.
import { CloudDownloadOutlined } from '@ant-design/icons'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Button, Select } from 'antd'
import { useId, useState } from 'react'
import { setField } from '../../../model-schema/edit.ts'
import { plainModel } from '../../../model-schema/model.ts'
import type { Element } from '../../../model-schema/model.ts'
import { recordingOf } from '../../../sim-engine/recordings.ts'
import { useIdentity } from '../../account/identity.ts'
import { ApiError, server } from '../../api.ts'
import { scenarioOf } from '../../editor/grammar.ts'
import { useEditor } from '../../editor/useEditor.ts'
import { useWords } from '../../i18n/locale.ts'
import type { Session } from '../../session.ts'
import { wordsOfError } from '../../ui/notices.ts'
import { useOpenSession } from '../session.ts'
import { useRecorder, type RecorderView } from './useRecorder.ts'
import './chain.css'

export function ForkTools({ element }: { element: Element }) {
  const session = useOpenSession()
  const editor = useEditor()
  return (
    <div className="h-fork">
      <Recorded element={element} />
      {session !== null && editor.writable && <Recorder element={element} session={session} />}
    </div>
  )
}

/** What is recorded, and whether it was compared with the block. */
function Recorded({ element }: { element: Element }) {
  const { i18n } = useLingui()
  const found = recordingOf(element)
  if (found === null)
    return (
      <p className="h-fork-state">
        <Trans>Nothing of the real chain is recorded yet.</Trans>
      </p>
    )
  const { block, accounts, slots, isVerified } = found.recording
  const number = new Intl.NumberFormat(i18n.locale).format(block.number)
  const count = [...slots.values()].reduce((sum, { size }) => sum + size, 0)
  return (
    <p className="h-fork-state" data-verified={isVerified || undefined}>
      <b>
        <Trans>Recorded at block {number}</Trans>
      </b>
      <span>
        <Plural value={accounts.size} one="# account" other="# accounts" />
        {', '}
        <Plural value={count} one="# slot" other="# slots" />
      </span>
      <span>
        {isVerified ? <Trans>Verified against the block’s state root</Trans> : <Trans>Not verified: the node gave no proofs</Trans>}
      </span>
    </p>
  )
}

async function nodesFor(file: string) {
  try {
    return (await (await server.chain.nodes.$get({ query: { file } })).json()).nodes
  } catch (error) {
    // A file that the server does not have yet, or that others may edit: no nodes for it.
    if (error instanceof ApiError && (error.code === 'not-found' || error.code === 'no-permission')) return []
    throw error
  }
}

/** Errors of a node are sent by the server in English, after the translated message. */
const said = (error: unknown): string =>
  error instanceof ApiError && (error.code === 'node-failed' || error.code === 'address-refused')
    ? `${wordsOfError(error)} (${error.message.replace(/^[a-z-]+: /, '')})`
    : wordsOfError(error)

function Recorder({ element, session }: { element: Element; session: Session }) {
  const { t } = useLingui()
  const { me } = useIdentity()
  const editor = useEditor()
  const id = useId()
  const file = session.docId
  const may = me !== null && !session.target.local
  const { data: nodes = [], isPending } = useQuery({
    queryKey: ['chain-nodes', file],
    queryFn: () => nodesFor(file),
    enabled: may,
    retry: 1,
  })
  const [chosen, setChosen] = useState<string | null>(null)
  const chain = element.fields['chain'] === 'bsc' ? 'bsc' : 'ethereum'
  const fitting = nodes.filter(one => one.chain === chain).map(({ name }) => name)
  const written = typeof element.fields['node'] === 'string' ? element.fields['node'].trim() : ''
  const node = chosen ?? fitting.find(name => name === written) ?? fitting[0] ?? null
  const block = typeof element.fields['startBlock'] === 'number' ? element.fields['startBlock'] : 0
  const { view, record, stop } = useRecorder(
    async body => {
      const answer = await server.chain.nodes[':name'].calls.$post({ param: { name: node ?? '' }, json: { file, calls: JSON.parse(body) } })
      return answer.json()
    },
    said,
    text => setField(editor.doc, element.id, 'recording', text),
  )
  if (!may || (!isPending && fitting.length === 0))
    return (
      <p className="h-fork-hint">
        <Trans>
          This server provides no node for it, or the model is on this device only. Record it on the command line: holarchy chain record
          FILE --endpoint URL
        </Trans>
      </p>
    )
  const begin = (): void =>
    record({ model: plainModel(editor.model), scenario: scenarioOf(editor.model, element.id) ?? '', chain: element.id, block, runs: 1 })
  return (
    <>
      <div className="h-fork-record">
        {fitting.length > 1 && (
          <>
            <label className="h-visually-hidden" htmlFor={id}>
              {t`Node that is read`}
            </label>
            <Select
              id={id}
              value={node}
              options={fitting.map(value => ({ value, label: value }))}
              disabled={view.is === 'recording'}
              onChange={setChosen}
            />
          </>
        )}
        {view.is === 'recording' ? (
          <Button onClick={stop}>
            <Trans>Stop recording</Trans>
          </Button>
        ) : (
          <Button icon={<CloudDownloadOutlined aria-hidden />} disabled={node === null || block === 0} onClick={begin}>
            {recordingOf(element) === null ? <Trans>Record</Trans> : <Trans>Record again</Trans>}
          </Button>
        )}
      </div>
      <Progress view={view} needsBlock={block === 0} />
    </>
  )
}

function Progress({ view, needsBlock }: { view: RecorderView; needsBlock: boolean }) {
  const words = useWords()
  return (
    <p className="h-fork-hint" role="status" data-failed={view.is === 'failed' || view.is === 'problems' || undefined}>
      {view.is === 'recording' ? (
        <Plural value={view.requests} one="# request to the node so far…" other="# requests to the node so far…" />
      ) : view.is === 'failed' ? (
        <Trans>Nothing was recorded: {words(view.words)}</Trans>
      ) : view.is === 'problems' ? (
        <Trans>Nothing was recorded, since the model cannot run: {words(view.problems[0]!.message)}</Trans>
      ) : view.is === 'recorded' && view.problem !== null ? (
        <Trans>Recorded, but the run failed: {words(view.problem.message)}</Trans>
      ) : view.is === 'recorded' ? (
        <Trans>A run of the scenario finds everything that it reads. Runs need no network from now on.</Trans>
      ) : needsBlock ? (
        <Trans>Give the start block first.</Trans>
      ) : (
        <Trans>Makes a run, and records what it reads of the real chain.</Trans>
      )}
    </p>
  )
}
