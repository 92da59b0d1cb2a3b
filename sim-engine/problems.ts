// Every message about a model or a run: one row per code, in both languages, with what to do about it. The numbers are
// stable: tests, help and translations hold on to them. 8001-9033 are found by the checker, 10000-10067 while running.
import { hostCatalogue } from './host-problems.ts'
import { english, filled, say, type Words } from '../model-schema/words.ts'

export const catalogue = {
  8001: {
    message: say('Formula is empty.'),
    fix: say('Write a formula, or clear the option that needs it.'),
  },
  8002: {
    message: say('Formula is wrong: {reason}'),
    fix: say('Correct the marked part of the formula.'),
  },
  8003: {
    message: say('Tip is empty.'),
    fix: say('Write what the person should read when this happens.'),
  },
  8004: {
    message: say('Nothing starts yet.'),
    fix: say('Add a process with a Start that is active.'),
  },
  8005: { message: say('Name "{n}" is already used.'), fix: say('Choose another name.') },
  8006: {
    message: say('Name is empty or reserved.'),
    fix: say('Choose a name that starts with a letter and is not a word of the formula language.'),
  },
  8007: {
    message: say('Element can never be reached.'),
    fix: say('Connect it to the flow, or delete it.'),
  },
  9001: {
    message: say('Connector has no source.'),
    fix: say('Attach its start to an element.'),
  },
  9002: {
    message: say('Connector has no target.'),
    fix: say('Attach its end to an element.'),
  },
  9003: {
    message: say('Port is missing.'),
    fix: say('Choose an existing port, or add the interface it needs.'),
  },
  9004: {
    message: say('Port types do not match.'),
    fix: say('Join ports of the same type and direction. Reusable containers: request, release; others: take, put.'),
  },
  9005: {
    message: say('Element has no incoming flow.'),
    fix: say('Draw a flow into it.'),
  },
  9006: {
    message: say('Connect this to the next step.'),
    fix: say('Drag from its edge, or press N.'),
  },
  9007: {
    message: say('A start event cannot have an incoming flow.'),
    fix: say('Delete the incoming flow.'),
  },
  9008: {
    message: say('An end event cannot have an outgoing flow.'),
    fix: say('Delete the outgoing flow.'),
  },
  9009: { message: say('Process has no start event.'), fix: say('Add a start event.') },
  9010: {
    message: say('Add an End.'),
    fix: say('A process ends somewhere. To repeat without end, use a subprocess that repeats while True.'),
  },
  9011: {
    message: say('Process has more than one plain start event.'),
    fix: say('Keep one start event.'),
  },
  9012: {
    message: say('Boundary event is not attached to an activity.'),
    fix: say('Drag it onto the border of an activity.'),
  },
  9013: {
    message: say('Gateway needs at least two branches.'),
    fix: say('Add a branch, or remove the gateway.'),
  },
  9014: {
    message: say('Branch has no condition.'),
    fix: say('Write a condition, or make it the default branch.'),
  },
  9015: {
    message: say('Only one default branch is allowed here.'),
    fix: say('Keep one default branch.'),
  },
  9016: {
    message: say('Branch probabilities must add up to 1.'),
    fix: say('Change the probabilities, or use weights.'),
  },
  9017: {
    message: say('Only catching events may follow an event-based gateway.'),
    fix: say('Put a timer, message or condition event after it.'),
  },
  9018: {
    message: say('When does this timer go off?'),
    fix: say('Enter a duration, a date or a cycle.'),
  },
  9019: {
    message: say('Message or signal is not chosen.'),
    fix: say('Choose one, or create it on the root canvas.'),
  },
  9020: { message: say('Message has no recipient.'), fix: say('Choose who receives it.') },
  9021: { message: say('Agent is not chosen.'), fix: say('Choose a population.') },
  9022: {
    message: say('Referenced component no longer exists.'),
    fix: say('Choose another component. In a file, refer by id, not by name.'),
  },
  9023: {
    message: say('Called process is missing.'),
    fix: say('Choose a passive process that exists.'),
  },
  9024: { message: say('Container is not chosen.'), fix: say('Choose a container.') },
  9025: {
    message: say('Amount, capacity or key is missing or invalid.'),
    fix: say('Fill in a number >= 0 and an existing key. Into a store of items goes an item or a list: [5].'),
  },
  9026: {
    message: say('Link has no source or target agent.'),
    fix: say('Choose the agents at both ends.'),
  },
  9027: {
    message: say('Space is not set or its minimum is not below its maximum.'),
    fix: say('Set the bounds so that the minimum is below the maximum. In a discrete space they may be equal: a single row or column.'),
  },
  9028: {
    message: say('Initial number must be a whole number >= 0.'),
    fix: say('Write a whole number, or a formula that gives one.'),
  },
  9029: { message: say('Inheritance loop.'), fix: say('Remove one of the inheritances.') },
  9030: {
    message: say('Choose what to show.'),
    fix: say('Pick a measure, or write a formula.'),
  },
  9031: {
    message: say('Not finished: {what}.'),
    fix: say('Fill in the missing part.'),
  },
  9032: {
    message: say('Neural network does not fit: {what}.'),
    fix: say('Mend its sizes, or give it weights that fit.'),
  },
  9033: {
    message: say('Blockchain environment, contract or transaction is invalid: {what}.'),
    fix: say('Correct the field. A local chain needs no node and no start block; a fork needs its recording.'),
  },
  10000: {
    message: say('Unknown error'),
    fix: say('Report it with the model file, if you can.'),
    detail: 'unclassified',
  },
  10001: hostCatalogue[10001],
  10002: hostCatalogue[10002],
  10003: {
    message: say('Unknown error'),
    fix: say('Make the model smaller, or record less.'),
    detail: 'out of memory',
  },
  10004: { message: say('Unknown error'), fix: say('Run again.'), detail: 'stopped by host' },
  10005: {
    message: say('Unknown error'),
    fix: say('Reset the run.'),
    detail: 'model or engine version mismatch',
  },
  10006: {
    message: say('Unknown error'),
    fix: say('Start the run from the beginning.'),
    detail: 'damaged snapshot',
  },
  10007: {
    message: say('Expected a number, got {t}.'),
    fix: say('Use a number here, or convert with float(...).'),
  },
  10008: {
    message: say('Expected true or false.'),
    fix: say('Write a comparison, such as x > 0.'),
  },
  10009: { message: say('Expected text.'), fix: say('Convert with str(...).') },
  10010: {
    message: say('Expected a list.'),
    fix: say('Use a list, or convert with list(...).'),
  },
  10011: { message: say('Expected a dict.'), fix: say("Use a dict, such as '{'\"a\": 1'}'.") },
  10012: { message: say('Expected an entity.'), fix: say('Use an agent, cell or link.') },
  10013: {
    message: say('Expected a date, time or duration.'),
    fix: say('Use now, date(...) or duration(...).'),
  },
  10014: {
    message: say('Value is empty.'),
    fix: say('Test it with "is not None" first.'),
  },
  10015: {
    message: say('Result is not a finite number.'),
    fix: say('Look for a division by a very small number, or for an overflow.'),
  },
  10016: {
    message: say('Cannot convert {a} to {b}.'),
    fix: say('Check the value before converting it.'),
  },
  10017: { message: say('Units do not match.'), fix: say('Convert one of the values.') },
  10018: {
    message: say('Division by zero.'),
    fix: say('Test the divisor first, or use max(divisor, 1).'),
  },
  10019: {
    message: say("Value is outside the function's domain."),
    fix: say('Limit the argument first.'),
  },
  10020: {
    message: say('Distribution parameters are invalid.'),
    fix: say("Look up the allowed parameters in the function's help."),
  },
  10021: {
    message: say('Probability must lie in [0,1].'),
    fix: say('Divide by the total, or use min(max(p, 0), 1).'),
  },
  10022: {
    message: say('Index out of range.'),
    fix: say('Compare the index with len(...) first.'),
  },
  10023: {
    message: say('Index must be a whole number.'),
    fix: say('Round it with int(...) or use //.'),
  },
  10024: {
    message: say('Key not found.'),
    fix: say('Use .get(key, default), or test with "in" first.'),
  },
  10025: {
    message: say('Key is empty or duplicated.'),
    fix: say('Use a key that is not empty and not used yet.'),
  },
  10026: { message: say('Collection is empty.'), fix: say('Test it first, or give a default.') },
  10027: { message: say('Lists differ in length.'), fix: say('Use lists of the same length.') },
  10028: {
    message: say('Sample is larger than the collection.'),
    fix: say('Draw at most len(...) items, or use choices(...).'),
  },
  10029: {
    message: say('Formula cannot be parsed.'),
    fix: say('Correct the marked part of the formula.'),
  },
  10030: {
    message: say('Formula cannot be evaluated.'),
    fix: say('Check the operands: this operation is not defined for them.'),
  },
  10031: {
    message: say('Name not found.'),
    fix: say('Check the spelling, or declare the variable.'),
  },
  10032: {
    message: say('Wrong arguments.'),
    fix: say("Look up the parameters in the function's help."),
  },
  10033: {
    message: say('This variable may not be changed from here.'),
    fix: say('Switch on “Others may change it” at the variable, or change it in a process of its owner: by Ask or by a message.'),
  },
  10034: {
    message: say('Recursion or loop limit reached.'),
    fix: say('Make sure that the loop or the recursion ends.'),
  },
  10035: {
    message: say('Assertion failed: {tip}.'),
    fix: say('Find out why the asserted condition is false.'),
  },
  10036: {
    message: say('Not enough resource.'),
    fix: say('Let the step wait, or take no more than the level.'),
  },
  10037: {
    message: say('Container is full.'),
    fix: say('Let the step wait, or raise the capacity.'),
  },
  10038: {
    message: say('Container key not found.'),
    fix: say('Add the key to the container.'),
  },
  10039: { message: say('Amount must not be negative.'), fix: say('Use max(amount, 0).') },
  10040: {
    message: say('More released than held.'),
    fix: say('Release only what was requested.'),
  },
  10041: {
    message: say('Resource still held at process end.'),
    fix: say('Release it before the end event.'),
  },
  10042: {
    message: say('Request exceeds total capacity.'),
    fix: say('Request less, or raise the capacity.'),
  },
  10043: { message: say('Item not found in container.'), fix: say('Test for it first.') },
  10044: {
    message: say('Gateway without branch: no condition holds and no default.'),
    fix: say('Add a default branch.'),
  },
  10045: {
    message: say('Branch weights add up to zero.'),
    fix: say('Give at least one branch a weight above 0.'),
  },
  10046: {
    message: say('Join can never complete.'),
    fix: say(
      'Match the join with the split before it: it takes one token from each flow, all of one process instance. To join tokens of different starts, let them meet in a container.',
    ),
  },
  10047: {
    message: say('Too many steps at one instant.'),
    fix: say('Put a delay greater than 0 into the loop; let the interval of a timer be greater than 0.'),
  },
  10048: {
    message: say('Process cannot be called.'),
    fix: say('Make the process passive and its owner alive.'),
  },
  10049: {
    message: say('Too many tokens in process.'),
    fix: say('Limit the arrivals, or raise the maximum.'),
  },
  10050: {
    message: say('Error {n} was not caught.'),
    fix: say('Add an error boundary event.'),
  },
  10051: {
    message: say('Delay is negative or not finite.'),
    fix: say('Use max(delay, 0).'),
  },
  10052: {
    message: say('Event lies in the past.'),
    fix: say('Use a time that is not before now.'),
  },
  10053: { message: say('Entity is dead.'), fix: say('Test .alive first.') },
  10054: {
    message: say('No entity matches.'),
    fix: say('Choose what happens if nobody matches.'),
  },
  10055: {
    message: say('Entity belongs to another population.'),
    fix: say('Use an entity of the expected population.'),
  },
  10056: {
    message: say('Population limit exceeded.'),
    fix: say('Create fewer, or raise the maximum of the population: 16,777,216 is the most there can be.'),
  },
  10057: {
    message: say('Link already exists.'),
    fix: say('Test with link_between(...) first, or make the link repeatable.'),
  },
  10058: {
    message: say('Link end is missing or dead.'),
    fix: say('Link living agents only.'),
  },
  10059: {
    message: say('Self-link is not allowed.'),
    fix: say('Link two different agents.'),
  },
  10060: {
    message: say('Position is outside the space.'),
    fix: say('Keep it within min_x..max_x and min_y..max_y, or let the space wrap.'),
  },
  10061: {
    message: say('Cell is full.'),
    fix: say("Choose an empty cell, or raise the cell's capacity."),
  },
  10062: { message: say('Entity is not placed.'), fix: say('Place it first.') },
  10063: {
    message: say('Message has no live recipient.'),
    fix: say('Choose recipients that are alive.'),
  },
  10064: {
    message: say('Mailbox is full or payload does not fit.'),
    fix: say("Raise the mailbox's capacity, or send the declared fields."),
  },
  10065: {
    message: say('Action is out of range, or none is possible.'),
    fix: say(
      'Give an action for each variable, within its bounds and among the allowed ones; allow at least one. A person is asked only where the model runs on a page: elsewhere choose a control or another policy.',
    ),
  },
  10066: {
    message: say('Network shape mismatch.'),
    fix: say('Pass as many inputs as the network has, and let it have an output for each action.'),
  },
  10067: {
    message: say('Blockchain call failed: {reason}.'),
    fix: say('Look at what is sent, by which account, and at the state of the contract; or let the step take its default branch.'),
  },
} as const satisfies Readonly<Record<number, Row>>

