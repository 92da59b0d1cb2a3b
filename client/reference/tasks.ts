// What people come to the reference for first: how to do a thing with the app. Words between ** are labels of the app; a test holds them against it.
import { say, type Words } from '../../model-schema/kinds/kind.ts'
import type { Chapter, Entry } from '../../sim-engine/docs.ts'
import { lessons } from '../tutorials/lessons.ts'

type Task = { readonly id: string; readonly question: Words; readonly answer: Words }
type Group = { readonly id: string; readonly title: Words; readonly tasks: readonly Task[] }

const task = (id: string, question: Words, answer: Words): Task => ({ id, question, answer })

/** Tasks by what one is about to do, in the order in which a newcomer meets them. */
export const groups: readonly Group[] = [
  {
    id: 'build',
    title: say('Build a model', '建立模型'),
    tasks: [
      task(
        'start',
        say('How do I start a model?', '如何开始一个模型？'),
        say(
          'Make a new model in the workspace. On its empty canvas choose **Agents in a space**, **Queue**, **Process**, **Cells** or **Network**: each is a small model that runs at once. Change it into yours. Or open a sample: it becomes a copy that is yours.',
          '在工作区新建模型。在空画布上选择**空间中的智能体**、**排队**、**流程**、**元胞**或**网络**：每个都是可立即运行的小模型，把它改成你的。也可以打开示例：打开的是属于你的副本。',
        ),
      ),
      task(
        'add',
        say('How do I add an element?', '如何添加元素？'),
        say(
          'Drag it from the left, or click it there and then click the canvas. Esc stops placing. Ctrl+K (**Find anything…**) adds by name: it knows the words of other tools too, such as “server”, “stock” or “turtle”. In a process select a step and press N to add what comes next.',
          '从左侧拖到画布，或先点击它再点击画布；按 Esc 取消放置。Ctrl+K（**查找任何内容…**）可按名称添加，也认识其他工具的说法，如“服务器”“存量”“海龟”。在流程中选中一个步骤后按 N 可添加后续步骤。',
        ),
      ),
      task(
        'queue',
        say('How do I model a queue?', '如何为排队建模？'),
        say(
          'Drop **Queue and service** on the scenario: a process with arrivals, a resource and a chart of who waits. The resource’s capacity is the number of servers. Inside the process, **Queue for a resource** waits for one and **Service** holds it for a time.',
          '在方案画布上放入**排队与服务**：它包含带到达的流程、一个资源和等待人数的图表。资源的容量就是服务台数。在流程内部，**排队等待资源**等待资源，**服务**占用它一段时间。',
        ),
      ),
      task(
        'agents',
        say('How do I make agents that move and meet?', '如何让智能体移动并相遇？'),
        say(
          'Drop **Random walkers**: an agent with a space and a world to see it in. Double-click the agent to go inside: its variables are what each individual knows, its processes what it does. Drop **Infection** or **Reproduction** there. In formulas, `neighbors(1)` are the others within distance 1.',
          '放入**随机游走者**：它包含智能体、空间和显示它的世界视图。双击智能体进入内部：变量是每个个体所知道的，流程是它所做的。可在其中放入**感染**或**繁殖**。在公式中，`neighbors(1)` 是距离 1 以内的其他个体。',
        ),
      ),
      task(
        'gateway',
        say('How do I let a process branch?', '如何让流程分支？'),
        say(
          'Drop **Two branches** on a flow, or a gateway after a step. At a gateway that decides by condition each outgoing flow has a condition, and one is the default; at one that decides by probability each has a probability.',
          '把**两个分支**放到顺序流上，或在步骤之后放入网关。按条件决定的网关，每条出口顺序流都有条件，其中一条为默认；按概率决定的网关，每条出口都有概率。',
        ),
      ),
      task(
        'event',
        say('How do I make something happen at a time, once or again and again?', '如何让某事在某一时刻发生一次或反复发生？'),
        say(
          'Drop **Event at a time** for a change at one tick. For something regular, use a process whose start is a timer: it goes off first at one time and then after each interval, which may be random: `exponential(2)`.',
          '放入**定时事件**可在某一步做一次改变。要有规律地发生，使用以定时器开始的流程：先在某时刻触发，之后按间隔触发；间隔可以是随机的，如 `exponential(2)`。',
        ),
      ),
      task(
        'write-others',
        say('How do I let one agent change another?', '如何让一个智能体改变另一个？'),
        say(
          'Select the variable of the other agent and switch on **Others may change it**. The message that says so while you type has a button that does the same.',
          '选中另一智能体的变量，打开**允许他者修改**。输入公式时出现的提示中也有按钮可以完成这一操作。',
        ),
      ),
    ],
  },
  {
    id: 'see',
    title: say('Run and see', '运行与观察'),
    tasks: [
      task(
        'run',
        say('How do I run, step and repeat a run?', '如何运行、单步和重复运行？'),
        say(
          'Play and pause are at the top (Ctrl+Enter). Beside them: one step forward, one back, and restart. The same seed gives the same run, to the last digit; another seed another one. Drag the line under the bar to go back in time, and go on from there.',
          '播放与暂停在顶部（Ctrl+Enter），旁边是前进一步、后退一步和重新开始。相同的种子给出完全相同的运行；换一个种子得到另一次运行。拖动顶栏下方的时间线可以回到过去，并从那里继续。',
        ),
      ),
      task(
        'chart',
        say('How do I show a number in a chart?', '如何在图表中显示一个数？'),
        say(
          'Drop a chart, press **Add a measure** and choose: how many there are, how many in a state, who waits, how busy a resource is. Or drag a variable onto the chart. The formula below stays yours to change.',
          '放入图表，点击**添加度量**并选择：数量、处于某状态的数量、等待者、资源的忙碌程度等。也可以把变量拖到图表上。下方的公式仍可自行修改。',
        ),
      ),
      task(
        'slider',
        say('How do I change a value while the model runs?', '如何在运行时改变一个值？'),
        say(
          'Drop a slider and choose the variable it sets, or drag the variable onto it. Or select the variable and press **Change during the run**.',
          '放入滑块并选择它所设置的变量，或把变量拖到滑块上。也可以选中变量后点击**运行中改变**。',
        ),
      ),
      task(
        'what-if',
        say('How do I see what another decision would have done?', '如何看另一种决定会带来什么结果？'),
        say(
          'Pause the run, open **What if** at the bottom, change a value and run on: the charts show both courses, the other one dashed, with a table of the differences.',
          '暂停运行，在底部打开**假设分析**，改变一个值并继续运行：图表同时显示两种走向，另一种为虚线，并给出差异表。',
        ),
      ),
      task(
        'debug',
        say('How do I find out why something happens?', '如何弄清某件事发生的原因？'),
        say(
          'Set a **Breakpoint** on a step, on a line of a program or on a variable that changes. The run stops before it; the panel at the bottom shows who is there and what everything is worth, and the step buttons go on, into and out.',
          '在步骤、程序行或会改变的变量上设置**断点**。运行会在其之前停下；底部面板显示当前个体和各值，可以逐步执行、进入和跳出。',
        ),
      ),
    ],
  },
  {
    id: 'study',
    title: say('Study a model', '研究模型'),
    tasks: [
      task(
        'explore',
        say('How do I explore what a value does?', '如何探索一个值的影响？'),
        say(
          'Right-click a variable or a slider and choose **Explore its effect**: an experiment opens that runs the model over a range of values, several times each, and draws a band.',
          '右击变量或滑块，选择**探索其影响**：打开的实验会在一系列取值上各运行若干次，并绘出区间带。',
        ),
      ),
      task(
        'sure',
        say('How do I know how sure a result is?', '如何知道结果有多可靠？'),
        say(
          'Make a **New experiment** and choose Monte Carlo: it repeats the run with other random numbers and states means with intervals. Alternatives are compared under the same random numbers, so that differences show sooner.',
          '**新建实验**并选择蒙特卡洛：它用不同的随机数重复运行，给出均值与区间。各方案在相同的随机数下比较，差异因此更快显现。',
        ),
      ),
      task(
        'input',
        say('How do I let an experiment change a variable?', '如何让实验改变一个变量？'),
        say(
          'Variables with the switch **Input** and those that a slider sets can be varied. Choosing another variable in an experiment offers to make it one.',
          '打开**输入**开关的变量和由滑块设置的变量都可以改变。在实验中选择其他变量时，会提示把它设为输入。',
        ),
      ),
      task(
        'dashboard',
        say('How do I make a page with charts and sliders only?', '如何制作只有图表和滑块的页面？'),
        say(
          'Make a new dashboard and take the model’s own cards. Move and size them; in use mode visitors see and run them without the model.',
          '新建仪表盘并采用模型自己的卡片，调整位置和大小；在使用模式下，访问者可以查看和运行它们而看不到模型。',
        ),
      ),
    ],
  },
  {
    id: 'share',
    title: say('Work with others', '与他人协作'),
    tasks: [
      task(
        'share-file',
        say('How do I share a model?', '如何共享模型？'),
        say(
          'Press **Share** at the top: invite people, or make a link that views or edits. Whoever may edit works in the same file at the same time.',
          '点击顶部的**共享**：邀请他人，或创建可查看或可编辑的链接。可以编辑的人会同时在同一个文件中工作。',
        ),
      ),
      task(
        'embed',
        say('How do I put a running model on a web page?', '如何把可运行的模型放到网页中？'),
        say(
          '**Share**, then **Embed in other pages**: copy the code into your page. Visitors need no account.',
          '点击**共享**，再选**嵌入其他网页**：把代码复制到你的网页。访问者不需要账户。',
        ),
      ),
      task(
        'versions',
        say('How do I go back to an earlier version?', '如何回到较早的版本？'),
        say(
          '**Version history** lists what was kept and shows what changed. **Save version** keeps the present one under a name. Nothing is lost by going back: the state before becomes a version too.',
          '**版本历史**列出保存过的版本并显示改动。**保存版本**以名称保存当前状态。恢复不会丢失任何内容：恢复前的状态也会成为一个版本。',
        ),
      ),
      task(
        'take-out',
        say('How do I take my work out?', '如何导出我的工作？'),
        say(
          '**Download .holo file** in the menu gives the model as a file that any Holarchy opens. **Save as PNG** and **Save as SVG** give the picture of the canvas; results download as CSV.',
          '菜单中的**下载 .holo 文件**给出任何 Holarchy 都能打开的文件。**保存为 PNG** 和**保存为 SVG** 给出画布的图片；结果可下载为 CSV。',
        ),
      ),
    ],
  },
]

/** What the reference begins with: the tutorials, then answers to questions. `begin` is the address that starts a tutorial. */
export function taskChapters(language: 'en' | 'zh', begin: (lesson: string) => string): readonly Chapter[] {
  const entry = ({ id, question, answer }: Task): Entry => ({
    id: `how-to-${id}`,
    title: question[language],
    name: question[language],
    text: answer[language],
  })
  const tutorials = lessons.map(({ id, title, steps }) => {
    const count = say(`${steps.length} steps`, `${steps.length} 步`)[language]
    return `- [${title[language]}](${begin(id)}), ${count}`
  })
  const learn = say('Each opens a new model and goes along with you, one step at a time.', '每个教程都会打开一个新模型，一步一步陪你完成。')
  return [
    {
      id: 'tutorials',
      title: say('Get started', '入门')[language],
      text: `${learn[language]}\n\n${tutorials.join('\n')}`,
      parts: [],
    },
    {
      id: 'how-to',
      title: say('How do I …', '如何……')[language],
      text: '',
      parts: groups.map(({ id, title, tasks }) => ({ id: `how-to-${id}`, title: title[language], text: '', entries: tasks.map(entry) })),
    },
  ]
}
