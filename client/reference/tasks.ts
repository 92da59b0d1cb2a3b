// What people come to the reference for first: how to do a thing with the app. Words between ** are labels of the app; a test holds them against it.
import type { Chapter, Entry } from '../../sim-engine/docs.ts'
import { lessons } from '../tutorials/lessons.ts'
import { say, type Words } from '../../model-schema/words.ts'

type Task = { readonly id: string; readonly question: Words; readonly answer: Words }
type Group = { readonly id: string; readonly title: Words; readonly tasks: readonly Task[] }

const task = (id: string, question: Words, answer: Words): Task => ({ id, question, answer })

/** Tasks by what one is about to do, in the order in which a newcomer meets them. */
export const groups: readonly Group[] = [
  {
    id: 'build',
    title: say('Build a model'),
    tasks: [
      task(
        'start',
        say('How do I start a model?'),
        say(
          'Make a new model in the workspace. On its empty canvas choose **Agents in a space**, **Queue**, **Process**, **Cells** or **Network**: each is a small model that runs at once. Change it into yours. Or open a sample: it becomes a copy that is yours.',
        ),
      ),
      task(
        'add',
        say('How do I add an element?'),
        say(
          'Drag it from the left, or click it there and then click the canvas. Esc stops placing. Ctrl+K (**Find anything…**) adds by name: it knows the words of other tools too, such as “server”, “stock” or “turtle”. In a process select a step and press N to add what comes next.',
        ),
      ),
      task(
        'queue',
        say('How do I model a queue?'),
        say(
          'Drop **Queue and service** on the scenario: a process with arrivals, a resource and a chart of who waits. The resource’s capacity is the number of servers. Inside the process, **Queue for a resource** waits for one and **Service** holds it for a time.',
        ),
      ),
      task(
        'agents',
        say('How do I make agents that move and meet?'),
        say(
          'Drop **Random walkers**: an agent with a space and a world to see it in. Double-click the agent to go inside: its variables are what each individual knows, its processes what it does. Drop **Infection** or **Reproduction** there. In formulas, `neighbors(1)` are the others within distance 1.',
        ),
      ),
      task(
        'gateway',
        say('How do I let a process branch?'),
        say(
          'Drop **Two branches** on a flow, or a gateway after a step. At a gateway that decides by condition each outgoing flow has a condition, and one is the default; at one that decides by probability each has a probability.',
        ),
      ),
      task(
        'event',
        say('How do I make something happen at a time, once or again and again?'),
        say(
          'Drop **Event at a time** for a change at one tick. For something regular, use a process whose start is a timer: it goes off first at one time and then after each interval, which may be random: `exponential(2)`.',
        ),
      ),
      task(
        'write-others',
        say('How do I let one agent change another?'),
        say(
          'Select the variable of the other agent and switch on **Others may change it**. The message that says so while you type has a button that does the same.',
        ),
      ),
    ],
  },
  {
    id: 'see',
    title: say('Run and see'),
    tasks: [
      task(
        'run',
        say('How do I run, step and repeat a run?'),
        say(
          'Play and pause are at the top (Ctrl+Enter). Beside them: one step forward, one back, and restart. The same seed gives the same run, to the last digit; another seed another one. Drag the line under the bar to go back in time, and go on from there.',
        ),
      ),
      task(
        'chart',
        say('How do I show a number in a chart?'),
        say(
          'Drop a chart, press **Add a measure** and choose: how many there are, how many in a state, who waits, how busy a resource is. Or drag a variable onto the chart. The formula below stays yours to change.',
        ),
      ),
      task(
        'slider',
        say('How do I change a value while the model runs?'),
        say(
          'Drop a slider and choose the variable it sets, or drag the variable onto it. Or select the variable and press **Change during the run**.',
        ),
      ),
      task(
        'what-if',
        say('How do I see what another decision would have done?'),
        say(
          'Pause the run, open **What if** at the bottom, change a value and run on: the charts show both courses, the other one dashed, with a table of the differences.',
        ),
      ),
      task(
        'debug',
        say('How do I find out why something happens?'),
        say(
          'Set a **Breakpoint** on a step, on a line of a program or on a variable that changes. The run stops before it; the panel at the bottom shows who is there and what everything is worth, and the step buttons go on, into and out.',
        ),
      ),
    ],
  },
  {
    id: 'study',
    title: say('Study a model'),
    tasks: [
      task(
        'explore',
        say('How do I explore what a value does?'),
        say(
          'Right-click a variable or a slider and choose **Explore its effect**: an experiment opens that runs the model over a range of values, several times each, and draws a band.',
        ),
      ),
      task(
        'sure',
        say('How do I know how sure a result is?'),
        say(
          'Make a **New experiment** and choose Monte Carlo: it repeats the run with other random numbers and states means with intervals. Alternatives are compared under the same random numbers, so that differences show sooner.',
        ),
      ),
      task(
        'input',
        say('How do I let an experiment change a variable?'),
        say(
          'Variables with the switch **Input** and those that a slider sets can be varied. Choosing another variable in an experiment offers to make it one.',
        ),
      ),
      task(
        'dashboard',
        say('How do I make a page with charts and sliders only?'),
        say(
          'Make a new dashboard and take the model’s own cards. Move and size them; in use mode visitors see and run them without the model.',
        ),
      ),
    ],
  },
  {
    id: 'share',
    title: say('Work with others'),
    tasks: [
      task(
        'share-file',
        say('How do I share a model?'),
        say(
          'Press **Share** at the top: invite people, or make a link that views or edits. Whoever may edit works in the same file at the same time.',
        ),
      ),
      task(
        'embed',
        say('How do I put a running model on a web page?'),
        say('**Share**, then **Embed in other pages**: copy the code into your page. Visitors need no account.'),
      ),
      task(
        'versions',
        say('How do I go back to an earlier version?'),
        say(
          '**Version history** lists what was kept and shows what changed. **Save version** keeps the present one under a name. Nothing is lost by going back: the state before becomes a version too.',
        ),
      ),
      task(
        'take-out',
        say('How do I take my work out?'),
        say(
          '**Download .holo file** in the menu gives the model as a file that any Holarchy opens. **Save as PNG** and **Save as SVG** give the picture of the canvas; results download as CSV.',
        ),
      ),
    ],
  },
]

/** What the reference begins with: the tutorials, then answers to questions. `begin` is the address that starts a tutorial. */
export function taskChapters(speak: (words: Words) => string, begin: (lesson: string) => string): readonly Chapter[] {
  const entry = ({ id, question, answer }: Task): Entry => ({
    id: `how-to-${id}`,
    title: speak(question),
    name: speak(question),
    text: speak(answer),
  })
  const tutorials = lessons.map(({ id, title, steps }) => {
    const count = speak(say('{count} steps', { count: steps.length }))
    return `- [${speak(title)}](${begin(id)}) · ${count}`
  })
  const learn = say('Each opens a new model and goes along with you, one step at a time.')
  return [
    {
      id: 'tutorials',
      title: speak(say('Get started')),
      text: `${speak(learn)}\n\n${tutorials.join('\n')}`,
      parts: [],
    },
    {
      id: 'how-to',
      title: speak(say('How do I …')),
      text: '',
      parts: groups.map(({ id, title, tasks }) => ({ id: `how-to-${id}`, title: speak(title), text: '', entries: tasks.map(entry) })),
    },
  ]
}
