// What a training has learned: curves as they grow, how the policy compares with others on the same episodes, its weights, and the trainings before.
import { Trans, useLingui } from '@lingui/react/macro'
import { DeleteOutlined } from '@ant-design/icons'
import { Button, Checkbox, Select, Space } from 'antd'
import { useState } from 'react'
import { useStore } from 'zustand'
import { useLocale, useWords } from '../../i18n/locale.ts'
import { download } from '../../run/download.ts'
import { openSession } from '../../session.ts'
import { untilSaved } from '../../session/saved.ts'
import { Drawing } from '../../ui/Drawing.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { complain, confirmed, say, warn } from '../../ui/toast.ts'
import { When } from '../../ui/When.tsx'
import { scenarioOf } from '../linked.ts'
import { useExperiment } from '../scope.ts'
import { adoptPolicy } from './adopt.ts'
import { algorithmLabel, settingLabel, settingValue } from './labels.ts'
import type { TrainingEntry } from './trainings.ts'
import { useTrainer } from './useTrainer.ts'
import { type EpochRow, toOnnx, toSafetensors } from '../../../sim-engine/experiment.ts'
import { FigureChart } from '../../charts/figure/FigureChart.tsx'
import { extentOf } from '../../charts/figure/figure.ts'
import { useInk } from '../../charts/ink.ts'
import { FindingLine } from '../results/Found.tsx'
import { useNumber } from '../results/useNumber.ts'
import { bestOf, learnedFinding } from './learned.ts'

export function TrainingResults() {
  const { t } = useLingui()
  const trainer = useTrainer()
  const { entry, running, history } = useStore(trainer.store)
  const [compared, setCompared] = useState<readonly string[]>([])
  const number = useNumber()
  const figure = (value: number): string => number(Number(value.toPrecision(5)))
  const others = history.filter(one => one.id !== entry?.id && compared.includes(one.id))
  if (entry === null || (entry.rows.length === 0 && entry.ended !== 'failed'))
    return (
      <div className="x-empty">
        <EmptyState
          drawing={<Drawing of="results" />}
          title={running ? t`The first epoch is under way` : t`Nothing was learned yet`}
          text={t`After each epoch the policy is tested, and its return appears here as a curve. Trainings stay on this device.`}
        />
        <Before compared={[]} />
      </div>
    )
  return (
    <div className="x-pane x-training">
      <FindingLine finding={learnedFinding({ ...entry, threshold: entry.plan.schedule.rewardThreshold }, figure)} />
      <Curves rows={entry.rows} threshold={entry.plan.schedule.rewardThreshold} others={others} />
      {others.length > 0 && <Differences entries={[entry, ...others]} />}
      <Learned entry={entry} />
      <Figures rows={entry.rows} />
      <Before compared={compared} onCompare={setCompared} />
    </div>
  )
}

type CurvesProps = { rows: readonly EpochRow[]; threshold: number | null; others: readonly TrainingEntry[] }

