// What cards of charts say while there is nothing to draw, against a scripted engine.
import { i18n } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import type { ReactNode } from 'react'
import { renderToString } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { createStore } from 'zustand/vanilla'
import { ChartCard } from '../../../client/charts/ChartCard.tsx'
import { PlotCard } from '../../../client/charts/PlotCard.tsx'
import { RunScope } from '../../../client/run/RunProvider.tsx'
import { createRun, type Run } from '../../../client/run/run.ts'
import { messages as chinese } from '../../../model-schema/languages/zh-CN.po'
import { messages as english } from '../../../model-schema/languages/en-US.po'
import type { Element, Model } from '../../../model-schema/model.ts'
import type { Json } from '../../../model-schema/kinds/kind.ts'
import type { Frame } from '../../../sim-engine/messages.ts'
import { problem } from '../../../sim-engine/problems.ts'
import { frameAt, loadedWith, scriptedEngine, standingClock } from '../../help/engine.ts'

const element = (id: string, kind: string, parent: string | null, fields: Record<string, Json> = {}): Element => ({
  id,
  kind,
  parent,
  children: parent === null ? ['chart'] : [],
  geo: [0, 0, 10, 10],
  ends: null,
  bends: [],
  fields,
})

const chart = element('chart', 'chart', 's', { name: 'Course', type: 'line', series: [{ value: 'x', label: 'x' }] })
const plot = element('plot', 'plot', null, { name: 'Fields', source: 'model', dimension: 'a', metrics: [{ field: 'b' }] })
const network = element('net', 'networkChart', 's', { name: 'Net' })

/** A run of a model that the engine has looked at, and found problems in or not. */
function runOf(sound: boolean, series: Frame['series'] = []): Run {
  const engine = scriptedEngine()
  const model: Model = {
    schema: 1,
    elements: new Map([element('s', 'scenario', null), chart].map(one => [one.id, one])),
    roots: ['s'],
    scenarios: ['s'],
    notes: [],
  }
  const run = createRun({ model: createStore(() => ({ model })), scenario: 's', clock: standingClock(), spawn: () => engine })
  run.open()
  const load = engine.last('load').load
  if (sound)
    engine.say({
      is: 'loaded',
      loaded: loadedWith(load, { charts: [{ id: 'chart', series: [{ label: 'x', color: '' }] }] }),
      problems: [],
      frame: frameAt(load, 0, { series }),
    })
  else engine.say({ is: 'problems', load, problems: [problem(8001, { id: 'chart' })] })
  // On a server zustand shows a store's first state; here what is there now is what matters.
  run.getInitialState = run.getState
  return run
}

const html = (run: Run, children: ReactNode): string =>
  renderToString(
    <I18nProvider i18n={i18n}>
      <RunScope run={run}>{children}</RunScope>
    </I18nProvider>,
  )

const cards: readonly [string, (run: Run) => ReactNode][] = [
  ['a chart', () => <ChartCard element={chart} />],
  ['a chart of fields', run => <PlotCard element={plot} run={run} user="u" />],
]

describe('a chart with nothing to draw', () => {
  it.each(cards)('%s asks to press play when the model can be played', (_, card) => {
    i18n.loadAndActivate({ locale: 'en-US', messages: english })
    const run = runOf(true)
    expect(html(run, card(run))).toContain('Press play to see this chart.')
  })

  it.each(cards)('%s says that problems are in the way when there are some', (_, card) => {
    i18n.loadAndActivate({ locale: 'en-US', messages: english })
    const run = runOf(false)
    const said = html(run, card(run))
    expect(said).toContain('Nothing to show until the model can run.')
    expect(said).not.toContain('Press play')
    i18n.loadAndActivate({ locale: 'zh-CN', messages: chinese })
    expect(html(run, card(run))).toContain('模型可运行后才有内容显示。')
  })

  it('a network of a model with problems is not said to have no links', () => {
    i18n.loadAndActivate({ locale: 'en-US', messages: english })
    expect(html(runOf(false), <ChartCard element={network} />)).toContain('Nothing to show until the model can run.')
    expect(html(runOf(false), <ChartCard element={network} />)).not.toContain('no links yet')
    expect(html(runOf(true), <ChartCard element={network} />)).toContain('no links yet')
  })
})

describe('a chart with something to draw', () => {
  it('says in words what it shows, in both languages', () => {
    const run = runOf(true, [{ chart: 'chart', from: 0, x: Float64Array.of(0, 1), columns: [Float64Array.of(3, 4)] }])
    i18n.loadAndActivate({ locale: 'en-US', messages: english })
    expect(html(run, <ChartCard element={chart} />)).toMatch(/role="img" aria-label="Course: x –"/)
    i18n.loadAndActivate({ locale: 'zh-CN', messages: chinese })
    expect(html(run, <ChartCard element={chart} />)).toMatch(/role="img" aria-label="Course：x –"/)
  })
})
