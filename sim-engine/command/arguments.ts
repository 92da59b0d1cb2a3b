// What people type after `holarchy`: help, options, and what is wrong with them.
import { parseArgs } from 'node:util'
import { Misuse } from '../experiment/arguments.ts'
import { nearest } from '../formula/mistakes.ts'

const helpOf = {
  run: `Usage: holarchy run FILE.holo [options]

Runs a scenario and prints final statistics, public variables, containers and how the run ended. FILE "-" is standard input.

  --scenario NAME    the scenario's name or id (default: the first)
  --seed N           0 .. 4294967295 (default: the scenario's)
  --ticks N          total ticks (default: the scenario's)
  --set NAME=VALUE   sets a public variable before the start; VALUE is JSON or a plain text; NAME or Population.NAME
  --replications N   runs N times with seeds N, N+1, ... and prints each run and the means (1 .. 100000)
  --step-limit N     the run ends as "limited" after this many ticks
  --json             prints one JSON document instead of text, with what the model wrote as "output"
  --trace            prints a line for every step: time, agent, verb, step (with --json: as "trace")
  --profile FILE     writes where the time went, for www.speedscope.app, and prints what took longest

A run of more than a second tells on standard error how far it is. Ctrl-C stops it and prints what there is so far.
Exit codes: 0 ok, 1 problems or a failed run, 2 wrong usage or an unreadable file, 130 or 143 stopped by SIGINT or SIGTERM.
`,
  check: `Usage: holarchy check FILE.holo [--scenario NAME] [--json]

Prints the problems of all scenarios, or of one. FILE "-" is standard input. Of fields that nobody reads it warns; values that a
field cannot have, and kinds that there are not, are errors.

Exit codes: 0 ok, 1 problems, 2 wrong usage or an unreadable file.
`,
  compile: `Usage: holarchy compile FILE.holo [--scenario NAME] [--explain] [--print] [--print-after PASS] [--json]

Says which process runs as what, and which of its steps do not run as fast and why; with --json in both languages.

  --print            prints the typed program of the processes with tokens instead
  --print-after PASS the same after a pass: lower, specialise, inline, if-conversion or hoist
  --explain          with --print: says the above as well

Exit codes: 0 ok, 1 problems, 2 wrong usage or an unreadable file.
`,
  mcp: `Usage: holarchy mcp FILE.holo... [--write]

Serves the models to a program that speaks the Model Context Protocol, over standard input and output: it can list, read, check and run them, and edit
forks of them. Nothing is written to the model files.

  --write            proposals are written beside the model, as NAME.proposal.json

Exit codes: 0 ok, 2 wrong usage or an unreadable file.
`,
  apply: `Usage: holarchy apply NAME.proposal.json [FILE.holo] [--only ID,ID]

Takes a proposal into its model file (default: NAME.holo). What the file has changed in meanwhile stays; that is told.

  --only ID,ID       only these elements of it

Exit codes: 0 ok, 1 something was left out, 2 wrong usage or an unreadable file.
`,
  copilot: `Usage: holarchy copilot FILE.holo [QUESTION] [--write]

Asks the guide about a model: what is wrong, what an element does, what matters, how sure results are. It needs no network and no language model; programs
with a language model use "holarchy mcp". Without a question: what can be asked.

  --write            what it suggests is written beside the model, as NAME.proposal.json

Exit codes: 0 ok, 1 the model has errors and nothing is suggested, 2 wrong usage or an unreadable file.
`,
  serve: `Usage: holarchy serve --gym FILE.holo [--scenario NAME] [--ticks N] [--set NAME=VALUE]

Serves a model with Decide steps to a trainer in another program: one JSON document a line on standard input and output. sim-engine/gym/holarchy_gym.py
makes it an environment in the manner of Gymnasium.

  {"do": "spaces"}              the observations and actions of each Decide step that learns
  {"do": "reset", "seed": N}    begins an episode; without a seed each is another one
  {"do": "step", "action": A}   a whole number, or a list of numbers from -1 to 1
  {"do": "close"}

Exit codes: 0 ok, 1 problems, 2 wrong usage or an unreadable file.
`,
  test: `Usage: holarchy test FILE.holo [options]

Runs the tests of a model and prints a line for each: those of all scenarios, or of one. Of a test that fails it prints where, and how to see that again.
FILE "-" is standard input.

  --scenario NAME    tests of this scenario only (its name or id)
  --only NAME        this test only (its name or id)
  --seed N           the seed of the first run, in place of the test's own
  --runs N           how many runs each test makes, in place of its own number
  --junit FILE       writes the outcome as JUnit XML
  --coverage         says which steps and branches the tests do not reach
  --mutate           puts faults into the model one by one, and says which no test notices
  --faults N         how many faults are tried (default 100), drawn by --seed
  --json             prints one JSON document instead of text

Exit codes: 0 all passed, 1 some failed or there are none, 2 wrong usage or an unreadable file, 130 or 143 stopped by SIGINT or SIGTERM.
`,
  steady: `Usage: holarchy steady FILE.holo [options]

Makes one long run and says of each statistic when its warm-up is over (MSER-5) and, of the ticks behind that, the mean with its interval by batch means.

  --scenario NAME    the scenario's name or id (default: the first)
  --seed N           0 .. 4294967295 (default: the scenario's)
  --ticks N          total ticks (default: the scenario's)
  --confidence C     of the intervals, between 0 and 1 (default 0.95)
  --json             prints one JSON document instead of text

Exit codes: 0 ok, 1 problems or a failed run, 2 wrong usage or an unreadable file, 130 or 143 stopped by SIGINT or SIGTERM.
`,
  chain: `Usage: holarchy chain record FILE.holo [--endpoint URL] [options]
       holarchy chain show FILE.holo [--scenario NAME]
       holarchy chain verify FILE.holo [--scenario NAME] [--seed N] [--ticks N] [--transactions N]

record: reads from a node what runs of the model need of a real chain at its start block, and writes it into the model, which then runs
without a network. Accounts and storage are compared with the block's state root where the node gives proofs. FILE is changed.

  --endpoint URL     the node (JSON-RPC); default: HOLARCHY_ENDPOINT_NAME for a chain whose node is "name", else the address in the model
  --chain NAME       the blockchain environment, where several are forks (default: all)
  --block N          the block after which the fork begins; it is written into the model (default: the model's start block)
  --scenario NAME    the scenario's name or id (default: the first)
  --seed N           of the first run (default: the scenario's)
  --replications N   how many runs are recorded, with seeds N, N+1, ... (1 .. 1000, default 1)
  --ticks N          total ticks of each run (default: the scenario's)

show: prints what each fork has recorded.

verify: runs the model, executes the transactions once more with the reference machine (@ethereumjs/vm), and compares status, gas, output and
logs of each, and balances, codes and storage at the end.

  --transactions N   stops the run after about so many (default 10000)

Exit codes: 0 ok, 1 problems, the node did not give what is needed, or a failed run; 2 wrong usage or an unreadable file.
`,
  record: `Usage: holarchy record FILE.holo [options]

Runs a model and writes what its policies decided at a Decide step as CSV: what was seen (-1 .. 1), and the number of the choice or each action (-1 .. 1).

  --scenario NAME    the scenario's name or id (default: the first)
  --step NAME        the Decide step's name or id (default: the first)
  --seed N           of the first run (default 1)
  --replications N   runs with seeds N, N+1, ... (default 1)
  --ticks N          total ticks (default: the scenario's)
  --out FILE         writes there instead of standard output

Exit codes: 0 ok, 1 problems or a failed run, 2 wrong usage or an unreadable file, 130 or 143 stopped by SIGINT or SIGTERM.
`,
  fit: `Usage: holarchy fit DATA.csv --targets A,B [options]

Fits a neural network to a table: 70 % of the rows are learned from, 15 % say when to stop, 15 % how good it is. To clone a policy, fit to what
\`holarchy record\` wrote: --targets choice --choice.

  --inputs A,B       columns that go in (default: all others)
  --choice           the target is the number of a choice, from 0; the network has an output for each
  --layers SIZES     hidden layers (default 64,64)
  --activation NAME  relu, leaky_relu, elu, tanh, sigmoid or linear (default tanh)
  --epochs N         passes over the rows, at most (default 200); it stops when 20 bring nothing better
  --batch N          rows of a step (default 64)
  --rate R           learning rate (default 0.001)
  --seed N           of the split, the first weights and the order of rows (default 1)
  --out FILE         writes the network: .onnx or .safetensors
  --model FILE.holo  writes it into a neural network of this model instead (with --out: of a copy)
  --network NAME     which one (default: the first)
  --json             prints one JSON document instead of text

Exit codes: 0 ok, 1 the data cannot be learned from, 2 wrong usage or an unreadable file, 130 or 143 stopped by SIGINT or SIGTERM.
`,
  docs: `Usage: holarchy docs

Prints the reference of the language, the elements and the file format.
`,
} as const