function Curves({ rows, threshold, others }: CurvesProps) {
  const { t } = useLingui()
  const title = useTitle()
  const number = useNumber()
  const ink = useInk()
  const bands = rows.flatMap(({ test }) => [test.mean - test.half, test.mean + test.half])
  const learning = [...rows, ...others.flatMap(one => one.rows)].flatMap(row => [row.learning, row.test.mean])
  const [low, high] = extentOf([...bands, ...learning, ...(threshold === null ? [] : [threshold])], 0.06)
  const last = rows.at(-1)
  const most = Math.max(1, last?.decisions ?? 1, ...others.map(one => one.rows.at(-1)?.decisions ?? 0))
  const name = t`Return of an episode`
  return (
    <FigureChart
      title={name}
      x={{ label: t`Decisions`, low: 0, high: 1.02 * most }}
      y={{ label: name, low, high }}
      summary={last ? t`After ${number(last.decisions)} decisions: ${number(Number(last.test.mean.toPrecision(5)))}` : ''}
      legend={[
        { label: t`Test (mean and 95 %)`, color: ink.series(0) },
        { label: t`While learning`, color: ink.series(1) },
        ...others.map((one, k) => ({ label: title(one), color: ink.series(k + 2) })),
        ...(threshold === null ? [] : [{ label: t`Threshold`, color: ink.faint }]),
      ]}
      marks={[
        ...(threshold === null
          ? []
          : [
              {
                is: 'segments' as const,
                segments: [{ x: [0, most] as const, y: [threshold, threshold] as const, color: ink.faint }],
                width: 1.5,
                isDashed: true,
              },
            ]),
        {
          is: 'segments',
          segments: rows.map(({ decisions, test }) => ({
            x: [decisions, decisions],
            y: [test.mean - test.half, test.mean + test.half],
            color: ink.series(0),
          })),
          width: 4,
          opacity: 0.25,
        },
        { is: 'line', points: rows.map(row => [row.decisions, row.learning]), color: ink.series(1), width: 1.5 },
        ...others.map((one, k) => ({
          is: 'line' as const,
          points: one.rows.map(row => [row.decisions, row.test.mean] as const),
          color: ink.series(k + 2),
        })),
        { is: 'line', points: rows.map(row => [row.decisions, row.test.mean]), color: ink.series(0) },
        {
          is: 'dots',
          points: rows.map(row => [row.decisions, row.test.mean]),
          color: ink.series(0),
          size: 6,
          titles: rows.map(
            ({ epoch, test }) =>
              t`Epoch ${number(epoch)}: ${number(Number(test.mean.toPrecision(5)))} ± ${number(Number(test.half.toPrecision(3)))}`,
          ),
        },
      ]}
    />
  )
}

/** The title of a training: its algorithm, its seed, and its start. */
function useTitle(): (entry: TrainingEntry) => string {
  const { t } = useLingui()
  const words = useWords()
  const language = useLocale()
  return ({ plan, startedAt }) => {
    const began = new Date(startedAt).toLocaleString(language, { dateStyle: 'short', timeStyle: 'medium' })
    return t`${words(algorithmLabel(plan.settings.algorithm))}, seed ${plan.schedule.seed} · ${began}`
  }
}

