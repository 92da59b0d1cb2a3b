// Inside a network: its layers with what each unit gives to chosen inputs, or to those of a decision of the run; and how its weights are spread.
import { Trans, useLingui } from '@lingui/react/macro'
import { Button, InputNumber, Modal, Select } from 'antd'
import { useMemo, useState } from 'react'
import { best, Net, softmax, weightCount, type Described, type Shape } from '../../../sim-engine/network.ts'
import { useRunIfAny, useRunView } from '../../run/RunProvider.tsx'
import { formatNumber } from '../../charts/format.ts'
import { kindOf } from '../../../model-schema/kinds.ts'
import { verbatim, type Words } from '../../../model-schema/words.ts'
import { listNow } from '../../i18n/list.ts'
import { useLocale, useWords } from '../../i18n/locale.ts'
import { NetworkPicture } from './NetworkPicture.tsx'

/** Most inputs that can be set by hand. */
const mostSet = 32

/** Most decisions to choose from: the latest. */
const mostListed = 200

type Props = {
  network: Described
  name: string
  /** Names of its inputs and outputs; empty if unknown. */
  units: { inputs: readonly string[]; outputs: readonly string[] }
  onClose: () => void
}

export function NetworkDialog({ network, name, units, onClose }: Props) {
  const { t } = useLingui()
  const language = useLocale()
  const { shape, weights } = network
  const run = useRunIfAny()
  const decisions = useRunView(view => view.decisions)
  const [inputs, setInputs] = useState<readonly number[]>(() => Array.from({ length: shape.inputs }, () => 0))
  const net = useMemo(() => {
    const made = new Net(shape)
    made.weights = weights
    return made
  }, [shape, weights])
  const outputs = Array.from(net.predict(inputs))
  const layers = [inputs, ...shape.layers.map((_, k) => Array.from(net.layerOutputs(k)))]
  const figure = (value: number): string => formatNumber(Number(value.toPrecision(4)), language)
  const chances = softmax(outputs)
  const seen = decisions.flatMap(({ rows }) => rows).filter(row => row.seen.length === shape.inputs)
  const listed = seen.slice(-mostListed).reverse()
  return (
    <Modal open title={name} width={760} footer={null} onCancel={onClose} destroyOnHidden>
      <p className="h-muted">
        {t`${shape.inputs} inputs, ${listNow(shape.layers.map(({ size }) => String(size)))} units, ${formatNumber(weightCount(shape), language)} weights`}
      </p>
      <NetworkPicture layers={layers} shape={shape} weights={weights} />
      <p className="h-network-key h-muted">
        <i data-sign="plus" /> <Trans>above zero</Trans> <i data-sign="minus" /> <Trans>below zero</Trans>
        {units.inputs.length > 0 && <span>{t`Observations are scaled: -1 is the lowest, 1 the highest.`}</span>}
      </p>
      <div className="h-network-try">
        <fieldset>
          <legend>
            <Trans>Inputs</Trans>
          </legend>
          <div className="h-network-row">
            <Button size="small" disabled={run === null} onClick={() => run?.askDecisions()}>
              <Trans>Decisions of the run</Trans>
            </Button>
            <Select<number>
              size="small"
              className="h-network-decision"
              aria-label={t`Decision`}
              placeholder={t`Choose a decision`}
              disabled={listed.length === 0}
              notFoundContent={null}
              options={listed.map((row, k) => ({ value: k, label: t`time ${figure(row.time)}` }))}
              onChange={k => setInputs(listed[k]?.seen ?? inputs)}
            />
          </div>
          <div className="h-network-inputs">
            {inputs.slice(0, mostSet).map((value, k) => (
              <label key={k}>
                <bdi className="h-muted">{units.inputs[k] ?? t`Input ${k + 1}`}</bdi>
                <InputNumber
                  size="small"
                  step={0.1}
                  value={Number(value.toPrecision(6))}
                  onChange={next => setInputs(inputs.with(k, next ?? 0))}
                />
              </label>
            ))}
          </div>
        </fieldset>
        <fieldset>
          <legend>
            <Trans>Outputs</Trans>
          </legend>
          <ol className="h-network-outputs" data-testid="network-outputs">
            {outputs.slice(0, mostSet).map((value, k) => (
              <li key={k} data-best={k === best(outputs) || undefined}>
                {units.outputs[k] !== undefined && <bdi>{units.outputs[k]}</bdi>}
                <span className="h-num">{figure(value)}</span>
                <span className="h-muted h-num">{t`${figure(100 * chances[k]!)} %`}</span>
              </li>
            ))}
          </ol>
        </fieldset>
      </div>
      <Histograms shape={shape} weights={weights} />
    </Modal>
  )
}

function activationLabel(activation: string): Words {
  const type = kindOf('network')?.fields.find(({ id }) => id === 'activation')?.type
  return (type?.as === 'choice' ? type.options[activation] : undefined) ?? verbatim(activation)
}

/** How the weights of each layer are spread. */
function Histograms({ shape, weights }: { shape: Shape; weights: Float32Array }) {
  const { t } = useLingui()
  const words = useWords()
  const language = useLocale()
  const bins = 24
  return (
    <div className="h-network-histograms">
      {layerWeights(shape, weights).map(({ own, activation }, k) => {
        let most = 1e-9
        for (const weight of own) most = Math.max(most, Math.abs(weight))
        const counts = Array.from({ length: bins }, () => 0)
        for (const weight of own) counts[Math.min(bins - 1, Math.floor(((weight / most + 1) / 2) * bins))]! += 1
        const highest = Math.max(...counts)
        const reach = formatNumber(Number(most.toPrecision(3)), language)
        return (
          <figure key={k}>
            <svg viewBox={`0 0 ${bins * 4} 40`} role="img" aria-label={t`Weights of layer ${k + 1}: -${reach} to ${reach}`}>
              {counts.map((count, bin) => (
                <rect key={bin} x={bin * 4} y={40 - (40 * count) / highest} width="3" height={(40 * count) / highest} />
              ))}
            </svg>
            <figcaption className="h-muted">{t`Layer ${k + 1} (${words(activationLabel(activation))}): ± ${reach}`}</figcaption>
          </figure>
        )
      })}
    </div>
  )
}

/** The weights and biases of each layer. */
function layerWeights(shape: Shape, weights: Float32Array): { own: Float32Array; activation: string }[] {
  let [at, before] = [0, shape.inputs]
  return shape.layers.map(({ size, activation }) => {
    const own = weights.subarray(at, at + (before + 1) * size)
    at += own.length
    before = size
    return { own, activation }
  })
}
