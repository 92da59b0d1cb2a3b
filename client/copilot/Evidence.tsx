// A number of an answer that a run gave: it leads to the run - what was measured, with its interval, by which seeds and how many runs - and makes it again.
import { Trans, useLingui } from '@lingui/react/macro'
import { Button, Popover } from 'antd'
import { useState } from 'react'
import type { Measured, ToolPart } from './figures.ts'
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
      <RunAgain part={part} turn={turn} session={session} />
    </div>
  )
}

/** Executes a run again with the same arguments, and so the same seeds. */
export function RunAgain({ part, turn, session }: { part: ToolPart; turn: ModelTurn; session: Session }) {
  const [came, setCame] = useState<{ ok: boolean; text: string } | 'running' | null>(null)
  return (
    <p className="h-guide-hint h-guide-again" role="status">
      <Button
        size="small"
        loading={came === 'running'}
        disabled={!turn.end}
        onClick={() => {
          setCame('running')
          void talkOf(session).toolbox.use(turn.by, part.name, part.given).then(setCame)
        }}
      >
        <Trans>Run again</Trans>
      </Button>{' '}
      {came === null || came === 'running' ? null : isSame(came.text, part.result) ? (
        <Trans>The same result.</Trans>
      ) : (
        <Trans>Another result: the model is not what it was.</Trans>
      )}
    </p>
  )
}

/** Results are numbered within a session of the tools: the number is no part of what came. */
function isSame(text: string, before: string | null): boolean {
  const [one, other] = [plainOf(text), plainOf(before ?? '')]
  return text === before || JSON.stringify({ ...one, result: 0 }) === JSON.stringify({ ...other, result: 0 })
}
