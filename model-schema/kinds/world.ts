// Activities that change the world: individuals come, go and move, containers are filled and emptied.
import { choice, flag, formula, ref, rows, text } from './field.ts'
import { say, type Kind } from './kind.ts'
import { selection, task } from './steps.ts'

export const worldSteps: readonly Kind[] = [
  task(
    'create',
    say('Create', '创建'),
    say('Makes new individuals or links.', '创建新的个体或连接。'),
    [
      ref('population', say('Population', '群体'), ['agent', 'link'], { help: say('The population that grows.', '要增加的群体。') }),
      choice(
        'as',
        say('As', '方式'),
        { new: say('New individuals', '新个体'), offspring: say('Offspring of the actor', '主体的后代') },
        'new',
        {
          help: say(
            'Offspring can inherit values from the actor; new individuals start with initial values.',
            '后代可以继承主体的值，新个体从初始值开始。',
          ),
        },
      ),
      formula('count', say('Number', '数量'), '1', { help: say('How many are made.', '创建的数量。'), result: 'number' }),
      rows(
        'values',
        say('Properties', '属性'),
        [
          text('property', say('Property', '属性'), '', { help: say('Name of the variable.', '变量的名称。') }),
          choice(
            'mode',
            say('Value from', '取值方式'),
            {
              expression: say('Expression', '表达式'),
              default: say('Default', '默认'),
              inherit: say('Inherit', '继承'),
              dilute: say('Dilute', '稀释'),
            },
            'expression',
            {
              help: say(
                "Whether the value is a formula, the default, the actor's own, or shared out by a ratio.",
                '值来自公式、默认值、主体自身的值，或按比率分配。',
              ),
            },
          ),
          formula('value', say('Value or ratio', '值或比率'), '', {
            help: say(
              'The formula, or for Dilute the share from 0 to 1 that the offspring gets.',
              '公式；稀释时为后代所得的 0 到 1 的份额。',
            ),
          }),
        ],
        { help: say('Values of the new ones that differ from the initial values.', '新个体中与初始值不同的取值。'), section: 'changes' },
      ),
      formula('linkTo', say('Link ends', '连接端'), '', {
        help: say(
          'Ends of a new link: two entities, or one that the actor is linked to. Only for links.',
          '新连接的端点：两个实体，或与主体相连的一个实体。仅用于连接。',
        ),
        section: 'changes',
      }),
      choice(
        'placement',
        say('Placed', '放置'),
        {
          actor: say('Where the actor is', '主体所在位置'),
          population: say('As its population says', '按群体设定'),
          random: say('At random', '随机'),
        },
        'actor',
        { help: say('Where the new ones stand.', '新个体的位置。'), section: 'changes' },
      ),
    ],
    'create',
  ),
  task(
    'destroy',
    say('Destroy', '销毁'),
    say(
      'Ends the life of individuals or links: their tokens stop, what they hold is given back, their links and mail go.',
      '结束个体或连接的生命：其令牌停止，占用的资源归还，其连接和邮件消失。',
    ),
    [
      choice('who', say('Who', '对象'), { actor: say('The actor', '主体自身'), chosen: say('Chosen entities', '所选实体') }, 'actor', {
        help: say('Whether the actor itself dies, or others do.', '是主体自身死亡还是其他实体死亡。'),
      }),
      ...selection({ who: ['chosen'] }),
    ],
    'destroy',
  ),
  task(
    'move',
    say('Move', '移动'),
    say('Moves or turns the actor. It wraps or stops at borders as the space says.', '移动或转动主体。在边界处按空间设定环绕或停止。'),
    [
      choice(
        'motion',
        say('Motion', '动作'),
        {
          forward: say('Forward', '前进'),
          backward: say('Backward', '后退'),
          turn: say('Turn by', '转动'),
          head: say('Set heading', '设定朝向'),
          face: say('Face', '面向'),
          translate: say('Translate by', '平移'),
        },
        'forward',
        { help: say('What it does.', '执行的动作。') },
      ),
      formula('amount', say('Distance or angle', '距离或角度'), '1', {
        help: say('Distance in units of the space, or angle in degrees counter-clockwise.', '以空间单位计的距离，或逆时针的角度。'),
        result: 'number',
        when: { motion: ['forward', 'backward', 'turn', 'head'] },
        called: {
          by: 'motion',
          words: {
            forward: say('Distance', '距离'),
            backward: say('Distance', '距离'),
            turn: say('Angle', '角度'),
            head: say('Heading', '朝向'),
          },
        },
      }),
      formula('target', say('Target', '目标'), '', {
        help: say('Entity, cell or position to look at.', '要面向的实体、元胞或位置。'),
        when: { motion: ['face'] },
      }),
      formula('vector', say('Vector', '向量'), '[1, 0]', {
        help: say('How far along each axis: `[dx, dy]`.', '沿各轴的位移：`[dx, dy]`。'),
        result: 'list',
        when: { motion: ['translate'] },
      }),
    ],
    'move',
  ),
  task(
    'place',
    say('Place at', '放置于'),
    say('Puts the actor somewhere at once.', '将主体直接放到某处。'),
    [
      choice(
        'where',
        say('Where', '位置'),
        {
          position: say('A position, cell or agent', '位置、元胞或智能体'),
          randomCell: say('A random cell', '随机元胞'),
          randomEmptyCell: say('A random empty cell', '随机空元胞'),
          randomPosition: say('A random position', '随机位置'),
        },
        'position',
        { help: say('What sort of place.', '位置的种类。') },
      ),
      formula('target', say('Target', '目标'), '', {
        help: say('The position `[x, y]`, the cell, or the agent beside which it goes.', '位置 `[x, y]`、元胞，或要去往的智能体。'),
        when: { where: ['position'] },
      }),
    ],
    'place',
  ),
  task(
    'operate',
    say('Container operation', '容器操作'),
    say(
      'Takes from, puts into or changes containers; what cannot be done now waits or fails as it says.',
      '对容器取出、放入或更改，当前无法完成时按设定等待或失败。',
    ),
    [
      choice(
        'operation',
        say('Operation', '操作'),
        {
          request: say('Request', '申请'),
          release: say('Release', '释放'),
          take: say('Take', '取出'),
          put: say('Put', '放入'),
          transfer: say('Transfer', '转移'),
          convert: say('Convert', '转换'),
          set: say('Set level', '设定数量'),
          capacity: say('Set capacity', '设定容量'),
        },
        'request',
        {
          help: say(
            'What is done. Requested units are held by the token until it releases them.',
            '执行的操作。申请到的单位由令牌占用，直到释放。',
          ),
        },
      ),
      rows(
        'items',
        say('Containers', '容器'),
        [
          formula('container', say('Container', '容器'), '', {
            help: say('Expression for the container, usually its name.', '容器的表达式，通常是其名称。'),
          }),
          formula('amount', say('Amount', '数量'), '1', {
            help: say(
              'How much, 0 or more; of a store of items, how many, or which: an item or a list of items.',
              '数量，不小于 0；物品存储则为件数，或具体的物品、物品列表。',
            ),
          }),
          text('key', say('Key', '键'), '', {
            help: say(
              'Which key of a container with amounts by key. Blank: the only amount.',
              '按键存放数量的容器中的键。留空表示唯一的数量。',
            ),
          }),
        ],
        {
          help: say(
            'The containers and amounts; several are one request, all or nothing.',
            '容器及数量；多个合为一个请求，要么全部满足要么都不满足。',
          ),
        },
      ),
      formula('target', say('To container', '目标容器'), '', {
        help: say('The container that receives what the others give.', '接收内容的容器。'),
        when: { operation: ['transfer'] },
      }),
      rows(
        'outputs',
        say('Becomes', '产出'),
        [
          formula('container', say('Container', '容器'), '', {
            help: say('Expression for the container that receives.', '接收容器的表达式。'),
          }),
          formula('amount', say('Amount', '数量'), '1', { help: say('How much it receives.', '接收的数量。') }),
          text('key', say('Key', '键'), '', {
            help: say(
              'Which key of a container with amounts by key. Blank: the only amount.',
              '按键存放数量的容器中的键。留空表示唯一的数量。',
            ),
          }),
        ],
        { help: say('What the amounts above are turned into.', '上述数量转换成的内容。'), when: { operation: ['convert'] } },
      ),
      choice(
        'otherwise',
        say('If not possible', '无法满足时'),
        {
          wait: say('Wait', '等待'),
          fail: say('Error', '报错'),
          partial: say('Take what there is', '部分满足'),
          branch: say('Take the default branch', '走默认分支'),
        },
        'wait',
        {
          help: say(
            'What happens when it cannot be done now. A request above the whole capacity fails at once.',
            '当前无法完成时如何处理。超过总容量的申请立即失败。',
          ),
        },
      ),
      flag('alternatives', say('Any one of them', '任选其一'), false, {
        help: say('Whether one of the rows is enough, tried in their order.', '是否满足其中一行即可，按顺序尝试。'),
        section: 'advanced',
      }),
      formula('timeout', say('Give up after', '超时'), '', {
        help: say(
          'Ticks after which the token stops waiting and goes on without, by the default branch if the step has one. Blank: it waits for ever.',
          '等待多少步后放弃并继续；若该步骤有默认分支，则走默认分支。留空表示一直等待。',
        ),
        result: 'number',
        section: 'advanced',
        when: { otherwise: ['wait'] },
      }),
      formula('giveUpWhen', say('Give up when', '放弃条件'), '', {
        help: say(
          'The token stops waiting when this becomes true, as after a time. Blank: never.',
          '条件变为真时停止等待，与超时相同。留空表示从不。',
        ),
        context: 'condition',
        section: 'advanced',
        when: { otherwise: ['wait'] },
      }),
      choice(
        'preempt',
        say('Preempts', '抢占'),
        {
          none: say('No', '否'),
          resume: say('Yes; the other resumes later', '是;被抢占者稍后恢复'),
          restart: say('Yes; the other restarts', '是;被抢占者重新开始'),
        },
        'none',
        {
          help: say(
            'Whether somebody with a higher priority number who holds units must give them up.',
            '是否让持有单位且优先级数字更大者让出。',
          ),
          section: 'advanced',
        },
      ),
    ],
    'operate',
    {
      presets: [
        { id: 'request', label: say('Request resource', '申请资源'), values: { operation: 'request', otherwise: 'wait' } },
        { id: 'release', label: say('Release resource', '释放资源'), values: { operation: 'release' } },
        { id: 'take', label: say('Take', '取出'), values: { operation: 'take', otherwise: 'fail' } },
        { id: 'put', label: say('Put', '放入'), values: { operation: 'put', otherwise: 'fail' } },
        { id: 'transfer', label: say('Transfer', '转移'), values: { operation: 'transfer', otherwise: 'fail' } },
      ],
    },
  ),
]
