// `holarchy record` and `holarchy fit`: decisions of a model's own policies as a table; a network fitted to a table, written as a file or into its model.
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { printFile } from '../../../model-schema/file.ts'
import { formulaName } from '../../../model-schema/kinds.ts'
import { csvCell } from '../../../model-schema/csv-cell.ts'
import { check } from '../../check.ts'
import { numberOption, parseCommand, reasonOf } from '../../command/arguments.ts'
import { readHoloFile, readModelFile, scenarioOf } from '../../command/model-file.ts'
import { problemText } from '../../command/problem-text.ts'
import { compile } from '../../compile.ts'
import { Misuse, whole } from '../../experiment/arguments.ts'
import { start } from '../../run.ts'
import { toOnnx, toSafetensors } from '../exchange.ts'
import { fieldsOfNetwork } from '../network.ts'
import { activations } from '../net/ops.ts'
import { FitFault, readNumbers, tableLimits } from './data.ts'
import { Fitting, fitDefaults, type FitPlan, type Fitted } from './fit.ts'
import { mostRecorded, tableOfDecisions } from './recorded.ts'

type Output = { out(text: string): void; err(text: string): void }

/** Runs a model and writes the decisions of one Decide step as CSV. Yields between runs; what is sent back says whether to stop. */
export function* recordCommand(args: readonly string[], output: Output): Generator<void, 0 | 1 | 'stopped', boolean> {
  const { file: path, values } = parseCommand(args, ['scenario', 'seed', 'ticks', 'replications', 'step', 'out'])
  const [seed = 1, runs = 1] = [whole('seed', values.seed, 0, 4294967295), whole('replications', values.replications, 1, 100_000)]
  const ticks = numberOption('ticks', values.ticks)
  const { model } = readModelFile(path)
  const checked = check(model, scenarioOf(model, values.scenario))
  if (!checked.ok) {
    for (const one of checked.problems) output.err(problemText(model, one))
    return 1
  }
  const run = start(compile(checked.checked), { seed, ...(ticks === undefined ? {} : { ticks }) })
  const steps = checked.checked.parts.steps.filter(({ kind }) => kind.id === 'decide')
  const step = values.step === undefined ? steps[0] : steps.find(({ id, name }) => id === values.step || name === values.step)
  if (!step) throw new Misuse(values.step === undefined ? 'the model has no Decide step' : `the model has no Decide step "${values.step}"`)
  const lines: string[] = []
  let count = 0
  for (let k = 0; k < runs && count < tableLimits.rows; k++) {
    if (k > 0) run.restart((seed + k) >>> 0)
    run.decisions.record()
    run.advance()
    if (run.result?.end === 'failed') {
      output.err(problemText(model, run.result.problem))
      return 1
    }
    const recording = run.decisions.recordings.find(({ point }) => point.step === step.index)!
    if (recording.rows.length > mostRecorded) throw new Misuse(`a run has more than ${mostRecorded} decisions: give fewer --ticks`)
    const table = tableOfDecisions(recording.point, recording.rows)
    if (lines.length === 0) lines.push(table.names.map(csvCell).join(','))
    for (let row = 0; row < table.rows; row++) lines.push(table.columns.map(column => String(column[row]!)).join(','))
    count += table.rows
    if (yield) return 'stopped'
  }
  written(values.out, `${lines.join('\n')}\n`, output)
  output.err(`${count} decisions\n`)
  return 0
}