/** What trainings that are compared differ in, and what each came to. */
function Differences({ entries }: { entries: readonly TrainingEntry[] }) {
  const { t } = useLingui()
  const words = useWords()
  const title = useTitle()
  const shown = (name: string, value: unknown): string =>
    typeof value === 'number'
      ? number(value)
      : typeof value === 'boolean'
        ? value
          ? t`yes`
          : t`no`
        : value === null || value === undefined
          ? '–'
          : words(settingValue(name, String(value)))
  const number = useNumber()
  const settingsOf = ({ plan }: TrainingEntry): Record<string, unknown> => ({ ...plan.settings, ...plan.schedule })
  const names = Object.keys(settingsOf(entries[0]!)).filter(
    name => new Set(entries.map(entry => JSON.stringify(settingsOf(entry)[name]))).size > 1,
  )
  return (
    <section className="x-learned" aria-label={t`Compared trainings`}>
      <h3>
        <Trans>Compared trainings</Trans>
      </h3>
      <table className="x-figures">
        <thead>
          <tr>
            <th scope="col">{t`Training`}</th>
            <th scope="col">{t`Best mean return`}</th>
            <th scope="col">{t`95 %`}</th>
            <th scope="col">{t`Decisions`}</th>
            {names.map(name => (
              <th key={name} scope="col">
                {words(settingLabel(name))}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {entries.map(entry => {
            const top = bestOf(entry.rows)
            return (
              <tr key={entry.id}>
                <th scope="row">{title(entry)}</th>
                <td>{top ? number(Number(top.test.mean.toPrecision(5))) : '–'}</td>
                <td>{top ? `± ${number(Number(top.test.half.toPrecision(2)))}` : '–'}</td>
                <td>{number(entry.rows.at(-1)?.decisions ?? 0)}</td>
                {names.map(name => (
                  <td key={name}>{shown(name, settingsOf(entry)[name])}</td>
                ))}
              </tr>
            )
          })}
        </tbody>
      </table>
    </section>
  )
}

/** One small chart for each figure of learning. */
function Figures({ rows }: { rows: readonly EpochRow[] }) {
  const { t } = useLingui()
  const number = useNumber()
  const ink = useInk()
  const labels: Readonly<Record<string, string>> = {
    length: t`Decisions of an episode`,
    policyLoss: t`Loss of the policy`,
    valueLoss: t`Error of the values`,
    loss: t`Loss`,
    value: t`Mean value`,
    entropy: t`Entropy`,
    kl: t`KL divergence`,
    clipped: t`Share clipped`,
    gradient: t`Length of the gradient`,
    explained: t`Explained variance`,
    exploration: t`Exploration`,
    temperature: t`Temperature`,
    states: t`States seen`,
    generation: t`Generation`,
    best: t`Best candidate`,
    width: t`Spread`,
  }
  const names = ['length', ...new Set(rows.flatMap(({ figures }) => Object.keys(figures)))]
  return (
    <div className="x-charts">
      {names.map(name => {
        const values = rows.map(row => (name === 'length' ? row.test.length : (row.figures[name] ?? NaN)))
        const [low, high] = extentOf(values, 0.06)
        const label = labels[name] ?? name
        return (
          <FigureChart
            key={name}
            title={label}
            height={180}
            x={{ label: t`Decisions`, low: 0, high: Math.max(1, rows.at(-1)?.decisions ?? 1) }}
            y={{ label, low, high }}
            summary={number(Number((values.at(-1) ?? NaN).toPrecision(4)))}
            marks={[{ is: 'line', points: rows.map((row, k) => [row.decisions, values[k] ?? NaN]), color: ink.series(2), width: 1.8 }]}
          />
        )
      })}
    </div>
  )
}

/** The best policy: how good it is compared with others, and a button that puts it into the model. */
function Learned({ entry }: { entry: TrainingEntry }) {
  const { t } = useLingui()
  const words = useWords()
  const number = useNumber()
  const { session, experiment, model } = useExperiment()
  const [busy, setBusy] = useState(false)
  const { report, best, rows } = entry
  const figure = (value: number): string => number(Number(value.toPrecision(5)))
  const half = (value: number): string => `± ${number(Number(value.toPrecision(2)))}`
  const top = bestOf(rows)
  const [checkpoint, setCheckpoint] = useState(0)
  const chosen = entry.checkpoints?.find(({ epoch }) => epoch === checkpoint)
  const policy = chosen?.policy ?? best
  const shown = rows.find(({ epoch }) => epoch === chosen?.epoch) ?? top
  const use = async (): Promise<void> => {
    if (policy === null || shown === null || model === null) return
    const sure = await confirmed({
      title: t`Use this policy in the model?`,
      content: t`The weights go into a neural network of the model, and its Decide steps act by it. It can be undone there.`,
      ok: t`Use in the model`,
      cancel: t`Cancel`,
      undoable: true,
    })
    if (!sure) return
    setBusy(true)
    const target = openSession({ docId: experiment.modelFile, local: session.target.local, user: session.target.user })
    try {
      await target.ready
      const now = target.model.getState().model
      const scenario = scenarioOf(now, experiment.modelScenario)
      if (!target.writable || scenario === null) return warn(t`The model may not be changed by you.`)
      const origin = `${experiment.name} · ${entry.startedAt.slice(0, 10)} · ${figure(shown.test.mean)} ${half(shown.test.half)}`
      const refused = adoptPolicy(target.doc, now, scenario, experiment.learning?.network ?? '', policy, origin)
      if (refused !== null) return warn(words(refused.words))
      say(t`The model decides by this policy now.`)
    } finally {
      // The server hears of what was written before the document is closed; the disk does in any case.
      void untilSaved(target).then(target.close)
      setBusy(false)
    }
  }
  if (top === null) return null
  return (
    <section className="x-learned" aria-label={t`Learned policy`}>
      <h3>
        <Trans>Learned policy</Trans>
      </h3>
      <table className="x-figures">
        <thead>
          <tr>
            <th scope="col">{t`Policy`}</th>
            <th scope="col">{t`Mean return`}</th>
            <th scope="col">{t`95 %`}</th>
            <th scope="col">{t`Lowest`}</th>
            <th scope="col">{t`Highest`}</th>
            <th scope="col">{t`The learned one is better by`}</th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <th scope="row">{t`Learned (epoch ${number(top.epoch)})`}</th>
            <td>{figure(top.test.mean)}</td>
            <td>{half(top.test.half)}</td>
            <td>{figure(top.test.low)}</td>
            <td>{figure(top.test.high)}</td>
            <td />
          </tr>
          {report?.compared.map(({ name, test, difference, half: width }) => (
            <tr key={name}>
              <th scope="row">{name === 'random' ? t`At random` : t`The model's own`}</th>
              <td>{figure(test.mean)}</td>
              <td>{half(test.half)}</td>
              <td>{figure(test.low)}</td>
              <td>{figure(test.high)}</td>
              <td>
                {figure(difference)} {half(width)}
                {Math.abs(difference) > width ? '' : ` ${t`(may be chance)`}`}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <Space wrap>
        {(entry.checkpoints?.length ?? 0) > 0 && (
          <Select<number>
            aria-label={t`Checkpoint`}
            popupMatchSelectWidth={false}
            value={chosen ? checkpoint : 0}
            onChange={setCheckpoint}
            data-testid="checkpoint"
            options={[
              { value: 0, label: t`Best (epoch ${number(top.epoch)})` },
              ...(entry.checkpoints ?? []).map(({ epoch }) => ({
                value: epoch,
                label: t`Epoch ${number(epoch)}: ${figure(rows.find(row => row.epoch === epoch)?.test.mean ?? NaN)}`,
              })),
            ]}
          />
        )}
        <Button
          type="primary"
          disabled={policy === null || model === null}
          loading={busy}
          onClick={() => void use().catch(complain)}
          data-testid="use-policy"
        >
          <Trans>Use in the model</Trans>
        </Button>
        {policy !== null && (
          <>
            <Button onClick={() => download(new Blob([toOnnx(policy)]), `${entry.name}.onnx`)}>
              <Trans>Save as ONNX</Trans>
            </Button>
            <Button onClick={() => download(new Blob([toSafetensors(policy)]), `${entry.name}.safetensors`)}>
              <Trans>Save as safetensors</Trans>
            </Button>
          </>
        )}
        {best === null && entry.ended === 'finished' && (
          <span className="h-muted">{t`A table of several observations cannot be a network of the model.`}</span>
        )}
      </Space>
    </section>
  )
}

/** Trainings of this experiment on this device. */
function Before({ compared, onCompare }: { compared: readonly string[]; onCompare?: (ids: readonly string[]) => void }) {
  const { t } = useLingui()
  const words = useWords()
  const number = useNumber()
  const trainer = useTrainer()
  const { history, entry, running } = useStore(trainer.store)
  if (history.length === 0) return null
  return (
    <section aria-label={t`History`}>
      <h3>
        <Trans>History</Trans>
      </h3>
      <ul className="x-trainings">
        {history.map(one => {
          const best = one.rows.reduce((most, row) => Math.max(most, row.test.mean), -Infinity)
          return (
            <li key={one.id} data-on={one.id === entry?.id || undefined}>
              <button type="button" disabled={running} onClick={() => trainer.show(one)}>
                <When at={one.startedAt} /> · {words(algorithmLabel(one.plan.settings.algorithm))} ·{' '}
                {t`epoch ${number(one.rows.length)} of ${number(one.plan.schedule.epochs)}`}
                {Number.isFinite(best) && ` · ${number(Number(best.toPrecision(5)))}`}
              </button>
              {onCompare && one.id !== entry?.id && (
                <Checkbox
                  checked={compared.includes(one.id)}
                  onChange={({ target }) => onCompare(target.checked ? [...compared, one.id] : compared.filter(id => id !== one.id))}
                >
                  <Trans>Compare</Trans>
                </Checkbox>
              )}
              <Button
                type="text"
                size="small"
                icon={<DeleteOutlined aria-hidden />}
                disabled={running}
                aria-label={t`Delete`}
                onClick={() => void trainer.forget(one.id).catch(complain)}
              />
            </li>
          )
        })}
      </ul>
    </section>
  )
}
