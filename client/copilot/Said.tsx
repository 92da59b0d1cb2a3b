// One turn of a conversation: the question, the answer of the guide or a language model, and the tools it used.
import { LoadingOutlined } from '@ant-design/icons'
import { Trans, useLingui } from '@lingui/react/macro'
import { Button } from 'antd'
import { useMemo } from 'react'
import { useStore } from 'zustand'
import type { Answer, Line, Question } from '../../sim-engine/copilot/doors/questions.ts'
import { useWords } from '../i18n/locale.ts'
import { Chip, cited } from './Chip.tsx'
import { Evidence, RunOfTalk } from './Evidence.tsx'
import { measuredIn, numbersIn, piecesIn, runningTools, type Measured, type ToolPart } from './figures.ts'
import type { Session } from '../session.ts'
import { onward, talkOf } from './talk.ts'
import { isBusy, isUnfinished, type GuideTurn, type ModelTurn, type Part, type Turn } from './turns.ts'
import { plainOf, wordsOfEnd, wordsOfOutcome, wordsOfTool } from './words.ts'
import { english } from '../../model-schema/words.ts'

type Props = { session: Session; isLast: boolean; again: (text: string) => void; goOn: (() => void) | null }

export function Said({ turn, ...props }: Props & { turn: Turn }) {
  return turn.is === 'guide' ? <OfGuide turn={turn} session={props.session} /> : <OfModel turn={turn} {...props} />
}

function OfGuide({ turn, session }: { turn: GuideTurn; session: Session }) {
  const words = useWords()
  return (
    <>
      <p className="h-guide-asked">{words(turn.asked)}</p>
      {turn.answer ? (
        <>
          <Told answer={turn.answer} session={session} />
          {turn.question && ofRuns.has(turn.question.about) && <AskAgain turn={turn} question={turn.question} session={session} />}
        </>
      ) : turn.ended === 'stopped' ? (
        <p className="h-guide-hint">
          <Trans>Stopped.</Trans>
        </p>
      ) : turn.ended === 'failed' ? (
        <p className="h-guide-hint" role="alert">
          <Trans>The guide could not answer this. The model is as it was.</Trans>
        </p>
      ) : (
        <Looking />
      )}
    </>
  )
}

/** What the guide answers from runs: the same seeds give the same answer, as long as the model is the same. */
const ofRuns: ReadonlySet<Question['about']> = new Set(['run', 'why', 'scenarios', 'what-if', 'replicate', 'matters', 'try'])

function AskAgain({ turn, question, session }: { turn: GuideTurn; question: Question; session: Session }) {
  const talk = talkOf(session)
  const busy = useStore(talk.store, ({ turns }) => isBusy(turns))
  return (
    <p className="h-guide-hint h-guide-again">
      <Button size="small" disabled={busy} onClick={() => talk.ask(turn.asked, question)}>
        <Trans>Run again</Trans>
      </Button>
    </p>
  )
}

const Looking = () => (
  <p className="h-guide-hint">
    <LoadingOutlined aria-hidden /> <Trans>Looking…</Trans>
  </p>
)

function Told({ answer, session }: { answer: Answer; session: Session }) {
  const words = useWords()
  return (
    <div className="h-guide-told">
      {answer.lines.map((one, index) => (
        // Lines of an answer never change.
        // eslint-disable-next-line react/no-array-index-key
        <Sentence key={index} line={one} session={session} />
      ))}
      {answer.next.length > 0 && (
        <div className="h-guide-next">
          {answer.next.map(({ words: said, ask }) => (
            <Button key={english(said)} size="small" onClick={() => talkOf(session).ask(said, ask)}>
              {words(said)}
            </Button>
          ))}
        </div>
      )}
    </div>
  )
}

function Sentence({ line, session }: { line: Line; session: Session }) {
  const words = useWords()
  if (line.heading) return <h3 className="h-guide-part">{words(line.words)}</h3>
  return (
    <p>
      {words(line.words)}{' '}
      {line.cites.slice(0, 6).map(id => (
        <Chip key={id} id={id} session={session} />
      ))}
    </p>
  )
}

function OfModel({ turn, session, isLast, again, goOn }: Props & { turn: ModelTurn }) {
  const { t } = useLingui()
  const ended = turn.end && wordsOfEnd(turn.end)
  const choices = isLast && turn.end?.why === 'asked' ? choicesIn(turn.parts.at(-1)) : []
  const grounds = useGrounds(turn, session)
  const isUnchecked =
    grounds !== null &&
    turn.parts.some(
      part =>
        part.is === 'text' && piecesIn(withoutIds(part.text), grounds.known, grounds.measured).some(piece => piece.is === 'unchecked'),
    )
  return (
    <>
      <p className="h-guide-asked">{turn.asked === onward ? <Trans>Go on</Trans> : turn.asked}</p>
      {turn.told && <Sent text={turn.told} />}
      <div className="h-guide-told" role="group" aria-label={t`Answer of ${turn.by}`}>
        {turn.parts.map((part, index) =>
          part.is === 'text' ? (
            // Parts are only added.
            // eslint-disable-next-line react/no-array-index-key
            <Prose key={index} text={part.text} grounds={grounds} session={session} />
          ) : (
            // eslint-disable-next-line react/no-array-index-key
            <Tool key={index} part={part} turn={turn} session={session} />
          ),
        )}
        {!turn.end && turn.parts.at(-1)?.is !== 'text' && <Looking />}
        {isUnchecked && (
          <p className="h-guide-hint">
            <Trans>Numbers that are underlined stand in no result of this talk: they are not checked.</Trans>
          </p>
        )}
        {choices.length > 0 && (
          <div className="h-guide-next">
            {choices.map(choice => (
              <Button key={choice} size="small" onClick={() => again(choice)}>
                {choice}
              </Button>
            ))}
          </div>
        )}
        {ended && (
          <p className="h-guide-hint" role={turn.end?.why === 'stopped' ? undefined : 'alert'}>
            {ended.text}{' '}
            {isLast && goOn && isUnfinished(turn) && (
              <Button size="small" type="link" onClick={goOn}>
                <Trans>Go on</Trans>
              </Button>
            )}
            {isLast && ended.again && (
              <Button size="small" type="link" onClick={() => again(turn.asked)}>
                <Trans>Ask again</Trans>
              </Button>
            )}
          </p>
        )}
      </div>
    </>
  )
}

