// Every message about a model or a run: one row per code, in both languages, with what to do about it. The numbers are
// stable: tests, help and translations hold on to them. 8001-9033 are found by the checker, 10000-10067 while running.
import type { Words } from '../model-schema/kinds/kind.ts'
import { say } from '../model-schema/kinds/kind.ts'
import { hostCatalogue } from './host-problems.ts'

export const catalogue = {
  8001: {
    message: say('Formula is empty.', '公式为空。'),
    fix: say('Write a formula, or clear the option that needs it.', '请填写公式，或取消需要它的选项。'),
  },
  8002: {
    message: say('Formula is wrong: {reason}', '公式有误：{reason}'),
    fix: say('Correct the marked part of the formula.', '请修改公式中标出的部分。'),
  },
  8003: {
    message: say('Tip is empty.', '提示语为空。'),
    fix: say('Write what the person should read when this happens.', '请写明发生此情况时要显示的内容。'),
  },
  8004: {
    message: say('Nothing starts yet.', '还没有任何流程会启动。'),
    fix: say('Add a process with a Start that is active.', '请添加一个带有主动开始事件的流程。'),
  },
  8005: { message: say('Name "{n}" is already used.', '名称“{n}”已被使用。'), fix: say('Choose another name.', '请换一个名称。') },
  8006: {
    message: say('Name is empty or reserved.', '名称为空或为保留字。'),
    fix: say(
      'Choose a name that starts with a letter and is not a word of the formula language.',
      '请使用以字母开头且不是公式保留字的名称。',
    ),
  },
  8007: {
    message: say('Element can never be reached.', '永远无法到达该元素。'),
    fix: say('Connect it to the flow, or delete it.', '请将其接入流程，或删除它。'),
  },
  9001: {
    message: say('Connector has no source.', '连接线没有起点。'),
    fix: say('Attach its start to an element.', '请将起点连接到一个元素。'),
  },
  9002: {
    message: say('Connector has no target.', '连接线没有终点。'),
    fix: say('Attach its end to an element.', '请将终点连接到一个元素。'),
  },
  9003: {
    message: say('Port is missing.', '缺少端口。'),
    fix: say('Choose an existing port, or add the interface it needs.', '请选择已有端口，或添加所需的接口。'),
  },
  9004: {
    message: say('Port types do not match.', '端口类型不匹配。'),
    fix: say(
      'Join ports of the same type and direction. Reusable containers: request, release; others: take, put.',
      '请连接类型和方向相符的端口。可重复使用的容器：申请、释放；其他：取出、放入。',
    ),
  },
  9005: {
    message: say('Element has no incoming flow.', '元素没有流入的顺序流。'),
    fix: say('Draw a flow into it.', '请画一条指向它的顺序流。'),
  },
  9006: {
    message: say('Connect this to the next step.', '请将其连接到下一步。'),
    fix: say('Drag from its edge, or press N.', '从其边缘拖出连线，或按 N 键。'),
  },
  9007: {
    message: say('A start event cannot have an incoming flow.', '开始事件不能有流入的顺序流。'),
    fix: say('Delete the incoming flow.', '请删除流入的顺序流。'),
  },
  9008: {
    message: say('An end event cannot have an outgoing flow.', '结束事件不能有流出的顺序流。'),
    fix: say('Delete the outgoing flow.', '请删除流出的顺序流。'),
  },
  9009: { message: say('Process has no start event.', '流程没有开始事件。'), fix: say('Add a start event.', '请添加一个开始事件。') },
  9010: {
    message: say('Add an End.', '请添加一个结束事件。'),
    fix: say(
      'A process ends somewhere. To repeat without end, use a subprocess that repeats while True.',
      '流程需要有结束之处。若要一直重复，请使用以 True 重复的子流程。',
    ),
  },
  9011: {
    message: say('Process has more than one plain start event.', '流程有多个普通开始事件。'),
    fix: say('Keep one start event.', '请只保留一个开始事件。'),
  },
  9012: {
    message: say('Boundary event is not attached to an activity.', '边界事件没有附着在活动上。'),
    fix: say('Drag it onto the border of an activity.', '请将其拖到活动的边框上。'),
  },
  9013: {
    message: say('Gateway needs at least two branches.', '网关至少需要两个分支。'),
    fix: say('Add a branch, or remove the gateway.', '请添加分支，或删除网关。'),
  },
  9014: {
    message: say('Branch has no condition.', '分支没有条件。'),
    fix: say('Write a condition, or make it the default branch.', '请填写条件，或将其设为默认分支。'),
  },
  9015: {
    message: say('Only one default branch is allowed here.', '此处只允许一个默认分支。'),
    fix: say('Keep one default branch.', '请只保留一个默认分支。'),
  },
  9016: {
    message: say('Branch probabilities must add up to 1.', '各分支的概率之和必须为 1。'),
    fix: say('Change the probabilities, or use weights.', '请调整概率，或改用权重。'),
  },
  9017: {
    message: say('Only catching events may follow an event-based gateway.', '事件网关之后只能接捕获事件。'),
    fix: say('Put a timer, message or condition event after it.', '请在其后放置定时、消息或条件事件。'),
  },
  9018: {
    message: say('When does this timer go off?', '此定时器何时触发？'),
    fix: say('Enter a duration, a date or a cycle.', '请填写时长、日期或周期。'),
  },
  9019: {
    message: say('Message or signal is not chosen.', '未选择消息或信号。'),
    fix: say('Choose one, or create it on the root canvas.', '请选择一个，或在根画布上新建。'),
  },
  9020: { message: say('Message has no recipient.', '消息没有接收者。'), fix: say('Choose who receives it.', '请选择接收者。') },
  9021: { message: say('Agent is not chosen.', '未选择智能体。'), fix: say('Choose a population.', '请选择一个群体。') },
  9022: {
    message: say('Referenced component no longer exists.', '引用的组件已不存在。'),
    fix: say('Choose another component. In a file, refer by id, not by name.', '请选择其他组件。在文件中按 id 引用，不按名称。'),
  },
  9023: {
    message: say('Called process is missing.', '被调用的流程不存在。'),
    fix: say('Choose a passive process that exists.', '请选择一个已有的被动流程。'),
  },
  9024: { message: say('Container is not chosen.', '未选择容器。'), fix: say('Choose a container.', '请选择一个容器。') },
  9025: {
    message: say('Amount, capacity or key is missing or invalid.', '数量、容量或键缺失或无效。'),
    fix: say(
      'Fill in a number >= 0 and an existing key. Into a store of items goes an item or a list: [5].',
      '请填写不小于 0 的数和已有的键。放入物品容器的是物品或列表：[5]。',
    ),
  },
  9026: {
    message: say('Link has no source or target agent.', '连接没有源或目标智能体。'),
    fix: say('Choose the agents at both ends.', '请选择两端的智能体。'),
  },
  9027: {
    message: say('Space is not set or its minimum is not below its maximum.', '未设置空间，或其最小值不小于最大值。'),
    fix: say(
      'Set the bounds so that the minimum is below the maximum. In a discrete space they may be equal: a single row or column.',
      '请设置边界，使最小值小于最大值。离散空间中两者可以相等，即只有一行或一列。',
    ),
  },
  9028: {
    message: say('Initial number must be a whole number >= 0.', '初始数量必须是不小于 0 的整数。'),
    fix: say('Write a whole number, or a formula that gives one.', '请填写整数，或结果为整数的公式。'),
  },
  9029: { message: say('Inheritance loop.', '继承关系成环。'), fix: say('Remove one of the inheritances.', '请移除其中一个继承关系。') },
  9030: {
    message: say('Choose what to show.', '请选择要显示的内容。'),
    fix: say('Pick a measure, or write a formula.', '请选择一个指标，或填写公式。'),
  },
  9031: {
    message: say(
      'Control or decision lacks its target, observation, action, reward or policy.',
      '控件或决策缺少目标、观察、动作、奖励或策略。',
    ),
    fix: say('Fill in the missing part.', '请补充缺失的部分。'),
  },
  9032: {
    message: say('Neural network does not fit: {what}.', '神经网络不符：{what}。'),
    fix: say('Mend its sizes, or give it weights that fit.', '请修正其大小，或提供相符的权重。'),
  },
  9033: {
    message: say('Blockchain environment, contract or transaction is invalid: {what}.', '区块链环境、合约或交易无效：{what}。'),
    fix: say(
      'Correct the field. A local chain needs no node and no start block; a fork needs its recording.',
      '请更正该字段。本地链无需节点和起始区块；分叉需要录制内容。',
    ),
  },
  10000: {
    message: say('Unknown error', '未知错误'),
    fix: say('Report it with the model file, if you can.', '如可能，请附上模型文件反馈此问题。'),
    detail: 'unclassified',
  },
  10001: hostCatalogue[10001],
  10002: hostCatalogue[10002],
  10003: {
    message: say('Unknown error', '未知错误'),
    fix: say('Make the model smaller, or record less.', '请缩小模型，或减少记录的数据。'),
    detail: 'out of memory',
  },
  10004: { message: say('Unknown error', '未知错误'), fix: say('Run again.', '请重新运行。'), detail: 'stopped by host' },
  10005: {
    message: say('Unknown error', '未知错误'),
    fix: say('Reset the run.', '请重置运行。'),
    detail: 'model or engine version mismatch',
  },
  10006: {
    message: say('Unknown error', '未知错误'),
    fix: say('Start the run from the beginning.', '请从头开始运行。'),
    detail: 'damaged snapshot',
  },
  10007: {
    message: say('Expected a number, got {t}.', '应为数值，实际为{t}。'),
    fix: say('Use a number here, or convert with float(...).', '请在此使用数值，或用 float(...) 转换。'),
  },
  10008: {
    message: say('Expected true or false.', '应为真或假。'),
    fix: say('Write a comparison, such as x > 0.', '请写一个比较，例如 x > 0。'),
  },
  10009: { message: say('Expected text.', '应为文本。'), fix: say('Convert with str(...).', '请用 str(...) 转换。') },
  10010: {
    message: say('Expected a list.', '应为列表。'),
    fix: say('Use a list, or convert with list(...).', '请使用列表，或用 list(...) 转换。'),
  },
  10011: { message: say('Expected a dict.', '应为字典。'), fix: say('Use a dict, such as {"a": 1}.', '请使用字典，例如 {"a": 1}。') },
  10012: { message: say('Expected an entity.', '应为实体。'), fix: say('Use an agent, cell or link.', '请使用智能体、元胞或连接。') },
  10013: {
    message: say('Expected a date, time or duration.', '应为日期、时间或时长。'),
    fix: say('Use now, date(...) or duration(...).', '请使用 now、date(...) 或 duration(...)。'),
  },
  10014: {
    message: say('Value is empty.', '值为空（None）。'),
    fix: say('Test it with "is not None" first.', '请先用“is not None”判断。'),
  },
  10015: {
    message: say('Result is not a finite number.', '结果不是有限的数。'),
    fix: say('Look for a division by a very small number, or for an overflow.', '请检查除数是否过小，或是否溢出。'),
  },
  10016: {
    message: say('Cannot convert {a} to {b}.', '无法将 {a} 转换为 {b}。'),
    fix: say('Check the value before converting it.', '请在转换前检查该值。'),
  },
  10017: { message: say('Units do not match.', '单位不匹配。'), fix: say('Convert one of the values.', '请换算其中一个值。') },
  10018: {
    message: say('Division by zero.', '除数为零。'),
    fix: say('Test the divisor first, or use max(divisor, 1).', '请先判断除数，或使用 max(除数, 1)。'),
  },
  10019: {
    message: say("Value is outside the function's domain.", '值超出函数的定义域。'),
    fix: say('Limit the argument first.', '请先限制参数的范围。'),
  },
  10020: {
    message: say('Distribution parameters are invalid.', '分布的参数无效。'),
    fix: say("Look up the allowed parameters in the function's help.", '请在函数帮助中查看允许的参数。'),
  },
  10021: {
    message: say('Probability must lie in [0,1].', '概率必须在 [0,1] 内。'),
    fix: say('Divide by the total, or use min(max(p, 0), 1).', '请除以总和，或使用 min(max(p, 0), 1)。'),
  },
  10022: {
    message: say('Index out of range.', '下标超出范围。'),
    fix: say('Compare the index with len(...) first.', '请先将下标与 len(...) 比较。'),
  },
  10023: {
    message: say('Index must be a whole number.', '下标必须是整数。'),
    fix: say('Round it with int(...) or use //.', '请用 int(...) 取整，或使用 //。'),
  },
  10024: {
    message: say('Key not found.', '找不到键。'),
    fix: say('Use .get(key, default), or test with "in" first.', '请使用 .get(键, 默认值)，或先用“in”判断。'),
  },
  10025: {
    message: say('Key is empty or duplicated.', '键为空或重复。'),
    fix: say('Use a key that is not empty and not used yet.', '请使用非空且未重复的键。'),
  },
  10026: { message: say('Collection is empty.', '集合为空。'), fix: say('Test it first, or give a default.', '请先判断，或给出默认值。') },
  10027: { message: say('Lists differ in length.', '列表长度不同。'), fix: say('Use lists of the same length.', '请使用长度相同的列表。') },
  10028: {
    message: say('Sample is larger than the collection.', '抽样数大于集合大小。'),
    fix: say('Draw at most len(...) items, or use choices(...).', '抽样数不要超过 len(...)，或使用 choices(...)。'),
  },
  10029: {
    message: say('Formula cannot be parsed.', '公式无法解析。'),
    fix: say('Correct the marked part of the formula.', '请修改公式中标出的部分。'),
  },
  10030: {
    message: say('Formula cannot be evaluated.', '公式无法求值。'),
    fix: say('Check the operands: this operation is not defined for them.', '请检查运算对象：该运算对它们没有定义。'),
  },
  10031: {
    message: say('Name not found.', '找不到名称。'),
    fix: say('Check the spelling, or declare the variable.', '请检查拼写，或声明该变量。'),
  },
  10032: {
    message: say('Wrong arguments.', '参数有误。'),
    fix: say("Look up the parameters in the function's help.", '请在函数帮助中查看参数。'),
  },
  10033: {
    message: say('This variable may not be changed from here.', '不能从此处更改该变量。'),
    fix: say(
      'Switch on “Others may change it” at the variable, or change it in a process of its owner: by Ask or by a message.',
      '请打开该变量的“可被他人更改”，或在其所有者的流程中修改：通过请求或消息。',
    ),
  },
  10034: {
    message: say('Recursion or loop limit reached.', '达到递归或循环次数上限。'),
    fix: say('Make sure that the loop or the recursion ends.', '请确保循环或递归能够结束。'),
  },
  10035: {
    message: say('Assertion failed: {tip}.', '断言失败：{tip}。'),
    fix: say('Find out why the asserted condition is false.', '请查明断言条件为何不成立。'),
  },
  10036: {
    message: say('Not enough resource.', '资源不足。'),
    fix: say('Let the step wait, or take no more than the level.', '请让该步骤等待，或不要超出现有数量。'),
  },
  10037: {
    message: say('Container is full.', '容器已满。'),
    fix: say('Let the step wait, or raise the capacity.', '请让该步骤等待，或提高容量。'),
  },
  10038: {
    message: say('Container key not found.', '找不到容器的键。'),
    fix: say('Add the key to the container.', '请在容器中添加该键。'),
  },
  10039: { message: say('Amount must not be negative.', '数量不能为负。'), fix: say('Use max(amount, 0).', '请使用 max(数量, 0)。') },
  10040: {
    message: say('More released than held.', '释放的数量超过持有的数量。'),
    fix: say('Release only what was requested.', '只释放已请求的数量。'),
  },
  10041: {
    message: say('Resource still held at process end.', '流程结束时仍持有资源。'),
    fix: say('Release it before the end event.', '请在结束事件之前释放。'),
  },
  10042: {
    message: say('Request exceeds total capacity.', '请求超过总容量。'),
    fix: say('Request less, or raise the capacity.', '请减少请求，或提高容量。'),
  },
  10043: { message: say('Item not found in container.', '容器中找不到该物品。'), fix: say('Test for it first.', '请先判断是否存在。') },
  10044: {
    message: say('Gateway without branch: no condition holds and no default.', '网关无分支可走：没有条件成立且没有默认分支。'),
    fix: say('Add a default branch.', '请添加默认分支。'),
  },
  10045: {
    message: say('Branch weights add up to zero.', '分支权重之和为零。'),
    fix: say('Give at least one branch a weight above 0.', '请至少给一个分支大于 0 的权重。'),
  },
  10046: {
    message: say('Join can never complete.', '汇合永远无法完成。'),
    fix: say(
      'Match the join with the split before it: it takes one token from each flow, all of one process instance. To join tokens of different starts, let them meet in a container.',
      '请使汇合与其前的分支相匹配：它从每条顺序流各取一个令牌，且均属同一流程实例。若要汇合不同开始产生的令牌，请让它们经由容器相遇。',
    ),
  },
  10047: {
    message: say('Too many steps at one instant.', '同一时刻的步骤过多。'),
    fix: say(
      'Put a delay greater than 0 into the loop; let the interval of a timer be greater than 0.',
      '请在循环中加入大于 0 的延时；定时器的间隔应大于 0。',
    ),
  },
  10048: {
    message: say('Process cannot be called.', '流程不能被调用。'),
    fix: say('Make the process passive and its owner alive.', '请将流程设为被动，并确保其所有者存活。'),
  },
  10049: {
    message: say('Too many tokens in process.', '流程中的令牌过多。'),
    fix: say('Limit the arrivals, or raise the maximum.', '请限制到达，或提高上限。'),
  },
  10050: {
    message: say('Error {n} was not caught.', '错误 {n} 未被捕获。'),
    fix: say('Add an error boundary event.', '请添加错误边界事件。'),
  },
  10051: {
    message: say('Delay is negative or not finite.', '延时为负或不是有限的数。'),
    fix: say('Use max(delay, 0).', '请使用 max(延时, 0)。'),
  },
  10052: {
    message: say('Event lies in the past.', '事件发生在过去。'),
    fix: say('Use a time that is not before now.', '请使用不早于当前的时间。'),
  },
  10053: { message: say('Entity is dead.', '实体已死亡。'), fix: say('Test .alive first.', '请先判断 .alive。') },
  10054: {
    message: say('No entity matches.', '没有符合条件的实体。'),
    fix: say('Choose what happens if nobody matches.', '请选择无人符合时的处理方式。'),
  },
  10055: {
    message: say('Entity belongs to another population.', '实体属于其他群体。'),
    fix: say('Use an entity of the expected population.', '请使用所需群体的实体。'),
  },
  10056: {
    message: say('Population limit exceeded.', '超出群体数量上限。'),
    fix: say(
      'Create fewer, or raise the maximum of the population: 16,777,216 is the most there can be.',
      '请减少创建数量，或提高群体的最大数量：最多为 16,777,216。',
    ),
  },
  10057: {
    message: say('Link already exists.', '连接已存在。'),
    fix: say('Test with link_between(...) first, or make the link repeatable.', '请先用 link_between(...) 判断，或将连接设为可重复。'),
  },
  10058: {
    message: say('Link end is missing or dead.', '连接的端点缺失或已死亡。'),
    fix: say('Link living agents only.', '请只连接存活的智能体。'),
  },
  10059: {
    message: say('Self-link is not allowed.', '不允许自连接。'),
    fix: say('Link two different agents.', '请连接两个不同的智能体。'),
  },
  10060: {
    message: say('Position is outside the space.', '位置超出空间范围。'),
    fix: say(
      'Keep it within min_x..max_x and min_y..max_y, or let the space wrap.',
      '请保持在 min_x..max_x 和 min_y..max_y 内，或启用环绕。',
    ),
  },
  10061: {
    message: say('Cell is full.', '元胞已满。'),
    fix: say("Choose an empty cell, or raise the cell's capacity.", '请选择空元胞，或提高元胞容量。'),
  },
  10062: { message: say('Entity is not placed.', '实体没有位置。'), fix: say('Place it first.', '请先放置该实体。') },
  10063: {
    message: say('Message has no live recipient.', '消息没有存活的接收者。'),
    fix: say('Choose recipients that are alive.', '请选择存活的接收者。'),
  },
  10064: {
    message: say('Mailbox is full or payload does not fit.', '邮箱已满或消息内容不符。'),
    fix: say("Raise the mailbox's capacity, or send the declared fields.", '请提高邮箱容量，或发送已声明的字段。'),
  },
  10065: {
    message: say('Action is out of range, or none is possible.', '动作超出范围，或没有可选动作。'),
    fix: say(
      'Give an action for each variable, within its bounds and among the allowed ones; allow at least one.',
      '请为每个变量给出范围内且被允许的动作，并至少允许一个动作。',
    ),
  },
  10066: {
    message: say('Network shape mismatch.', '神经网络的形状不匹配。'),
    fix: say(
      'Pass as many inputs as the network has, and let it have an output for each action.',
      '请传入与网络输入数相同的值，并让每个动作都有对应的输出。',
    ),
  },
  10067: {
    message: say('Blockchain call failed: {reason}.', '区块链调用失败：{reason}。'),
    fix: say(
      'Look at what is sent, by which account, and at the state of the contract; or let the step take its default branch.',
      '请检查发送的内容、发送账户与合约状态；或让该步骤走默认分支。',
    ),
  },
} as const satisfies Readonly<Record<number, Row>>

