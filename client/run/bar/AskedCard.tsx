// A question of the waiting run to the user: its text, and the possible answers.
import { Trans, useLingui } from '@lingui/react/macro'
import { Button, InputNumber } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import type { Asked } from '../../../sim-engine/messages.ts'
import { formatNumber, formatValue } from '../../charts/format.ts'
import { RunScope, useRun, useRunView } from '../RunProvider.tsx'
import './asked.css'
import { listNow } from '../../i18n/list.ts'

/** With more combinations than this numbers are written instead of pressed. */
const mostButtons = 12

/** The container of all questions: several runs of a page may ask at once. */
function questions(): HTMLElement {
  const known = document.querySelector<HTMLElement>('body > .h-decides')
  if (known) return known
  const made = document.createElement('div')
  made.className = 'h-decides'
  document.body.append(made)
  return made
}

/** The questions of the run and of its what-if. `of`: the run that asks, if a page has several. */
export function AskedCard({ of = '' }: { of?: string }) {
  const fork = useRunView(view => view.fork)
  return createPortal(
    <>
      <AskedNow of={of} isWhatIf={false} />
      {fork && (
        <RunScope run={fork.run}>
          <AskedNow of={of} isWhatIf />
        </RunScope>
      )}
    </>,
    questions(),
  )
}

type Asking = { of: string; isWhatIf: boolean }

function AskedNow(asking: Asking) {
  const asked = useRunView(view => view.frame?.asked)
  const frame = useRunView(view => view.frame)
  if (!asked || !frame) return null
  // Each question is a component of its own, even when the same step asks again: nothing typed for the last one stays.
  return <Question key={`${frame.load} ${frame.time} ${asked.step} ${asked.who?.entity}`} asked={asked} {...asking} />
}

function Question({ asked, of, isWhatIf }: { asked: Asked } & Asking) {
  const { t, i18n } = useLingui()
  const run = useRun()
  const { actions, possible, seen, who, name } = asked
  const card = useRef<HTMLDivElement>(null)
  // The focus is not taken from a field in which the person is typing, nor from another question.
  useEffect(() => {
    const at = document.activeElement
    const isBusy =
      at instanceof HTMLElement &&
      (at.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(at.tagName) || at.closest('.h-decide') !== null)
    if (!isBusy) card.current?.querySelector<HTMLElement>('button, input')?.focus({ preventScroll: true })
  }, [])
  const what = name || t`Decide`
  const own = who ? t`${who.name} decides: ${what}` : t`You decide: ${what}`
  const title = isWhatIf ? t`In the what-if: ${own}` : own
  return (
    <div className="h-decide" role="group" aria-label={of === '' ? title : `${of}: ${title}`} ref={card} aria-live="polite">
      <b>{title}</b>
      {of !== '' && <small>{of}</small>}
      {seen.length > 0 && (
        <dl>
          {seen.map((one, k) => (
            // oxlint-disable-next-line react/no-array-index-key -- rows of a table have no other name
            <div key={k}>
              <dt>{one.name}</dt>
              <dd>{formatValue(one.value, i18n.locale)}</dd>
            </div>
          ))}
        </dl>
      )}
      {possible !== null && possible.length <= mostButtons ? (
        <div className="h-decide-choices" role="group" aria-label={listNow(actions.map(one => one.name))}>
          {actions.length === 1 && <span>{actions[0]!.name} =</span>}
          {possible.map(values => (
            <Button key={values.join(' ')} onClick={() => run.answer(values)}>
              {actions.length === 1
                ? formatNumber(values[0]!, i18n.locale)
                : listNow(values.map((value, k) => `${actions[k]!.name} = ${formatNumber(value, i18n.locale)}`))}
            </Button>
          ))}
        </div>
      ) : (
        <Written asked={asked} />
      )}
    </div>
  )
}

/** Numbers for each action, where there are too many to be pressed. */
function Written({ asked: { actions, possible } }: { asked: Asked }) {
  const { t } = useLingui()
  const run = useRun()
  const [values, setValues] = useState<readonly number[]>(possible?.[0] ?? actions.map(({ low }) => low))
  const isPossible = possible === null || possible.some(one => one.every((value, k) => value === values[k]))
  return (
    <form
      className="h-decide-choices"
      onSubmit={event => {
        event.preventDefault()
        if (isPossible) run.answer(values)
      }}
    >
      {actions.map(({ name, low, high, whole }, k) => (
        <label key={name}>
          <span>{name}</span>
          <InputNumber
            min={low}
            max={high}
            {...(whole ? { precision: 0 } : {})}
            value={values[k] ?? low}
            onChange={value => setValues(values.map((one, j) => (j === k ? (value ?? low) : one)))}
          />
        </label>
      ))}
      <Button type="primary" htmlType="submit" disabled={!isPossible}>
        <Trans>Decide</Trans>
      </Button>
      {!isPossible && <small>{t`Not possible now.`}</small>}
    </form>
  )
}
