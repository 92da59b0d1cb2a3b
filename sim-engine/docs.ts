// The reference of the language and the metamodel, generated from their tables: what `docs` prints and the app shows.
import type { Field, Kind } from '../model-schema/kinds/kind.ts'
import { kinds } from '../model-schema/kinds.ts'
import { constants, rows } from './formula/library/library.ts'
import { methods } from './formula/library/methods.ts'
import { catalogue } from './problems.ts'

export type Language = 'en' | 'zh'

/** Markdown. */
export function referenceText(language: Language = 'en'): string {
  return [
    introduction,
    fileFormat,
    example,
    semantics,
    formulaText(language),
    functionsText(language),
    kindsText(language),
    codesText(language),
  ].join('\n\n')
}

const introduction = `# Holarchy reference

A model file (.holo) holds scenarios. A scenario is one canvas: populations of agents, cells and links, spaces, variables, containers,
messages, functions, statistics, charts, controllers and processes. Entities and processes are canvases of their own. Processes are BPMN
graphs run by tokens; formulas are a typed subset of Python. Run a file with \`npm run holarchy -- run FILE.holo --json\`.`

const fileFormat = `## File format

JSON: \`{ "format": "holo", "version": 1, "elements": { ID: ELEMENT, ... } }\`. An element has \`kind\`, \`parent\` (the id of the element on
whose canvas it stands; a scenario has none; left away = the first scenario) and its fields by their ids, listed below under *Elements*.
Fields left away have their defaults. Formulas are text: \`"initial": "10"\`, also for numbers. References are ids: \`"space": "Meadow"\`.
Tables are lists of records: \`"values": [{ "property": "energy", "mode": "expression", "value": "energy / 2" }]\`.
A connector (\`flow\`) has \`from\` and \`to\`, each the id of a step, and the process as its parent. \`geo\` [x, y, width, height], \`rank\` (order
on the canvas) and \`bends\` may be left away: order is then that of the file. Ids are unique in the file: 1 to 64 letters, digits, \`_\` or \`-\`, a letter or digit first.

Names in formulas: letters, digits and \`_\`; anything else in a name becomes one \`_\` ("Sheep gain" is \`Sheep_gain\`). Names are
case-sensitive and unique on their canvas.`

const example = `## A whole model

Ten walkers on a 21 x 21 torus; each eats grass where it stands, bears young when it is rich, and dies when it has no energy left.

\`\`\`json
{ "format": "holo", "version": 1, "elements": {
  "s": { "kind": "scenario", "name": "Walkers", "totalTicks": 100, "seed": 1 },
  "field": { "kind": "space", "parent": "s", "name": "Field", "minX": "0", "maxX": "20", "minY": "0", "maxY": "20" },
  "gain": { "kind": "variable", "parent": "s", "name": "Gain", "initial": "4", "public": true },
  "grass": { "kind": "cell", "parent": "s", "name": "Grass", "space": "field", "order": "fixed" },
  "green": { "kind": "variable", "parent": "grass", "name": "green", "initial": "bernoulli(0.5)", "public": true },
  "grow": { "kind": "process", "parent": "grass", "name": "Grow" },
  "g1": { "kind": "start", "parent": "grow", "trigger": "timer", "every": "1" },
  "g2": { "kind": "compute", "parent": "grow", "program": "if random() < 0.05:\\n    green = True" },
  "g3": { "kind": "end", "parent": "grow" },
  "gf1": { "kind": "flow", "parent": "grow", "from": "g1", "to": "g2" },
  "gf2": { "kind": "flow", "parent": "grow", "from": "g2", "to": "g3" },
  "walker": { "kind": "agent", "parent": "s", "name": "Walker", "initialNumber": "10", "space": "field", "placement": "random" },
  "energy": { "kind": "variable", "parent": "walker", "name": "energy", "initial": "10" },
  "live": { "kind": "process", "parent": "walker", "name": "Live" },
  "l1": { "kind": "start", "parent": "live", "trigger": "timer", "every": "1" },
  "l2": { "kind": "move", "parent": "live", "motion": "turn", "amount": "uniform(-50, 50)" },
  "l3": { "kind": "move", "parent": "live", "motion": "forward", "amount": "1" },
  "l4": { "kind": "compute", "parent": "live", "program": "energy -= 1\\nif cell.green:\\n    cell.green = False\\n    energy += Gain" },
  "l5": { "kind": "gateway", "parent": "live", "type": "exclusive" },
  "l6": { "kind": "destroy", "parent": "live", "who": "actor" },
  "l7": { "kind": "create", "parent": "live", "population": "walker", "as": "offspring", "count": "1",
          "values": [{ "property": "energy", "mode": "dilute", "value": "0.5" }] },
  "l8": { "kind": "end", "parent": "live" },
  "lf1": { "kind": "flow", "parent": "live", "from": "l1", "to": "l2" }, "lf2": { "kind": "flow", "parent": "live", "from": "l2", "to": "l3" },
  "lf3": { "kind": "flow", "parent": "live", "from": "l3", "to": "l4" }, "lf4": { "kind": "flow", "parent": "live", "from": "l4", "to": "l5" },
  "lf5": { "kind": "flow", "parent": "live", "from": "l5", "to": "l6", "condition": "energy < 0" },
  "lf6": { "kind": "flow", "parent": "live", "from": "l5", "to": "l7", "condition": "energy > 20" },
  "lf7": { "kind": "flow", "parent": "live", "from": "l5", "to": "l8", "default": true },
  "lf8": { "kind": "flow", "parent": "live", "from": "l6", "to": "l8" }, "lf9": { "kind": "flow", "parent": "live", "from": "l7", "to": "l8" },
  "n": { "kind": "statistic", "parent": "s", "name": "walkers", "expression": "Walker.count" }
} }
\`\`\``

