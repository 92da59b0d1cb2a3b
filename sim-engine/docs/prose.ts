// The parts of the reference that people wrote: what no table says. Markdown of a small kind: paragraphs, lists, tables,
// fenced code, `code` and *emphasis*.
import { say, type Words } from '../../model-schema/words.ts'

/** What a model is. */
export const overview: Words =
  say(`A model file (.holo) holds scenarios. A scenario is one canvas: populations of agents, cells and links, spaces, variables, containers,
messages, functions, statistics, charts, controllers and processes. Entities and processes are canvases of their own. Processes are BPMN
graphs run by tokens; formulas are a typed subset of Python.`)

/** How files are run without the app. */
export const commandLine: Words = say(`Run a file with \`npm run holarchy -- run FILE.holo --json\`;
\`--seed N\`, \`--ticks N\`, \`--set NAME=VALUE\` (a public variable) and \`--replications N\` change the run, \`npm run holarchy -- check FILE.holo\` only lists what is wrong.
All commands warn of what a file says and nobody reads: unknown fields, references that are no ids, \`every\` without \`"trigger": "timer"\`.`)

/** How a .holo file is written. */
export const fileFormat: Words =
  say(`JSON: \`'{' "format": "holo", "version": 1, "elements": '{' ID: ELEMENT, ... '}' '}'\`. An element has \`kind\`, \`parent\` (the id of the element on
whose canvas it stands; a scenario has none; left away = the first scenario) and its fields by their ids, listed below under *Elements*.
Fields left away have their defaults. Formulas are text: \`"initial": "10"\`, also for numbers. References are ids: \`"space": "Meadow"\`.
Tables are lists of records: \`"values": ['{' "property": "energy", "mode": "expression", "value": "energy / 2" '}']\`.
A connector (\`flow\`) has \`from\` and \`to\`, each the id of a step, and the process as its parent. \`geo\` [x, y, width, height], \`rank\` (order
on the canvas) and \`bends\` may be left away: order is then that of the file. Ids are unique in the file: 1 to 64 letters, digits, \`_\` or \`-\`, a letter or digit first.

Names in formulas: letters, digits and \`_\`; anything else in a name becomes one \`_\` ("Sheep gain" is \`Sheep_gain\`). Names are
case-sensitive and unique on their canvas. They are none of Python''s words (\`class\`, \`from\`, \`lambda\`, \`with\` ...), nor \`self\` or \`actor\`.`)

/** What the model below is about. */
export const exampleWords: Words = say(
  'Ten walkers on a 21 x 21 torus; each eats grass where it stands, bears young when it is rich, and dies when it has no energy left.',
)

/** A whole model, as a fenced block. */
export const exampleCode = `\`\`\`json
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

/** What happens when. */
export const timeAndOrder: Words =
  say(`Time is a real number of ticks; a run goes from 0 to the scenario's total ticks. At one instant: 0 input from outside, 1 timers and tokens
