// Lines the model wrote while running, newest last. Only the visible ones are in the page.
import { DownloadOutlined } from '@ant-design/icons'
import { Trans, useLingui } from '@lingui/react/macro'
import { Button, Input } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { useStore } from 'zustand'
import type { Id } from '../../../model-schema/model.ts'
import { formatNumber } from '../../charts/format.ts'
import { useVisibleRows } from '../../ui/gestures/visible-rows.ts'
import { download } from '../download.ts'
import { textField } from '../fields.ts'
import { useRun, useSeldom } from '../RunProvider.tsx'
import './panels.css'

const lineHeight = 22
/** Lines drawn above and below the visible ones. */
const spareLines = 10

export function Output({ onShow }: { onShow?(element: Id): void }) {
  const { t, i18n } = useLingui()
  const run = useRun()
  const { output, outputDropped } = useSeldom(100)
  const elements = useStore(run.model, state => state.model.elements)
  const [filter, setFilter] = useState('')
  const follows = useRef(true)

  const wanted = filter.toLowerCase()
  const lines = wanted === '' ? output : output.filter(line => line.text.toLowerCase().includes(wanted))

  const count = lines.length
  const { first, last, height, topOf, ref, onScroll, scrollTo } = useVisibleRows<HTMLDivElement>({
    count,
    rowHeight: lineHeight,
    spare: spareLines,
  })
  useEffect(() => {
    if (count > 0 && follows.current) scrollTo('end')
  }, [count, scrollTo])

  const nameOf = (id: Id): string => {
    const element = elements.get(id)
    return element ? textField(element, 'name') : ''
  }
  const save = () =>
    download(
      new Blob([output.map(line => `${line.tick}\t${nameOf(line.element)}\t${line.text}\n`).join('')], { type: 'text/plain' }),
      'output.txt',
    )
  const dropped = formatNumber(outputDropped, i18n.locale)
  return (
    <div className="h-panel">
      <div className="h-panel-bar">
        <Input
          size="small"
          allowClear
          placeholder={t`Filter`}
          aria-label={t`Filter the output`}
          value={filter}
          onChange={event => setFilter(event.target.value)}
        />
        {outputDropped > 0 && (
          <span>
            <Trans>{dropped} older lines are not kept</Trans>
          </span>
        )}
        <Button
          size="small"
          type="text"
          icon={<DownloadOutlined aria-hidden />}
          disabled={output.length === 0}
          aria-label={t`Download the output`}
          onClick={save}
        />
      </div>
      <div
        ref={ref}
        className="h-output"
        role="log"
        aria-label={t`Output`}
        tabIndex={0}
        onScroll={event => {
          const { scrollTop, scrollHeight, clientHeight } = event.currentTarget
          follows.current = scrollTop + clientHeight >= scrollHeight - lineHeight
          onScroll(event)
        }}
      >
        {lines.length === 0 ? (
          <p className="h-panel-hint">
            {wanted ? <Trans>No line contains this text.</Trans> : <Trans>Log steps write here while the model runs.</Trans>}
          </p>
        ) : (
          <div style={{ height }}>
            <div style={{ transform: `translateY(${topOf(first)}px)` }}>
              {lines.slice(first, last).map((line, i) => (
                <div key={first + i} className="h-output-line">
                  <span>{formatNumber(line.tick, i18n.locale)}</span>
                  <button type="button" disabled={!onShow} title={t`Show this step`} onClick={() => onShow?.(line.element)}>
                    {nameOf(line.element)}
                  </button>
                  <code title={line.text}>{line.text}</code>
                </div>
              ))}
            </div>
          </div>
        )}
      </div>
    </div>
  )
}