/** `{name}` in a message is filled in. `detail` goes to the log only: people read "unknown error". */
type Row = { message: Words; fix: Words; detail?: string }

const ofHost = say('Reserved: raised by the page and its worker, not by a model. It is shown as "Unknown error".')
/** Codes that no model leads to, and why. */
export const reserved: Partial<Record<ProblemCode, Words>> = {
  10000: say('Reserved: a mistake of the engine itself.'),
  10001: ofHost,
  10002: ofHost,
  10003: ofHost,
  10004: ofHost,
  10005: ofHost,
  10006: ofHost,
  10017: say('Reserved: units are labels, and formulas do not convert them.'),
  10029: say('Reserved: a run has only formulas that the checker has read (8002).'),
  10046: say(
    'A warning, no error of a run: the checker gives it where a split before a parallel join is missing, and the summary of a run where tokens are left waiting for what cannot come.',
  ),
}

export type ProblemCode = keyof typeof catalogue

/** An element, one of its fields, and a range of the field's text in UTF-16 units, end exclusive. */
export type Place = { id: string; field?: string; from?: number; to?: number }

/** Something wrong with a model that its author can mend. */
export type Problem = {
  code: ProblemCode
  severity: 'error' | 'warning'
  at: Place
  /** One sentence, filled in. */
  message: Words
  /** What to do about it. */
  fix: Words
  /** Formula problems: which kind, and a name that was probably meant. */
  kind?: string
  near?: string
  /** A change of another element's field that would mend it. */
  repair?: Repair
}