woken up, 2 messages, 3 the tick and births, 4 conditions that became true (then again from 1 while something happens), 5 simultaneous updates
take effect, 6 statistics and charts, 7 stop tests. Statistics sampled every tick also record time 0.
Conditions are looked at when all else of an instant is done, and those that were true again after each reaction to one: every change from
false to true counts, also within one instant. One that another reaction has made false again before its turn starts nothing; two that switch each other for ever
end with 10047. An instant comes whenever something happens, and at every tick unless the scenario's *Use ticks* is off: without ticks, wait for a time by a timer, not by \`time >= 5\`.
- A timer start with \`every\` 1 and nothing else is started by the tick itself: global processes first, then populations in canvas order, the
  observer's before the individuals'; individuals act in the population's order (\`fixed\`, \`shuffled\`, \`key\`, \`simultaneous\`). Each individual runs
  all its tick processes in canvas order before the next one acts. The first tick is at time 1.
- Any other timer start goes off by itself in phase 1: first at \`first\` (blank: one interval after the start of the run or the birth), then each
  \`every\` (first + k * every, by multiplication), which may be random: \`exponential(5)\`, drawn once for each interval: a rate that changes meanwhile
  counts from the next one on. With a blank \`every\` it goes off once.
- An active normal start makes one token at time 0, or at the birth of the individual (phase 3).
- A *simultaneous* population reads the state at the start of the tick; what its own processes write appears in phase 5. What others write to it
  takes effect at once. Cells are simultaneous unless told otherwise. That holds for variables of all types; a list, set or dict that is
  changed in place (\`append\`, \`[0] = 1\`) changes at once, so give it anew (\`seen = seen + [x]\`), and so do appearance (color, size ...) and place.
- Populations stand side by side on the scenario's canvas: to nest them, give a variable of one individual another. Who inherits is counted, chosen and
  listed with the population inherited from (\`Animal.count\` includes dogs, and so do results); its observer's variables are the same ones. There are at most
  16,777,216 individuals of a population.
- By calendar, durations, intervals and schedules are in ticks all the same. There are no stocks and flows in continuous time: integrate in a
  program. There are no event subprocesses: use a boundary event on a subprocess.
- A warm-up as long as the run leaves no data. Scenarios with one seed share random numbers, element by element.
- Individuals born during a tick first act in the next one; the dead are skipped.
- A token runs on until it waits or ends. Branches of a fork run in the order of their flows.
- At the start, variables of the world get their initial values first, those that read populations last. Then come all cells, agents in canvas order and
  links, one individual after the other: initial values see cells, the agents before them and themselves, no links. What needs everybody
  (\`friend = choice(Person)\`, \`degree(Knows)\`) belongs in a process with a normal start.
- Newborns get their initial values, then what Create says. Offspring take over the other properties of their mother. *Dilute* gives the newborn
  that share of the mother's value, and the mother keeps the rest.

Activities happen in this order: resources are requested, *before* runs, the duration passes, the activity does its work, *after* runs, the
resources are released. Boundary events watch from the arrival to the end; at the same time a completion wins over a timer. An activity that is given up returns its
resources, those within a subprocess theirs; what a Container operation requested within a subprocess returns, too, when a boundary event interrupts that, unless a branch beside it
belongs to the same token. What was requested before stays with the token.

Joins: *parallel* takes one token from each incoming flow, all of one process instance: tokens of different starts never join (10046), they meet in a container; *inclusive* waits for those that can still come; *synchronizing* waits until all tokens of
the split before it have arrived or ended, then the original goes on; *m of n* goes on with the m-th and swallows the rest. Each branch has
its own copy of the temporary variables; the original that goes on behind a join has those of the time before the split (only *out* and *in and out*
interfaces are handed back), so branches share what they find out through variables of the actor or the model. Several flows
out of an activity are a fork.

Containers: what can't be done now waits in the container's queue (by priority, lowest number first, then by arrival) until it can, unless *otherwise* says
to fail, to take what there is, or to take the default branch: then the step has one more flow out, marked \`default\`, for those who got nothing. Who gives up waiting (*Give up after*, *Give up when*) takes it, too. A release with a blank
amount gives back all that the token holds. Who is preempted waits as one who came when it did; then it *resumes* what was left, or *restarts* with the same duration. Level, units in use and queue are time-weighted and exact; their names in formulas stand under *Containers* below. The warm-up is left out of them.

Processes: a variable on a process's canvas is one for each token, made when the token is: with the initial value \`time\` it says when the token came, so that
\`time - came\` in a later Compute is the time in the system. Where no more tokens may be in a process (*Most tokens at once*), a token waits with all it came with. What goes on for ever is a subprocess that
repeats while \`True\`, with an end event behind it, since every process has one.

Messages: each individual has a mailbox, and so has \`world\` (as *Who*), for processes that are nobody's.

Results: \`Step_name.output\` is what a named step gave to this token, also in its branches and subprocesses; \`None\` before, and where it gave nothing. Ask: the chosen entities; Create: the new ones. Container operation: the
amount, the items, or with *any one of them* the number of the row, from 0. Call: the value of the process's only *out* interface, or a dict of several; Ask that calls:
a list of these, one for each. Events and starts by a message or signal: the values it carries, as a dict (\`heard.output["price"]\`); a temporary variable or
interface of the process that is named as one of these values gets it, too.

Messages go to individuals, or with *Who* \`world\` to global processes. Sent to all of a population (its name, no filter, no pick) a message also reaches the
population's observer where one of the observer's processes takes it. What nobody takes waits in the mailbox of its receiver; *Life time* and *Mailbox capacity* bound that.

Statistics without *over* give the expression (aggregate *Value*), or the aggregate of its samples over time. Statistics *over* a population give the aggregate over its
individuals that pass the filter; the expression is seen from each individual. *Time-weighted* gives the mean over time.`)