type Command = keyof typeof helpOf

export const isCommand = (name: string | undefined): name is Command => name !== undefined && Object.hasOwn(helpOf, name)

/** Help about a command, or about all. */
export const helpText = (command: Command | null): string =>
  command
    ? helpOf[command]
    : `Usage:
  holarchy run FILE.holo          runs a scenario and prints what came of it
  holarchy experiment FILE.holo   conducts an experiment, on one machine or many
  holarchy work postgres://...    makes runs of experiments that others lead
  holarchy check FILE.holo        prints what is wrong with a model
  holarchy compile FILE.holo      says what runs as what, and why not faster
  holarchy test FILE.holo         runs the tests of a model
  holarchy steady FILE.holo       says how long the warm-up is, and what holds behind it
  holarchy chain record FILE.holo records what runs need of a real chain
  holarchy mcp FILE.holo...       serves models to programs that speak the Model Context Protocol
  holarchy apply NAME.proposal.json
                                  takes a proposal into its model file
  holarchy copilot FILE.holo ...  answers a question about a model
  holarchy record FILE.holo       writes what the policies of a model decide as a table
  holarchy fit DATA.csv           fits a neural network to a table
  holarchy serve --gym FILE.holo  serves a model to a trainer in another program
  holarchy docs                   prints the reference
  holarchy COMMAND --help         says more about a command
  holarchy --version

Exit codes: 0 ok, 1 problems or a failed run, 2 wrong usage or an unreadable file, 130 or 143 stopped by SIGINT or SIGTERM.
`