/** A field to be set, what to call that, and what else might be done. */
export type Repair = { id: string; field: string; value: boolean | number | string; label: Words; fix: Words }

/** A value of a message: as it is, or a text. */
export type Param = string | number | Words

/** Makes the problem `code` at `at`; `params` fill the message's placeholders in the order of the English text. */
export function problem(
  code: ProblemCode,
  at: Place,
  params: readonly Param[] = [],
  severity: 'error' | 'warning' = severityOf(code),
): Problem {
  return { code, severity, at, message: messageOf(code, params), fix: catalogue[code].fix }
}

/** The same where more can be said than the catalogue's sentence: what exactly is wrong, and what to do about it here. */
export function problemSaying(
  code: ProblemCode,
  at: Place,
  message: Words,
  fix: Words = catalogue[code].fix,
  severity: 'error' | 'warning' = severityOf(code),
): Problem {
  return { code, severity, at, message, fix }
}

/** A warm-up as long as the run, or longer. */
export const nothingMeasured = (scenario: string): Problem =>
  problemSaying(
    9030,
    { id: scenario, field: 'warmUp' },
    say('The warm-up covers the whole run: statistics have no data.'),
    say('Run for longer, or shorten the warm-up.'),
    'warning',
  )

/** Unreachable elements are worth a warning; all else stops a run. */
function severityOf(code: ProblemCode): 'error' | 'warning' {
  return code === 8007 ? 'warning' : 'error'
}

