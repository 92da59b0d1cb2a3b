// A number of an answer that a run gave: it leads to the run - what was measured, with its interval, by which seeds and how many runs - and makes it again.
import { Trans, useLingui } from '@lingui/react/macro'
import { Button, Popover } from 'antd'
import { useState } from 'react'
import { digestOfResult, type Measured, type ToolPart } from './figures.ts'
import type { Session } from '../session.ts'
import { talkOf } from './talk.ts'
import type { ModelTurn } from './turns.ts'
import { plainOf, wordsOfTool } from './words.ts'

type Props = { text: string; by: Measured; session: Session }

export function Evidence({ text, by, session }: Props) {
  const { t } = useLingui()
  return (
    <Popover
      trigger="click"
      destroyOnHidden
      title={wordsOfTool(by.part.name, plainOf(by.part.given))}
      content={<Run by={by} session={session} />}
    >
      <button type="button" className="h-guide-figure" title={t`The run that gave this number`}>
        {text}
      </button>
    </Popover>
  )
}

function Run({ by: { of, part, turn }, session }: Omit<Props, 'text'>) {
  const { t } = useLingui()
  const result = plainOf(part.result ?? '')
  const figures = Object.fromEntries(of.figures)
  const { mean, low, high } = figures
  const isInterval = mean !== undefined && low !== undefined && high !== undefined
  const said = [
    result['result'] === undefined ? '' : t`Result ${Number(result['result'])}`,
    typeof result['runs'] === 'number' ? t`${result['runs']} runs` : '',
    typeof result['seeds'] === 'string' ? t`seeds ${result['seeds']}` : '',
    typeof result['seed'] === 'number' ? t`seed ${result['seed']}` : '',
    typeof result['ticks'] === 'number' ? t`${result['ticks']} ticks` : '',
  ].filter(one => one !== '')
  return (
    <div className="h-guide-evidence">
      <dl>
        {isInterval ? (
          <div>
            <dt>{of.name}</dt>
            <dd>
              {mean} <small>{t`95 % interval: ${low} … ${high}`}</small>
            </dd>
          </div>
        ) : (
          of.figures.slice(0, 8).map(([name, value]) => (
            <div key={name}>
              <dt>{[of.name, name].filter(one => one !== '').join(' · ')}</dt>
              <dd>{value}</dd>
            </div>
          ))
        )}
      </dl>
      <p className="h-muted">{said.join(' · ')}</p>
      <RunOfTalk part={part} turn={turn} session={session} />
    </div>
  )
}

/** Makes a run again with the same arguments, and so the same seeds, and says whether the same came. */
export function RunAgain({
  again,
  isSame,
  disabled,
}: {
  again: () => Promise<string>
  isSame: (text: string) => boolean
  disabled?: boolean
}) {
  const [came, setCame] = useState<'running' | 'same' | 'other' | null>(null)
  return (
    <p className="h-guide-hint h-guide-again" role="status">
      <Button
        size="small"
        loading={came === 'running'}
        disabled={disabled === true}
        onClick={() => {
          setCame('running')
          void again().then(text => setCame(isSame(text) ? 'same' : 'other'))
        }}
      >
        <Trans>Run again</Trans>
      </Button>{' '}
      {came === 'same' && <Trans>The same result.</Trans>}
      {came === 'other' && <Trans>Another result: the model is not what it was.</Trans>}
    </p>
  )
}

/** Makes a run of a talk again, with the tools of the talk. */
export function RunOfTalk({ part, turn, session }: { part: ToolPart; turn: ModelTurn; session: Session }) {
  return (
    <RunAgain
      disabled={!turn.end}
      again={async () => (await talkOf(session).toolbox.use(turn.by, part.name, part.given)).text}
      isSame={text => digestOfResult(text) === digestOfResult(part.result ?? '')}
    />
  )
}