const options = {
  scenario: { type: 'string' },
  explain: { type: 'boolean' },
  print: { type: 'boolean' },
  'print-after': { type: 'string' },
  seed: { type: 'string' },
  ticks: { type: 'string' },
  set: { type: 'string', multiple: true },
  replications: { type: 'string' },
  'step-limit': { type: 'string' },
  json: { type: 'boolean' },
  trace: { type: 'boolean' },
  profile: { type: 'string' },
  gym: { type: 'boolean' },
  only: { type: 'string' },
  runs: { type: 'string' },
  junit: { type: 'string' },
  coverage: { type: 'boolean' },
  mutate: { type: 'boolean' },
  faults: { type: 'string' },
  confidence: { type: 'string' },
  endpoint: { type: 'string' },
  chain: { type: 'string' },
  transactions: { type: 'string' },
  block: { type: 'string' },
  step: { type: 'string' },
  out: { type: 'string' },
  inputs: { type: 'string' },
  targets: { type: 'string' },
  choice: { type: 'boolean' },
  layers: { type: 'string' },
  activation: { type: 'string' },
  epochs: { type: 'string' },
  batch: { type: 'string' },
  rate: { type: 'string' },
  model: { type: 'string' },
  network: { type: 'string' },
} as const

type OptionName = keyof typeof options

/** The file and the options of a command that takes those named. Throws Misuse. */
export function parseCommand(args: readonly string[], names: readonly OptionName[]) {
  const parsed = ((): ReturnType<typeof parseArgs<{ options: typeof options; allowPositionals: true }>> => {
    try {
      return parseArgs({ args: joined(args), options, allowPositionals: true, strict: true })
    } catch (error) {
      throw new Misuse(complaint(error, names))
    }
  })()
  for (const name of Object.keys(parsed.values)) if (!names.some(one => one === name)) throw new Misuse(`--${name} does not belong here`)
  const [file, ...more] = parsed.positionals
  if (file === undefined) throw new Misuse('which file?')
  if (more.length > 0) throw new Misuse(`one file at a time, "${more[0]}" is too many`)
  return { file, values: parsed.values }
}

/** `--seed -1` as `--seed=-1`: a number below zero is a value, and wrong for its own reason. */
const joined = (args: readonly string[]): string[] =>
  args.flatMap((word, i) => {
    const before = args[i - 1]
    const takes = (name: string | undefined): boolean =>
      name !== undefined &&
      name.startsWith('--') &&
      Object.entries(options).some(([one, { type }]) => name === `--${one}` && type === 'string')
    if (takes(before) && /^-[\d.]/.test(word)) return []
    const next = args[i + 1]
    return takes(word) && next !== undefined && /^-[\d.]/.test(next) ? [`${word}=${next}`] : [word]
  })

function complaint(error: unknown, names: readonly string[]): string {
  const text = error instanceof Error ? error.message : String(error)
  const [, unknown] = /^Unknown option '(-[^']*)'/.exec(text) ?? []
  if (unknown !== undefined) {
    const near = nearest(unknown.replace(/^-+/, ''), names)
    return `unknown option ${unknown}${near === undefined ? '' : `; did you mean --${near}?`}`
  }
  const [, missing] = /^Option '(?:-\w, )?(--[\w-]+) <value>' argument missing/.exec(text) ?? []
  if (missing !== undefined) return `${missing} needs a value`
  const [, flag] = /^Option '(?:-\w, )?(--[\w-]+)' does not take an argument/.exec(text) ?? []
  return flag === undefined ? (text.split('\n')[0] ?? text) : `${flag} takes no value`
}

export function numberOption(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const value = Number(text)
  if (text.trim() === '' || !Number.isFinite(value) || value < 0) throw new Misuse(`--${name} takes a number >= 0, not "${text}"`)
  return value
}

/** Why a file cannot be read or written, in words. */
export function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : null
  switch (code) {
    case 'ENOENT':
      return 'there is no such file or folder'
    case 'EISDIR':
      return 'it is a folder'
    case 'EACCES':
    case 'EPERM':
      return 'permission denied'
    case 'ENOTDIR':
      return 'a part of the path is no folder'
    default:
      return error instanceof Error ? error.message : String(error)
  }
}