/** The language. */
export const formulaWords: Words =
  say(`A subset of Python: numbers, strings, f-strings, True, False, None, lists, dicts, sets, tuples, ranges; the operators of Python with chained comparison,
\`and or not in is\`, \`a if c else b\`, slices (\`**\` is the power, \`^\` works on bits); comprehensions and generators (\`sum(a.wealth for a in neighbors(3) if a.happy)\`). Programs: assignment
(also \`+=\` and tuples), \`if / elif / else\`, \`for\`, \`while\`, \`break\`, \`continue\`, \`pass\`; \`return\` in function blocks. An *expression* or *condition* only
reads; a *program* must change something. Headings and turns are degrees, east 0, counter-clockwise; \`sin\`, \`cos\`,
\`atan2\` ... take and give radians (\`radians(heading)\`). Random functions draw from the stream of the element they stand in.`)

/** Names a formula may use. */
export const names: Words =
  say(`Names are looked up from the inside out: local, temporary variable or interface of the process, own property, own observer, global, built-in.
Another entity's properties are read by dot (\`cell.green\`, \`mother.energy\`); public ones are set by dot. In the filter and program of an Ask (and the
filter and rank of every choice) names are the chosen entity's; the actor is \`actor\`.

| where | names |
|---|---|
| everywhere | \`tick\`, \`time\`, \`now\` (by calendar), \`world\`, populations (\`Wolf.count\`, \`Wolf.individuals\`), spaces (\`Field.min_x\` ...), messages (\`Order.sent\`, \`.received\`, \`.lost\`), tag sets (\`Colour.red\`) |
| individual | \`self\`, \`id\` (1, 2, ... by birth), \`alive\`, \`age\`, \`color\`*, \`size\`*, \`shape\`*, \`visible\`*, \`x\`, \`y\`, \`z\` (3D), \`position\`, \`heading\`, \`cell\`, \`space\`, \`mother\` (* writable) |
| link | \`source\`, \`target\`, \`ends\`, \`weight\`*, \`line_type\`*, \`thickness\`* |
| observer | \`individuals\`, \`count\`, \`nodes\` (links), \`min_x\`, \`max_x\`, \`min_y\`, \`max_y\` (cells) |
| in a process | \`Step_name.output\`; inside a for-each subprocess \`item\` and \`index\`; in *Only if* of a receive event \`message["field"]\` |`)

/** What the second model is about. */
export const processWords: Words = say(
  'A process model: customers come at random to a desk with two clerks; who waits longer than 5 leaves. `--json` gives the figures of `clerks`, the public variables and the statistics.',
)

/** The second model, as a fenced block. */
export const processCode = `\`\`\`json
{ "format": "holo", "version": 1, "elements": {
  "s": { "kind": "scenario", "name": "Desk", "totalTicks": 10000, "ticking": false, "warmUp": 500, "seed": 1 },
  "clerks": { "kind": "container", "parent": "s", "name": "clerks", "reusable": true, "initial": "2" },
  "done": { "kind": "variable", "parent": "s", "name": "done", "initial": "0", "public": true },
  "spent": { "kind": "variable", "parent": "s", "name": "spent", "initial": "0" },
  "visit": { "kind": "process", "parent": "s", "name": "Visit" },
  "came": { "kind": "variable", "parent": "visit", "name": "came", "initial": "time" },
  "v1": { "kind": "start", "parent": "visit", "trigger": "timer", "every": "exponential(1)" },
  "v2": { "kind": "operate", "parent": "visit", "name": "Wait", "operation": "request", "items": [{ "container": "clerks" }], "timeout": "5" },
  "v3": { "kind": "delay", "parent": "visit", "name": "Serve", "duration": "exponential(1.6)" },
  "v4": { "kind": "operate", "parent": "visit", "operation": "release", "items": [{ "container": "clerks" }] },
  "v5": { "kind": "compute", "parent": "visit", "program": "if came >= 500:\\n    done += 1\\n    spent += time - came" },
  "v6": { "kind": "end", "parent": "visit" },
  "v7": { "kind": "end", "parent": "visit", "name": "Left" },
  "f1": { "kind": "flow", "parent": "visit", "from": "v1", "to": "v2" }, "f2": { "kind": "flow", "parent": "visit", "from": "v2", "to": "v3" },
  "f3": { "kind": "flow", "parent": "visit", "from": "v3", "to": "v4" }, "f4": { "kind": "flow", "parent": "visit", "from": "v4", "to": "v5" },
  "f5": { "kind": "flow", "parent": "visit", "from": "v5", "to": "v6" },
  "f6": { "kind": "flow", "parent": "visit", "from": "v2", "to": "v7", "default": true },
  "w": { "kind": "statistic", "parent": "s", "name": "time in system", "expression": "spent / max(done, 1)", "sample": "end" },
  "l": { "kind": "statistic", "parent": "s", "name": "share lost", "expression": "clerks.gave_up / max(clerks.served + clerks.gave_up, 1)", "sample": "end" }
} }
\`\`\``
