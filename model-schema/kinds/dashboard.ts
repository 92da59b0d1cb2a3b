// Dashboards and charts as files of their own: which model scenario they look at, and how they are laid out. The cards are the kinds that stand on
// a model's canvas as well: a chart is a chart wherever it stands.
import { choice, color, flag, name, number, text } from './field.ts'
import { say, type Kind } from './kind.ts'

const watermark = [
  flag('watermark', say('Watermark', '水印'), false, {
    help: say('Shows a text over the whole, also in embeds and pictures.', '在整个画面上显示文字，嵌入和图片中也会显示。'),
    section: 'appearance' as const,
  }),
  text('watermarkText', say('Watermark text', '水印文字'), '', {
    help: say('What it says; it cannot be blank.', '水印内容，不能为空。'),
    when: { watermark: [true] },
    section: 'appearance',
  }),
  number('watermarkSize', say('Font size', '字号'), 24, {
    help: say('In pixels.', '以像素计。'),
    min: 8,
    max: 200,
    when: { watermark: [true] },
    section: 'appearance',
  }),
  color('watermarkColor', say('Font colour', '文字颜色'), '#888888', {
    help: say('Colour of the watermark.', '水印的颜色。'),
    when: { watermark: [true] },
  }),
  number('watermarkAngle', say('Angle', '角度'), -30, {
    help: say('In degrees, clockwise.', '以度计，顺时针。'),
    min: -180,
    max: 180,
    when: { watermark: [true] },
    section: 'appearance',
  }),
  number('watermarkOpacity', say('Opacity', '不透明度'), 0.15, {
    help: say('From 0, not to be seen, to 1.', '从 0（不可见）到 1。'),
    min: 0,
    max: 1,
    when: { watermark: [true] },
    section: 'appearance',
  }),
]

export const dashboard: readonly Kind[] = [
  {
    id: 'dashboard',
    label: say('Dashboard', '仪表板'),
    help: say(
      'Cards on a grid: charts, controls, views, texts and images around one or more runs of models.',
      '网格上的卡片：围绕一个或多个模型运行的图表、控件、视图、文字和图片。',
    ),
    family: 'dashboard',
    shape: 'none',
    size: [0, 0],
    on: ['file'],
    opens: 'dashboard',
    fields: [
      name({ help: say('What people call this dashboard.', '仪表板的显示名称。') }),
      number('columns', say('Columns', '列数'), 12, {
        help: say('Columns of the grid; on narrow screens cards stand one below the other.', '网格列数；窄屏上卡片逐个排列。'),
        integer: true,
        min: 1,
        max: 24,
      }),
      ...watermark,
    ],
  },
  {
    id: 'chartFile',
    label: say('Chart', '图表'),
    help: say('A chart as a file of its own, to be shared and embedded.', '独立成文件的图表，可共享和嵌入。'),
    family: 'dashboard',
    shape: 'none',
    size: [0, 0],
    on: ['file'],
    opens: 'dashboard',
    fields: [name({ help: say('What people call this chart.', '图表的显示名称。') }), ...watermark],
  },
  {
    id: 'association',
    label: say('Scenario association', '方案关联'),
    help: say(
      'One run of one model scenario: the cards in it show and control that run.',
      '某个模型方案的一次运行：其中的卡片显示并控制该运行。',
    ),
    family: 'dashboard',
    shape: 'block',
    size: [0, 0],
    on: ['dashboard'],
    opens: 'cards',
    fields: [
      name({ help: say('What people call this run, where there are several.', '有多个运行时的显示名称。') }),
      text('modelFile', say('Model', '模型'), '', { help: say('The id of the model file.', '模型文件的 id。') }),
      text('modelScenario', say('Model scenario', '模型方案'), '', {
        help: say('The scenario that is run: its id or its name. Blank: the first one.', '要运行的方案：其 id 或名称。留空为第一个。'),
      }),
      number('seed', say('Random seed', '随机种子'), null, {
        help: say('Replaces the seed of the scenario. Blank: as in the scenario.', '替换方案的种子。留空则与方案一致。'),
        integer: true,
        min: 0,
        max: 4294967295,
        when: { source: ['live'] },
      }),
      choice(
        'begin',
        say('At the start', '打开时'),
        { wait: say('Wait for the button', '等待点击'), play: say('Run at once', '立即运行') },
        'wait',
        {
          help: say('Whether the run begins by itself when the page is opened.', '打开页面时是否自动运行。'),
          when: { source: ['live'] },
        },
      ),
      number('speed', say('Ticks a second', '每秒步数'), null, {
        help: say('How fast the run plays. Blank: as fast as it goes.', '播放速度。留空为尽可能快。'),
        min: 0,
        when: { source: ['live'] },
      }),
      choice(
        'source',
        say('Shows', '显示'),
        {
          live: say('A run in the page', '页面中的实时运行'),
          kept: say('The run kept here', '保存在此的运行'),
          stored: say('A run of an experiment', '实验中的一次运行'),
        },
        'live',
        {
          help: say(
            'Whether the page runs the model, shows the last run that was kept in this file, or makes one run of an experiment again: with its seed, its length and its values.',
            '页面实时运行模型，显示保存在本文件中的最近一次运行，或以相同的种子、时长和取值重现实验中的一次运行。',
          ),
        },
      ),
      text('kept', say('Kept run', '保存的运行'), '', {
        help: say(
          'A run that has ended, as the page keeps it: its charts, figures and last picture.',
          '页面保存的已结束运行：图表、数值和最后的画面。',
        ),
        section: 'advanced',
        long: true,
      }),
      text('stored', say('Run of an experiment', '实验中的运行'), '', {
        help: say(
          'Which run of which experiment is made again: its scenario, seed, length and values, and what was measured at its end.',
          '要重现的实验运行：其方案、种子、时长和取值，以及结束时的测量结果。',
        ),
        section: 'advanced',
        long: true,
      }),
    ],
  },
  {
    id: 'cardGroup',
    label: say('Container', '容器'),
    help: say(
      'Holds cards together: side by side, one below the other, behind a heading that opens, as slides, or at the edge of the page.',
      '将卡片组合在一起：并排、纵向排列、可折叠、分页，或固定在页面边缘。',
    ),
    family: 'dashboard',
    shape: 'frame',
    size: [0, 0],
    on: ['dashboard', 'cards'],
    opens: 'cards',
    fields: [
      text('name', say('Title', '标题'), '', { help: say('Heading of the container. Blank: none.', '容器的标题。留空则没有。') }),
      choice(
        'layout',
        say('Layout', '布局'),
        {
          row: say('Row', '行'),
          column: say('Column', '列'),
          collapse: say('Collapsible', '折叠'),
          slides: say('Slides', '分页'),
          panel: say('Global panel', '全局面板'),
        },
        'row',
        { help: say('How the cards in it stand.', '其中卡片的排列方式。') },
      ),
      flag('open', say('Begins open', '初始展开'), true, {
        help: say('Whether its cards are seen at the start.', '开始时是否显示其中的卡片。'),
        when: { layout: ['collapse'] },
      }),
      choice(
        'side',
        say('Edge of the page', '页面边缘'),
        { top: say('Top', '顶部'), start: say('Beginning of the line', '行首侧'), end: say('End of the line', '行尾侧') },
        'start',
        {
          help: say('Where the panel stands, always in sight. On a phone it is at the top.', '面板固定的位置。手机上位于顶部。'),
          when: { layout: ['panel'] },
        },
      ),
    ],
  },
]
