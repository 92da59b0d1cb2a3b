// Connectors: lines between two elements on one canvas.
import { activities } from './activities.ts'
import { flag, formula, text } from './field.ts'
import { say, type Kind } from './kind.ts'

const caption = text('name', say('Name', '名称'), '', { help: say('Text shown beside the line.', '显示在线旁的文字。') })

// Every step a sequence flow may leave, and those it may reach.
const from = ['start', 'intermediate', 'boundary', 'gateway', ...activities]
const to = ['intermediate', 'end', 'gateway', ...activities]

// Where a state connector may begin: the variables of this canvas, and what stands here for those further out.
const data = ['variable', 'reference']

export const connectors: readonly Kind[] = [
  {
    id: 'flow',
    label: say('Sequence flow', '顺序流'),
    help: say('Leads tokens from one step to the next.', '把令牌从一个步骤引到下一个步骤。'),
    family: 'flow',
    shape: 'connector',
    size: [0, 0],
    on: ['process'],
    joins: { from, to },
    fields: [
      caption,
      formula('condition', say('Condition', '条件'), '', {
        help: say(
          'After an exclusive or inclusive gateway: whether this branch is taken. Blank: it has no condition.',
          '在排他或包容网关之后：是否走此分支。留空表示无条件。',
        ),
        context: 'condition',
      }),
      formula('weight', say('Probability', '概率'), '', {
        help: say(
          'After a gateway by probability: chance of this branch. Together they should make 1; they are scaled if not.',
          '在按概率的网关之后：此分支的概率。合计应为 1，否则会按比例调整。',
        ),
        result: 'number',
      }),
      flag('default', say('Default branch', '默认分支'), false, {
        help: say('Taken when no other branch is.', '没有其他分支可走时走此分支。'),
      }),
    ],
  },
  {
    id: 'containerConnector',
    label: say('Container connector', '容器连接线'),
    help: say(
      'Joins a step to the container it works on. Drawing it writes the container into the step: among what it requests, or, of a container operation, among its containers.',
      '连接步骤与其操作的容器。绘制时会把容器写入步骤：写入其申请的资源，或写入容器操作的容器列表。',
    ),
    family: 'flow',
    shape: 'connector',
    size: [0, 0],
    on: ['process'],
    joins: { from: activities, to: ['reference'] },
    fields: [caption],
  },
  {
    id: 'stateConnector',
    label: say('State connector', '状态连接线'),
    help: say(
      'Leads a value to a step that runs a process. Drawing it writes the variable as the value of the first interface without one.',
      '把值引到运行流程的步骤。绘制时会把变量写为首个未填接口的取值。',
    ),
    family: 'flow',
    shape: 'connector',
    size: [0, 0],
    on: ['process'],
    joins: { from: data, to: ['call', 'ask'] },
    fields: [caption],
  },
]