/** What went to the model with the question, to be read. */
function Sent({ text }: { text: string }) {
  const { t } = useLingui()
  return (
    <details className="h-guide-tool">
      <summary>
        <span>
          <Trans>What was sent of the model</Trans>
        </span>
      </summary>
      {/* Long ones are scrolled, also by keyboard. */}
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <pre tabIndex={0} dir="ltr" aria-label={t`What was sent of the model`}>
        {text}
      </pre>
    </details>
  )
}

function choicesIn(part: Part | undefined): string[] {
  if (part?.is !== 'tool' || part.name !== 'ask') return []
  const { choices } = plainOf(part.given)
  return Array.isArray(choices) ? choices.filter(one => typeof one === 'string').slice(0, 8) : []
}

type Grounds = { readonly known: readonly number[]; readonly measured: readonly Measured[] }

/** The numbers that a turn rests on, once it is over. */
function useGrounds(turn: ModelTurn, session: Session): Grounds | null {
  const { turns } = useStore(talkOf(session).store)
  return useMemo(() => {
    if (!turn.end) return null
    const before = turns.slice(0, turns.indexOf(turn) + 1)
    return { known: numbersIn(before), measured: measuredIn(before) }
  }, [turn, turns])
}

const withoutIds = (text: string): string =>
  text
    .split(cited)
    .filter((_, index) => index % 2 === 0)
    .join(' ')

/** What a model wrote: text and nothing else, with the elements it names by their ids. */
function Prose({ text, grounds, session }: { text: string; grounds: Grounds | null; session: Session }) {
  return (
    <p className="h-guide-prose">
      {text.split(cited).map((piece, index) =>
        // Every second piece is an id.
        index % 2 === 1 ? (
          // eslint-disable-next-line react/no-array-index-key
          <Chip key={index} id={piece} session={session} />
        ) : (
          // eslint-disable-next-line react/no-array-index-key
          <Grounded key={index} text={piece} grounds={grounds} session={session} />
        ),
      )}
    </p>
  )
}

function Grounded({ text, grounds, session }: { text: string; grounds: Grounds | null; session: Session }) {
  const { t } = useLingui()
  if (!grounds) return text
  return piecesIn(text, grounds.known, grounds.measured).map((piece, index) =>
    piece.is === 'unchecked' ? (
      // eslint-disable-next-line react/no-array-index-key
      <abbr key={index} className="h-guide-unchecked" title={t`Not checked: no result of this talk has this number`}>
        {piece.text}
      </abbr>
    ) : piece.is === 'measured' ? (
      // eslint-disable-next-line react/no-array-index-key
      <Evidence key={index} text={piece.text} by={piece.by} session={session} />
    ) : (
      piece.text
    ),
  )
}

/** What a tool was used for and what came of it in a line; all of it when opened. */
function Tool({ part, turn, session }: { part: ToolPart; turn: ModelTurn; session: Session }) {
  const given = plainOf(part.given)
  const result = plainOf(part.result ?? '')
  const outcome = part.result === null ? '' : part.ok ? wordsOfOutcome(part.name, result) : ''
  if (part.name === 'ask' && part.ok && part.result !== null) return <p className="h-guide-prose">{String(given['question'] ?? '')}</p>
  return (
    <details className="h-guide-tool" data-failed={part.result !== null && !part.ok ? true : undefined}>
      <summary>
        {part.result === null && <LoadingOutlined aria-hidden />}
        <span>{wordsOfTool(part.name, given)}</span>
        <small>{part.ok ? outcome : <Trans>refused</Trans>}</small>
      </summary>
      <p className="h-guide-label">
        <Trans>Arguments</Trans> <code>{part.name}</code>
      </p>
      <Data text={part.given} />
      {part.result !== null && (
        <>
          <p className="h-guide-label">
            <Trans>Result</Trans>
          </p>
          <Data text={part.result} />
          {part.ok && runningTools.has(part.name) && <RunOfTalk part={part} turn={turn} session={session} />}
        </>
      )}
    </details>
  )
}

/** Characters of arguments and results that are shown. */
const SHOWN = 6000

function Data({ text }: { text: string }) {
  const { t } = useLingui()
  const shown = pretty(text)
  return (
    // Long ones are scrolled, also by keyboard.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <pre tabIndex={0} dir="ltr" aria-label={t`Data`}>
      {shown.length > SHOWN ? `${shown.slice(0, SHOWN)}…` : shown}
    </pre>
  )
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 1)
  } catch {
    return text // a sentence, or what a model wrote in place of JSON
  }
}