/** `{name}` in a message is filled in. `detail` goes to the log only: people read "unknown error". */
type Row = { message: Words; fix: Words; detail?: string }

const ofHost = say(
  'Reserved: raised by the page and its worker, not by a model. It is shown as "Unknown error".',
  '保留：由页面及其工作线程报告，与模型无关，显示为“未知错误”。',
)
/** Codes that no model leads to, and why. */
export const reserved: Partial<Record<ProblemCode, Words>> = {
  10000: say('Reserved: a mistake of the engine itself.', '保留：引擎自身的错误。'),
  10001: ofHost,
  10002: ofHost,
  10003: ofHost,
  10004: ofHost,
  10005: ofHost,
  10006: ofHost,
  10017: say('Reserved: units are labels, and formulas do not convert them.', '保留：单位只是标签，公式不做换算。'),
  10029: say('Reserved: a run has only formulas that the checker has read (8002).', '保留：运行中只有检查器已解析的公式（8002）。'),
  10046: say(
    'A warning, no error of a run: the checker gives it where a split before a parallel join is missing, and the summary of a run where tokens are left waiting for what cannot come.',
    '警告，而非运行错误：并行汇合之前缺少分支时由检查器给出；令牌仍在等待不可能到来者时由运行摘要给出。',
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

/** A value of a message: as it is, or different in the two languages. */
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
    say('The warm-up covers the whole run: statistics have no data.', '预热期覆盖了整个运行：统计没有数据。'),
    say('Run for longer, or shorten the warm-up.', '请延长运行时间，或缩短预热期。'),
    'warning',
  )

/** Unreachable elements are worth a warning; all else stops a run. */
function severityOf(code: ProblemCode): 'error' | 'warning' {
  return code === 8007 ? 'warning' : 'error'
}

/** The filled-in message of `code`; placeholders without a value are left out. */
export function messageOf(code: ProblemCode, params: readonly Param[] = []): Words {
  const { en, zh } = catalogue[code].message
  const names = [...en.matchAll(placeholder)].map(match => match[1])
  const fill = (template: string, language: 'en' | 'zh'): string =>
    template.replace(placeholder, (_, name: string) => {
      const value = params[names.indexOf(name)]
      return value === undefined ? '' : typeof value === 'object' ? value[language] : String(value)
    })
  return say(fill(en, 'en'), fill(zh, 'zh'))
}

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
    super(messageOf(code, params).en)
    this.code = code
    this.params = params
    this.from = from
    this.to = to
  }

  /** The message in both languages. */
  get words(): Words {
    return messageOf(this.code, this.params)
  }
}
