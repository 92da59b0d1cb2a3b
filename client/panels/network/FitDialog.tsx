// Fits a network to a table: a CSV file, or the decisions of the run (then it learns the policy that took them).
import { Trans, useLingui } from '@lingui/react/macro'
import { Alert, Button, Input, InputNumber, Modal, Segmented, Select } from 'antd'
import { useEffect, useId, useState } from 'react'
import type { Element } from '../../../model-schema/model.ts'
import { fitDefaults, tableOfDecisions, weightCount, type FitRow, type Fitted, fieldsOfNetwork } from '../../../sim-engine/network.ts'
import { formatNumber } from '../../charts/format.ts'
import { useEditor } from '../../editor/useEditor.ts'
import { useLocale, useWords } from '../../i18n/locale.ts'
import { useRunIfAny, useRunView } from '../../run/RunProvider.tsx'
import { complain, say, warn } from '../../ui/toast.ts'
import { useFitter } from './useFitter.ts'
import { misfit, putWeights } from './weights.ts'
import type { Words } from '../../../model-schema/words.ts'

type Loss = 'squared' | 'choice'

/** What is to be fitted, and how. */
type Wish = {
  /** Where the rows are from. */
  source: string
  inputs: readonly string[]
  targets: readonly string[]
  loss: Loss
  layers: string
  epochs: number
  learningRate: number
  seed: number
}

const wished: Omit<Wish, 'layers'> = {
  source: '',
  inputs: [],
  targets: [],
  loss: 'squared',
  epochs: fitDefaults.epochs,
  learningRate: fitDefaults.learningRate,
  seed: fitDefaults.seed,
}

export function FitDialog({ element, onClose }: { element: Element; onClose: () => void }) {
  const { t } = useLingui()
  const words = useWords()
  const editor = useEditor()
  const id = useId()
  const run = useRunIfAny()
  const decisions = useRunView(view => view.decisions)
  const { view, read, put, fit, stop } = useFitter()
  const [wish, setWish] = useState<Wish>({ ...wished, layers: String(element.fields['layers'] ?? fitDefaults.layers) })
  const { source, inputs, targets, loss, layers, epochs, learningRate, seed } = wish
  useEffect(() => run?.askDecisions(), [run])
  const known = decisions.filter(({ rows }) => rows.length > 0)
  const ofRun = t`Decisions of the run`
  /** The last columns are what is to be found. */
  const take = (from: string, names: readonly string[], wanted: number, isChoice: boolean): void =>
    setWish({
      ...wish,
      source: from,
      inputs: names.slice(0, -wanted),
      targets: names.slice(-wanted),
      loss: isChoice ? 'choice' : 'squared',
    })
  const fromRun = (): void => {
    const [first] = known
    if (!first) return
    const table = tableOfDecisions(first, first.rows)
    put(table)
    take(ofRun, table.names, first.choices > 0 ? 1 : first.actions.length, first.choices > 0)
  }
  const fromFile = async (file: File | undefined): Promise<void> => {
    if (file) take(file.name, await read(await file.text()), 1, false)
  }
  const start = (): void => {
    const choices = loss === 'choice' ? (known.find(one => one.choices > 0 && source === ofRun)?.choices ?? null) : null
    fit({ ...fitDefaults, inputs, targets, loss, choices, layers, epochs, learningRate, seed })
  }
  const use = (fitted: Fitted): void => {
    const { shape } = fitted
    const wrong = misfit(editor.model, element.id, shape.inputs, shape.layers.at(-1)!.size, weightCount(shape))
    if (wrong) return warn(words(wrong))
    const refused = putWeights(editor.doc, element.id, fieldsOfNetwork(fitted, 'file', source))
    if (refused !== null) return warn(words(refused.words))
    say(t`The network has these weights now.`)
    onClose()
  }
  return (
    <Modal open title={t`Fit to data`} width={560} onCancel={onClose} destroyOnHidden footer={null}>
      <div className="h-network-fit">
        <span>{t`Data`}</span>
        <div className="h-network-row">
          <input
            id={`${id}-file`}
            type="file"
            accept=".csv,.tsv,.txt"
            className="h-visually-hidden"
            tabIndex={-1}
            aria-hidden="true"
            data-testid="fit-file"
            onChange={event => void fromFile(event.target.files?.[0]).catch(complain)}
          />
          <Button onClick={() => document.getElementById(`${id}-file`)?.click()}>
            <Trans>Choose a CSV file</Trans>
          </Button>
          <Button disabled={known.length === 0} onClick={fromRun}>
            <Trans>Decisions of the run</Trans>
          </Button>
        </div>
        {view.rows > 0 && (
          <>
            <span />
            <Rows source={source} rows={view.rows} />
            <WishFields wish={wish} names={view.names} change={some => setWish({ ...wish, ...some })} />
          </>
        )}
      </div>
      {view.failure && <Alert type="error" showIcon title={words(view.failure as Words)} style={{ marginBlockStart: 12 }} />}
      {view.epochs.length > 0 && <Curve rows={view.epochs} />}
      {view.fitted && <Told fitted={view.fitted} loss={loss} />}
      <div className="h-network-row h-network-fit-end">
        {view.running ? (
          <Button danger onClick={stop}>
            <Trans>Stop</Trans>
          </Button>
        ) : (
          <Button type={view.fitted ? 'default' : 'primary'} disabled={view.rows === 0} onClick={start} data-testid="fit-start">
            <Trans>Start</Trans>
          </Button>
        )}
        {view.fitted && (
          <Button type="primary" onClick={() => use(view.fitted!)} data-testid="fit-use">
            <Trans>Use in the network</Trans>
          </Button>
        )}
      </div>
    </Modal>
  )
}

