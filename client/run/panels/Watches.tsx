// Watched formulas: their values at the current moment of the run.
import { CloseOutlined } from '@ant-design/icons'
import { Trans, useLingui } from '@lingui/react/macro'
import { Button, Input } from 'antd'
import { useState } from 'react'
import type { Watch } from '../../../sim-engine/messages.ts'
import { formatValue } from '../../charts/format.ts'
import { useWords } from '../../i18n/locale.ts'
import { useRun, useRunView } from '../RunProvider.tsx'
import './panels.css'

/** Most watches one can have. */
const maxWatches = 50

export function Watches() {
  const { t } = useLingui()
  const run = useRun()
  const watches = useRunView(view => view.watches)
  const [text, setText] = useState('')
  const add = (): void => {
    const wanted = text.trim()
    if (wanted === '' || watches.length >= maxWatches) return
    run.setWatches([...watches, { id: crypto.randomUUID(), text: wanted }])
    setText('')
  }
  return (
    <section className="h-watches" aria-label={t`Watches`}>
      <table className="h-values">
        <tbody>
          <tr>
            <th colSpan={3} scope="rowgroup">
              <Trans>Watches</Trans>
            </th>
          </tr>
          {watches.map(one => (
            <Row key={one.id} watch={one} />
          ))}
          <tr>
            <td colSpan={3}>
              <Input
                size="small"
                variant="borderless"
                value={text}
                placeholder={t`Add a formula to watch, such as energy / 2`}
                aria-label={t`Formula to watch`}
                maxLength={1000}
                spellCheck={false}
                onChange={event => setText(event.target.value)}
                onPressEnter={add}
                onBlur={add}
              />
            </td>
          </tr>
        </tbody>
      </table>
    </section>
  )
}

function Row({ watch }: { watch: Watch }) {
  const { t, i18n } = useLingui()
  const words = useWords()
  const run = useRun()
  const found = useRunView(view => view.watched.get(watch.id))
  const moving = useRunView(view => view.status === 'playing')
  const { text } = watch
  const value = !found ? '–' : 'refused' in found ? words(found.refused) : formatValue(found.value, i18n.locale)
  return (
    <tr>
      <td>
        <code>{text}</code>
      </td>
      <td title={value} data-refused={(found && 'refused' in found) || undefined} data-old={moving || undefined}>
        {value}
      </td>
      <td>
        <Button
          size="small"
          type="text"
          icon={<CloseOutlined aria-hidden />}
          aria-label={t`Watch ${text} no more`}
          onClick={() => run.setWatches(run.getState().watches.filter(one => one.id !== watch.id))}
        />
      </td>
    </tr>
  )
}