const semantics = `## Time and order

Time is a real number of ticks; a run goes from 0 to the scenario's total ticks. At one instant: 0 input from outside, 1 timers and tokens
woken up, 2 messages, 3 the tick and births, 4 conditions that became true (then again from 1 while something happens), 5 simultaneous updates
take effect, 6 statistics and charts, 7 stop tests. Statistics sampled every tick also record time 0.
- A timer start with \`every\` 1 and nothing else is started by the tick itself: global processes first, then populations in canvas order, the
  observer's before the individuals'; individuals act in the population's order (\`fixed\`, \`shuffled\`, \`key\`, \`simultaneous\`). Each individual runs
  all its tick processes in canvas order before the next one acts. The first tick is at time 1.
- Any other timer start goes off by itself in phase 1: first at \`first\` (blank: one interval after the start of the run or the birth), then each
  \`every\`, which may be random: \`exponential(5)\`. With a blank \`every\` it goes off once.
- An active normal start makes one token at time 0, or at the birth of the individual (phase 3).
- A *simultaneous* population reads the state at the start of the tick; what its own processes write appears in phase 5. What others write to it
  takes effect at once. Cells are simultaneous unless told otherwise.
- Individuals born during a tick first act in the next one; the dead are skipped.
- A token runs on until it waits or ends. Branches of a fork run in the order of their flows.
- Newborns get their initial values, then what Create says. Offspring take over the other properties of their mother. *Dilute* gives the newborn
  that share of the mother's value, and the mother keeps the rest.

Activities happen in this order: resources are requested, *before* runs, the duration passes, the activity does its work, *after* runs, the
resources are released. Boundary events watch from the arrival to the end; at the same time a completion wins over a timer.

Joins: *parallel* takes one token from each incoming flow; *inclusive* waits for those that can still come; *synchronizing* waits until all tokens of
the split before it have arrived or ended, then the original goes on; *m of n* goes on with the m-th and swallows the rest. Each branch has
its own copy of the temporary variables; the original that goes on behind a join has those of the time before the split (only *out* and *in and out*
interfaces are handed back), so branches share what they find out through variables of the actor or the model. Several flows
out of an activity are a fork.

Containers: what can't be done now waits in the container's queue (by priority, lowest number first, then by arrival) until it can, unless *otherwise* says
to fail, to take what there is, or to take the default branch: then the step has one more flow out, marked \`default\`, for those who got nothing. In formulas: \`c.level\`, \`c.capacity\`, \`c.in_use\`, \`c.queue\`, \`c.utilization\`, \`c.mean_wait\`,
\`c.mean_queue\`, \`c.mean_level\`, \`c.mean_in_use\`, \`c.max_queue\`, \`c.max_wait\`, \`c.waited\`, \`c.served\`, \`c.gave_up\`. Level, units in use and queue are time-weighted and exact.

Statistics without *over* give the expression (aggregate *Value*), or the aggregate of its samples over time. Statistics *over* a population give the aggregate over its
individuals that pass the filter; the expression is seen from each individual. *Time-weighted* gives the mean over time.`

const namesText = `### Names

Names are looked up from the inside out: local, temporary variable or interface of the process, own property, own observer, global, built-in.
Another entity's properties are read by dot (\`cell.green\`, \`mother.energy\`); public ones are set by dot. In the filter and program of an Ask (and the
filter and rank of every choice) names are the chosen entity's; the actor is \`actor\`.

| where | names |
|---|---|
| everywhere | \`tick\`, \`time\`, \`now\` (by calendar), \`world\`, populations (\`Wolf.count\`, \`Wolf.individuals\`), spaces (\`Field.min_x\` ...), messages (\`Order.sent\`, \`.received\`, \`.lost\`), tag sets (\`Colour.red\`) |
| individual | \`self\`, \`id\`, \`alive\`, \`age\`, \`color\`*, \`size\`*, \`shape\`*, \`visible\`*, \`x\`, \`y\`, \`position\`, \`heading\`, \`cell\`, \`space\`, \`mother\` (* writable) |
| link | \`source\`, \`target\`, \`ends\`, \`weight\`*, \`line_type\`*, \`thickness\`* |
| observer | \`individuals\`, \`count\`, \`nodes\` (links), \`min_x\`, \`max_x\`, \`min_y\`, \`max_y\` (cells) |
| in a process | \`Step_name.output\`; inside a for-each subprocess \`item\` and \`index\`; in *Only if* of a receive event \`message["field"]\` |`