function WishFields({ wish, names, change }: { wish: Wish; names: readonly string[]; change: (some: Partial<Wish>) => void }) {
  const { t } = useLingui()
  const id = useId()
  const options = names.map(name => ({ value: name, label: name }))
  return (
    <>
      <label htmlFor={`${id}-inputs`}>{t`Inputs`}</label>
      <Select
        id={`${id}-inputs`}
        mode="multiple"
        maxTagCount="responsive"
        value={[...wish.inputs]}
        options={options}
        onChange={inputs => change({ inputs })}
      />
      <label htmlFor={`${id}-targets`}>{t`Targets`}</label>
      <Select
        id={`${id}-targets`}
        mode="multiple"
        maxTagCount="responsive"
        value={[...wish.targets]}
        options={options}
        onChange={targets => change({ targets })}
      />
      <span>{t`Targets are`}</span>
      <Segmented<Loss>
        aria-label={t`Targets are`}
        value={wish.loss}
        options={[
          { value: 'squared', label: t`Numbers` },
          { value: 'choice', label: t`A choice` },
        ]}
        onChange={loss => change({ loss })}
      />
      <label htmlFor={`${id}-layers`}>{t`Hidden layers`}</label>
      <Input id={`${id}-layers`} value={wish.layers} onChange={event => change({ layers: event.target.value })} />
      <label htmlFor={`${id}-epochs`}>{t`Epochs at most`}</label>
      <InputNumber
        id={`${id}-epochs`}
        min={1}
        max={100_000}
        value={wish.epochs}
        onChange={epochs => change({ epochs: epochs ?? fitDefaults.epochs })}
      />
      <label htmlFor={`${id}-rate`}>{t`Learning rate`}</label>
      <InputNumber
        id={`${id}-rate`}
        min={1e-9}
        max={10}
        step={0.001}
        value={wish.learningRate}
        onChange={rate => change({ learningRate: rate ?? fitDefaults.learningRate })}
      />
      <label htmlFor={`${id}-seed`}>{t`Seed`}</label>
      <InputNumber id={`${id}-seed`} min={0} precision={0} value={wish.seed} onChange={seed => change({ seed: seed ?? 1 })} />
    </>
  )
}

function Rows({ source, rows }: { source: string; rows: number }) {
  const { t } = useLingui()
  const language = useLocale()
  return <span className="h-muted">{t`${source}: ${formatNumber(rows, language)} rows`}</span>
}

/** Errors of the rows that are learned from and, in colour, of those held back. */
function Curve({ rows }: { rows: readonly FitRow[] }) {
  const { t } = useLingui()
  const language = useLocale()
  const most = Math.max(...rows.map(({ training, validation }) => Math.max(training, validation)), 1e-12)
  const path = (of: (row: FitRow) => number): string =>
    rows.map((row, k) => `${k === 0 ? 'M' : 'L'}${(300 * k) / Math.max(1, rows.length - 1)} ${100 - (96 * of(row)) / most}`).join('')
  const last = formatNumber(Number(rows.at(-1)!.validation.toPrecision(4)), language)
  return (
    <figure className="h-network-error">
      <figcaption className="h-network-key h-muted">
        <i data-sign="seen" /> <Trans>error of the rows learned from</Trans> <i /> <Trans>of those held back</Trans>
        <span className="h-num">{t`epoch ${rows.length}: ${last}`}</span>
      </figcaption>
      <svg
        className="h-network-curve"
        viewBox="0 0 300 100"
        preserveAspectRatio="none"
        role="img"
        aria-label={t`Error of the rows held back after ${rows.length} epochs: ${last}`}
      >
        <path d={path(row => row.training)} />
        <path d={path(row => row.validation)} />
      </svg>
    </figure>
  )
}

function Told({ fitted, loss }: { fitted: Fitted; loss: Loss }) {
  const { t } = useLingui()
  const language = useLocale()
  const percent = (value: number): string => formatNumber(Number((100 * value).toPrecision(3)), language)
  const rows = fitted.rows.test.length
  return (
    <p role="status" data-testid="fit-told">
      {loss === 'choice'
        ? t`Of ${rows} rows it has not seen, ${percent(fitted.quality)} % are right; the most frequent choice alone gives ${percent(fitted.base)} %.`
        : t`Of ${rows} rows it has not seen, it explains ${percent(fitted.quality)} % of the variance.`}
    </p>
  )
}
