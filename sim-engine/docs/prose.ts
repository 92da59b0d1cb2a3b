// The parts of the reference that people wrote: what no table says. Markdown of a small kind: paragraphs, lists, tables,
// fenced code, `code` and *emphasis*.
import { say } from '../../model-schema/kinds/kind.ts'
import type { Words } from '../../model-schema/kinds/kind.ts'

/** What a model is. */
export const overview: Words = say(
  `A model file (.holo) holds scenarios. A scenario is one canvas: populations of agents, cells and links, spaces, variables, containers,
messages, functions, statistics, charts, controllers and processes. Entities and processes are canvases of their own. Processes are BPMN
graphs run by tokens; formulas are a typed subset of Python.`,
  `模型文件（.holo）包含若干方案。一个方案是一块画布：智能体、元胞和连接的群体，空间、变量、容器、消息、函数、统计、图表、控制器和流程。
实体和流程各有自己的画布。流程是由令牌运行的 BPMN 图；公式是 Python 的一个带类型的子集。`,
)

/** How files are run without the app. */
export const commandLine: Words = say(
  `Run a file with \`npm run holarchy -- run FILE.holo --json\`;
\`--seed N\`, \`--ticks N\`, \`--set NAME=VALUE\` (a public variable) and \`--replications N\` change the run, \`npm run holarchy -- check FILE.holo\` only lists what is wrong.
All commands warn of what a file says and nobody reads: unknown fields, references that are no ids, \`every\` without \`"trigger": "timer"\`.`,
  `运行文件：\`npm run holarchy -- run FILE.holo --json\`；
\`--seed N\`、\`--ticks N\`、\`--set NAME=VALUE\`（公共变量）和 \`--replications N\` 改变运行，\`npm run holarchy -- check FILE.holo\` 只列出问题。
所有命令都会提示文件中无人读取的内容：未知字段、不是 id 的引用、没有 \`"trigger": "timer"\` 的 \`every\`。`,
)

/** How a .holo file is written. */
export const fileFormat: Words = say(
  `JSON: \`{ "format": "holo", "version": 1, "elements": { ID: ELEMENT, ... } }\`. An element has \`kind\`, \`parent\` (the id of the element on
whose canvas it stands; a scenario has none; left away = the first scenario) and its fields by their ids, listed below under *Elements*.
Fields left away have their defaults. Formulas are text: \`"initial": "10"\`, also for numbers. References are ids: \`"space": "Meadow"\`.
Tables are lists of records: \`"values": [{ "property": "energy", "mode": "expression", "value": "energy / 2" }]\`.
A connector (\`flow\`) has \`from\` and \`to\`, each the id of a step, and the process as its parent. \`geo\` [x, y, width, height], \`rank\` (order
on the canvas) and \`bends\` may be left away: order is then that of the file. Ids are unique in the file: 1 to 64 letters, digits, \`_\` or \`-\`, a letter or digit first.

Names in formulas: letters, digits and \`_\`; anything else in a name becomes one \`_\` ("Sheep gain" is \`Sheep_gain\`). Names are
case-sensitive and unique on their canvas. They are none of Python's words (\`class\`, \`from\`, \`lambda\`, \`with\` ...), nor \`self\` or \`actor\`.`,
  `JSON：\`{ "format": "holo", "version": 1, "elements": { ID: 元素, ... } }\`。每个元素有 \`kind\`、\`parent\`（所在画布的元素的 id；方案没有；省略 = 第一个方案），
以及按字段 id 给出的字段，见下文“元素”。省略的字段取默认值。公式是文本：\`"initial": "10"\`，数字也是如此。引用是 id：\`"space": "Meadow"\`。
表格是记录的列表：\`"values": [{ "property": "energy", "mode": "expression", "value": "energy / 2" }]\`。
连接线（\`flow\`）有 \`from\` 和 \`to\`，各为一个步骤的 id，其 parent 是流程。\`geo\` [x, y, 宽, 高]、\`rank\`（画布上的次序）和 \`bends\` 可以省略：次序即文件中的次序。
id 在文件中唯一：1 到 64 个字母、数字、\`_\` 或 \`-\`，以字母或数字开头。

公式中的名称：字母、数字和 \`_\`；名称中的其他字符变为一个 \`_\`（“Sheep gain” 写作 \`Sheep_gain\`）。名称区分大小写，在其画布上唯一；不能是 Python 的保留字（\`class\`、\`from\`、\`lambda\`、\`with\` 等），也不能是 \`self\` 或 \`actor\`。`,
)