/** Fits a network to a CSV file. Yields between epochs; when it is stopped, the best network so far is written. */
export function* fitCommand(args: readonly string[], output: Output): Generator<void, 0 | 1 | 'stopped', boolean> {
  const { file: path, values } = parseCommand(args, [
    'inputs',
    'targets',
    'choice',
    'layers',
    'activation',
    'seed',
    'epochs',
    'batch',
    'rate',
    'network',
    'model',
    'out',
    'json',
  ])
  if (values.targets === undefined) throw new Misuse('which columns are to be foretold? Say --targets')
  try {
    const table = readNumbers(textAt(path))
    const targets = namesOf(values.targets)
    const activation = activations.find(one => one === (values.activation ?? fitDefaults.activation))
    if (!activation) throw new Misuse(`--activation is one of ${activations.join(', ')}`)
    const plan: FitPlan = {
      ...fitDefaults,
      table,
      targets,
      inputs: values.inputs === undefined ? table.names.filter(name => !targets.includes(name)) : namesOf(values.inputs),
      loss: values.choice === true ? 'choice' : 'squared',
      layers: values.layers ?? fitDefaults.layers,
      activation,
      seed: whole('seed', values.seed, 0, 4294967295) ?? fitDefaults.seed,
      epochs: whole('epochs', values.epochs, 1, 100_000) ?? fitDefaults.epochs,
      batch: whole('batch', values.batch, 1, 65_536) ?? fitDefaults.batch,
      learningRate: numberOption('rate', values.rate) ?? fitDefaults.learningRate,
    }
    const fitting = new Fitting(plan)
    let stopped = false
    while (fitting.epoch()) if ((stopped = yield)) break
    const fitted = fitting.fitted()
    if (values.model !== undefined) intoModel(values.model, values.network, fitted, `${path}, seed ${plan.seed}`, values.out)
    else if (values.out !== undefined) written(values.out, values.out.endsWith('.onnx') ? toOnnx(fitted) : toSafetensors(fitted), output)
    const { quality, base, epoch } = fitted
    const name = plan.loss === 'choice' ? 'right' : 'r2'
    if (values.json === true)
      output.out(`${JSON.stringify({ loss: plan.loss, epoch, [name]: quality, base, epochs: fitting.rows, seed: plan.seed }, null, 2)}\n`)
    else
      output.out(
        `best epoch ${epoch} of ${fitting.rows.length}; of ${fitted.rows.test.length} rows it has not seen: ${plan.loss === 'choice' ? `${shown(100 * quality)} % right (the most frequent choice: ${shown(100 * base)} %)` : `R2 ${shown(quality)}`}\n`,
      )
    return stopped ? 'stopped' : 0
  } catch (error) {
    if (!(error instanceof FitFault)) throw error
    output.err(`error ${error.field}: ${error.message}\n`)
    return 1
  }
}

const shown = (value: number): string => Number(value.toPrecision(4)).toString()
const namesOf = (text: string): string[] => text.split(',').map(name => name.trim())

function textAt(path: string): string {
  try {
    const { size } = statSync(path)
    if (size > tableLimits.bytes) throw new Misuse(`${path} has ${size} bytes; at most ${tableLimits.bytes} are read`)
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw error instanceof Misuse ? error : new Misuse(`${path}: ${reasonOf(error)}`)
  }
}

function written(path: string | undefined, content: string | Uint8Array, output: Output): void {
  if (path === undefined) {
    if (typeof content === 'string') output.out(content)
    return
  }
  try {
    writeFileSync(path, content)
  } catch (error) {
    throw new Misuse(`${path}: ${reasonOf(error)}`)
  }
}

/** Writes the weights into a network of a model file. */
function intoModel(path: string, network: string | undefined, fitted: Fitted, origin: string, out: string | undefined): void {
  const file = readHoloFile(path)
  const networks = Object.entries(file.elements).filter(([, { kind }]) => kind === 'network')
  const [id, element] =
    (network === undefined
      ? networks[0]
      : networks.find(([one, { name }]) => one === network || formulaName(String(name ?? '')) === formulaName(network))) ?? []
  if (id === undefined || !element)
    throw new Misuse(network === undefined ? `${path} has no neural network` : `${path} has no neural network "${network}"`)
  const next = { ...file, elements: { ...file.elements, [id]: { ...element, ...fieldsOfNetwork(fitted, 'file', origin) } } }
  try {
    writeFileSync(out ?? path, printFile(next))
  } catch (error) {
    throw new Misuse(`${out ?? path}: ${reasonOf(error)}`)
  }
}