/** The filled-in message of `code`; placeholders without a value are left out. */
export function messageOf(code: ProblemCode, params: readonly Param[] = []): Words {
  const { message } = catalogue[code]
  return filled(message, Object.fromEntries(placeholdersOf(message).map((name, k) => [name, params[k] ?? ''])))
}

/** The names that are filled into a message of the catalogue. */
export const placeholdersOf = (message: Words): string[] =>
  'text' in message ? [...message.text.matchAll(placeholder)].map(match => match[1]!) : []

const placeholder = /\{(\w+)\}/g

export function isProblemCode(code: number): code is ProblemCode {
  return Object.hasOwn(catalogue, code)
}

/**
 * A run went wrong. Thrown by generated code and the run-time functions, caught once, where the run is driven; the run
 * then is `failed` and its state stays open for inspection. `from`, `to` mark the formula text that failed.
 */
export class RunError extends Error {
  override readonly name = 'RunError'
  readonly code: ProblemCode
  readonly params: readonly Param[]
  /** Known to the formula alone; the engine adds the element. */
  readonly from: number | undefined
  readonly to: number | undefined
  /** Filled in on the way up by the engine. */
  at?: Place
  time?: number
  entity?: string

  constructor(code: ProblemCode, params: readonly Param[] = [], from?: number, to?: number) {
    super(english(messageOf(code, params)))
    this.code = code
    this.params = params
    this.from = from
    this.to = to
  }

  /** The message, to be shown in any language. */
  get words(): Words {
    return messageOf(this.code, this.params)
  }
}