function formulaText(language: Language): string {
  return `## Formulas

A subset of Python: numbers, strings, f-strings, True, False, None, lists, dicts, sets, tuples, ranges; the operators of Python with chained comparison,
\`and or not in is\`, \`a if c else b\`, slices; comprehensions and generators (\`sum(a.wealth for a in neighbors(3) if a.happy)\`). Programs: assignment
(also \`+=\` and tuples), \`if / elif / else\`, \`for\`, \`while\`, \`break\`, \`continue\`, \`pass\`; \`return\` in function blocks. An *expression* or *condition* only
reads; a *program* must change something. Angles are degrees, east 0, counter-clockwise. Random functions draw from the stream of the element they
stand in.

${namesText}

### Constants

${[...constants].map(([name, { words }]) => `- \`${name}\`: ${words[language]}`).join('\n')}

### Methods

${methods.map(({ on, shown, words }) => `- ${on} \`.${shown}\`: ${words[language]}`).join('\n')}`
}

function functionsText(language: Language): string {
  const groups = [...new Set(rows.map(row => row.group))]
  const section = (group: string): string =>
    `### ${group}\n\n${rows
      .filter(row => row.group === group)
      .map(
        ({ shown, words, examples: [first] }) =>
          `- \`${shown}\`: ${words[language]}${first ? ` \`${first[0].replaceAll('\n', '; ')}\` = \`${first[1]}\`` : ''}`,
      )
      .join('\n')}`
  return `## Functions\n\n${groups.map(section).join('\n\n')}`
}

function kindsText(language: Language): string {
  return `## Elements\n\n${kinds.map(kind => kindText(kind, language)).join('\n\n')}`
}

function kindText(kind: Kind, language: Language): string {
  const places = kind.on
    .map(
      canvas =>
        ({ file: 'the file', root: 'the scenario', entity: 'an entity', process: 'a process or subprocess', experiment: 'an experiment' })[
          canvas
        ],
    )
    .join(', ')
  const joins = kind.joins ? ` From ${kind.joins.from.join(', ')}; to ${kind.joins.to.join(', ')}.` : ''
  const help = kind.help[language]
  const fields = kind.fields.map(field => fieldText(field, language, '')).join('\n')
  return `### \`${kind.id}\` ${kind.label[language]}${kind.planned ? ' (not run yet)' : ''}\n\n${help === '' ? '' : `${help} `}On: ${places}.${joins}\n\n${fields}`
}

function fieldText(field: Field, language: Language, indent: string): string {
  const { type } = field
  const what = ((): string => {
    switch (type.as) {
      case 'choice':
        return `one of ${Object.entries(type.options)
          .map(([id, words]) => `\`${id}\` (${words[language]})`)
          .join(', ')}`
      case 'formula':
        return `${type.context}${type.result ? `, ${type.result}` : ''}`
      case 'ref':
        return `id of ${type.to.join(' or ')}`
      case 'refs':
        return `ids of ${type.to.join(' or ')}`
      case 'rows':
        return 'table of'
      case 'number':
        return `number${type.integer ? ', whole' : ''}${type.min === undefined ? '' : `, >= ${type.min}`}${type.max === undefined ? '' : `, <= ${type.max}`}`
      default:
        return type.as
    }
  })()
  const when = field.when
    ? `; only with ${Object.entries(field.when)
        .map(([id, values]) => `\`${id}\` ${values.map(value => JSON.stringify(value)).join(' or ')}`)
        .join(' and ')}`
    : ''
  const initial =
    field.initial === '' || field.initial === null || (Array.isArray(field.initial) && field.initial.length === 0)
      ? ''
      : `; default \`${JSON.stringify(field.initial)}\``
  const help = field.help[language]
  const columns = type.as === 'rows' ? `\n${type.columns.map(column => fieldText(column, language, `${indent}  `)).join('\n')}` : ''
  return `${indent}- \`${field.id}\` ${field.label[language]}: ${what}${initial}${when}.${help === '' ? '' : ` ${help}`}${columns}`
}

function codesText(language: Language): string {
  const lines = Object.entries(catalogue).map(([code, { message, fix }]) => `- ${code} ${message[language]} ${fix[language]}`)
  return `## Problems\n\n8001-9033 are found by the checker, 10000-10067 while running.\n\n${lines.join('\n')}`
}