/** What the model below is about. */
export const exampleWords: Words = say(
  `Ten walkers on a 21 x 21 torus; each eats grass where it stands, bears young when it is rich, and dies when it has no energy left.`,
  `在 21 x 21 的环面上有十个行者；各自吃脚下的草，富足时生育，能量耗尽时死去。`,
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
export const timeAndOrder: Words = say(
  `Time is a real number of ticks; a run goes from 0 to the scenario's total ticks. At one instant: 0 input from outside, 1 timers and tokens
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
individuals that pass the filter; the expression is seen from each individual. *Time-weighted* gives the mean over time.`,
  `时间是以步计的实数；一次运行从 0 到方案的总步数。同一时刻的次序：0 外部输入，1 定时器和被唤醒的令牌，2 消息，3 步和出生，4 变为真的条件（若有事发生则再从 1 开始），
5 同步更新生效，6 统计和图表，7 停止判断。每步采样的统计也记录时刻 0。
条件在该时刻的其他事情都完成后判断，此前为真者在每次反应之后再次判断：每次由假变真都算数，同一时刻之内也是如此。在轮到之前又被另一反应变为假的，不会启动；
两个互相切换的条件以 10047 结束。有事发生即为一个时刻，每一步也是，除非方案关闭了 *按步推进*：没有步时，用定时器等待时刻，不要用 \`time >= 5\`。
- 仅设 \`every\` 为 1 的定时开始事件由步本身启动：先是全局流程，再按画布次序逐个群体，观察者先于个体；个体按群体的次序行动（\`fixed\`、\`shuffled\`、\`key\`、\`simultaneous\`）。
  每个个体按画布次序跑完它每一步的全部流程，之后才轮到下一个。第一步在时刻 1。
- 其他定时开始事件在阶段 1 自行触发：先在 \`first\`（留空：运行开始或出生后一个间隔），之后每隔 \`every\`（first + k * every，以乘法计算），可以是随机的：\`exponential(5)\`，每个间隔抽取一次：期间变化的速率从下一次起才算数。\`every\` 留空则只触发一次。
- 主动的普通开始事件在时刻 0 或个体出生时（阶段 3）产生一个令牌。
- *同步* 群体读取本步开始时的状态；其自身流程的写入在阶段 5 出现。其他实体对它的写入立即生效。元胞默认是同步的。
  这适用于各种类型的变量；就地修改的列表、集合或字典（\`append\`、\`[0] = 1\`）立即改变，请改为重新赋值（\`seen = seen + [x]\`）；外观（颜色、大小等）和位置也立即改变。
- 群体并列放在方案的画布上：若要嵌套，让一个个体的变量指向另一个。继承者计入被继承的群体，也一同被选取和列出（\`Animal.count\` 包含狗，结果中也是如此）；
  被继承群体的观察者变量由二者共用。一个群体最多 16,777,216 个个体。
- 按日历计时，时长、间隔和日程仍以步计。没有连续时间的存量与流量：请在程序中积分。没有事件子流程：请在子流程上使用边界事件。
- 与运行等长的预热期不会留下数据。种子相同的方案逐个元素地共用随机数。
- 步中出生的个体从下一步开始行动；死者被跳过。
- 令牌一直运行到等待或结束。分叉的各支按其顺序流的次序运行。
- 开始时，世界的变量先得到初始值，其中读取群体的最后。然后依次是所有元胞、按画布次序的智能体和连接，逐个个体进行：初始值能看到元胞、在它之前的智能体和它自己，
  看不到连接。需要所有个体的（\`friend = choice(Person)\`、\`degree(Knows)\`）应放在以普通开始事件启动的流程中。
- 新生个体先得到初始值，再应用“创建”中的设置。后代从母体继承其余属性。*稀释* 把母体值的该份额给新生个体，其余留给母体。

活动按此次序进行：申请资源，运行 *之前*，经过时长，活动做它的工作，运行 *之后*，释放资源。边界事件从到达守候到结束；同一时刻完成优先于定时器。被放弃的活动归还其资源，子流程之内的也一样。
子流程被边界事件中断时，其中由容器操作申请的也会归还，除非同一令牌在旁边还有其他分支；此前申请的仍归令牌所有。

汇合：*并行* 从每条流入的流各取一个令牌，且均属同一流程实例：不同开始产生的令牌不会汇合（10046），请让它们经由容器相遇；*包容* 等待仍可能到来的令牌；*同步* 等到其前的分叉的所有令牌都已到达或结束，然后原令牌继续；*m/n* 在第 m 个到达时继续，其余被吞掉。
每一支有临时变量的自己的副本；汇合之后继续的原令牌保有分叉之前的值（只有 *输出* 和 *输入输出* 接口被交回），因此各支通过行动者或模型的变量共享所得。活动有多条流出的流即为分叉。

容器：现在办不到的，在容器的队列中等待（按优先级，小者在先，再按到达），直到办得到，除非 *否则* 指定失败、有多少取多少，或走默认分支：那时该步骤多一条标为 \`default\` 的流出，供没有得到的令牌走。
放弃等待者（*超时*、*放弃条件*）也走这一支。数量留空的释放会归还令牌持有的全部。被抢占者按其到来的时刻等待，之后 *继续* 剩余的部分，或以同样的时长 *重新开始*。数量、占用和队列按时间加权，精确无误；其在公式中的名称见下文“容器”。预热期不计入。

流程：流程画布上的变量每个令牌各有一个，随令牌产生：初始值为 \`time\` 的变量记下令牌到来的时刻，于是后面的“计算”中 \`time - came\` 就是在系统中的时间。
全忙时（*最大并发令牌数*）令牌带着它的一切等待。一直进行下去的，是以 \`True\` 为条件重复的子流程，其后接一个结束事件，因为每个流程都要有一个。

消息：每个个体有一个信箱，\`world\`（填在“对象范围”中）也有一个，供不属于任何个体的流程使用。

结果：\`Step_name.output\` 是有名称的步骤给予该令牌的结果，在其各支和子流程中也可读取；在此之前及没有得到时为 \`None\`。请求：选中的实体；创建：新的个体。容器操作：数量、物品，或在 *任选其一* 时所用行的编号（从 0 起）。
调用：流程唯一的 *输出* 接口的值，有多个时为字典；调用流程的请求：这些值的列表，每个实体一个。由消息或信号触发的事件和开始事件：其携带的值，为字典（\`heard.output["price"]\`）；
流程中与其中某个值同名的临时变量或接口也得到该值。

消息发给个体；*对象范围* 为 \`world\` 时发给全局流程。发给整个群体（其名称，无筛选、无挑选）的消息，若其观察者的某个流程接收它，也会到达该观察者。
无人领取的消息在接收者的邮箱中等待；*有效期* 和 *邮箱容量* 对此加以限制。

没有 *统计对象* 的统计给出表达式的值（聚合为 *值*），或其各次采样的聚合。针对群体的统计给出通过筛选的个体的聚合；表达式从每个个体的角度求值。*按时间加权* 给出时间上的平均值。`,
)

/** The language. */
export const formulaWords: Words = say(
  `A subset of Python: numbers, strings, f-strings, True, False, None, lists, dicts, sets, tuples, ranges; the operators of Python with chained comparison,
\`and or not in is\`, \`a if c else b\`, slices (\`**\` is the power, \`^\` works on bits); comprehensions and generators (\`sum(a.wealth for a in neighbors(3) if a.happy)\`). Programs: assignment
(also \`+=\` and tuples), \`if / elif / else\`, \`for\`, \`while\`, \`break\`, \`continue\`, \`pass\`; \`return\` in function blocks. An *expression* or *condition* only
reads; a *program* must change something. Headings and turns are degrees, east 0, counter-clockwise; \`sin\`, \`cos\`,
\`atan2\` ... take and give radians (\`radians(heading)\`). Random functions draw from the stream of the element they stand in.`,
  `Python 的子集：数值、字符串、f 字符串、True、False、None、列表、字典、集合、元组、range；Python 的运算符，含链式比较、\`and or not in is\`、\`a if c else b\`、切片（\`**\` 是乘方，\`^\` 是按位运算）；推导式和生成器
（\`sum(a.wealth for a in neighbors(3) if a.happy)\`）。程序：赋值（包括 \`+=\` 和元组）、\`if / elif / else\`、\`for\`、\`while\`、\`break\`、\`continue\`、\`pass\`；函数块中有 \`return\`。
*表达式* 和 *条件* 只读；*程序* 必须有所改变。朝向和转角以度计，东为 0，逆时针；\`sin\`、\`cos\`、\`atan2\` 等使用弧度（\`radians(heading)\`）。随机函数从其所在元素的随机流中抽取。`,
)

/** Names a formula may use. */
export const names: Words = say(
  `Names are looked up from the inside out: local, temporary variable or interface of the process, own property, own observer, global, built-in.
Another entity's properties are read by dot (\`cell.green\`, \`mother.energy\`); public ones are set by dot. In the filter and program of an Ask (and the
filter and rank of every choice) names are the chosen entity's; the actor is \`actor\`.

| where | names |
|---|---|
| everywhere | \`tick\`, \`time\`, \`now\` (by calendar), \`world\`, populations (\`Wolf.count\`, \`Wolf.individuals\`), spaces (\`Field.min_x\` ...), messages (\`Order.sent\`, \`.received\`, \`.lost\`), tag sets (\`Colour.red\`) |
| individual | \`self\`, \`id\` (1, 2, ... by birth), \`alive\`, \`age\`, \`color\`*, \`size\`*, \`shape\`*, \`visible\`*, \`x\`, \`y\`, \`z\` (3D), \`position\`, \`heading\`, \`cell\`, \`space\`, \`mother\` (* writable) |
| link | \`source\`, \`target\`, \`ends\`, \`weight\`*, \`line_type\`*, \`thickness\`* |
| observer | \`individuals\`, \`count\`, \`nodes\` (links), \`min_x\`, \`max_x\`, \`min_y\`, \`max_y\` (cells) |
| in a process | \`Step_name.output\`; inside a for-each subprocess \`item\` and \`index\`; in *Only if* of a receive event \`message["field"]\` |`,
  `名称由内向外查找：局部变量、流程的临时变量或接口、自身属性、自身观察者、全局、内置。其他实体的属性用点读取（\`cell.green\`、\`mother.energy\`）；公开的可以用点设置。
在“请求”的筛选和程序中（以及每种选择的筛选和排序中），名称指被选中的实体；行动者是 \`actor\`。

| 何处 | 名称 |
|---|---|
| 处处 | \`tick\`、\`time\`、\`now\`（按日历）、\`world\`、群体（\`Wolf.count\`、\`Wolf.individuals\`）、空间（\`Field.min_x\` …）、消息（\`Order.sent\`、\`.received\`、\`.lost\`）、标签集（\`Colour.red\`） |
| 个体 | \`self\`、\`id\`、\`alive\`、\`age\`、\`color\`*、\`size\`*、\`shape\`*、\`visible\`*、\`x\`、\`y\`、\`z\`（三维）、\`position\`、\`heading\`、\`cell\`、\`space\`、\`mother\`（* 可写） |
| 连接 | \`source\`、\`target\`、\`ends\`、\`weight\`*、\`line_type\`*、\`thickness\`* |
| 观察者 | \`individuals\`、\`count\`、\`nodes\`（连接）、\`min_x\`、\`max_x\`、\`min_y\`、\`max_y\`（元胞） |
| 流程中 | \`步骤名.output\`；逐项子流程中 \`item\` 和 \`index\`；接收事件的 *仅当* 中 \`message["字段"]\` |`,
)

/** What the second model is about. */
export const processWords: Words = say(
  `A process model: customers come at random to a desk with two clerks; who waits longer than 5 leaves. \`--json\` gives the figures of \`clerks\`, the public variables and the statistics.`,
  `一个流程模型：顾客随机来到有两名职员的柜台；等待超过 5 者离开。\`--json\` 给出 \`clerks\` 的数据、公共变量和统计。`,
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
