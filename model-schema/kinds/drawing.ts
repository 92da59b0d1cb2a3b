// What is drawn for people only: notes, images, frames. A run never sees them.
import { color, field, text } from './field.ts'
import { say, type Kind } from './kind.ts'

const everywhere = ['root', 'entity', 'process'] as const
const everywhereAndDashboards = [...everywhere, 'dashboard', 'cards'] as const

export const drawing: readonly Kind[] = [
  {
    id: 'note',
    label: say('Note', '便签'),
    help: say('Text for readers. A run never sees it.', '给读者看的文字，运行时不起作用。'),
    family: 'drawing',
    shape: 'note',
    size: [200, 120],
    on: everywhereAndDashboards,
    fields: [
      field('body', say('Text', '文本'), { as: 'rich' }, null, { help: say('The text.', '文字内容。') }),
      color('color', say('Colour', '颜色'), '#fff6d6', { help: say('Colour of the paper.', '便签的底色。') }),
    ],
  },
  {
    id: 'image',
    label: say('Image', '图片'),
    help: say('A picture for readers. A run never sees it.', '给读者看的图片，运行时不起作用。'),
    family: 'drawing',
    shape: 'image',
    size: [200, 150],
    on: everywhereAndDashboards,
    fields: [
      field('image', say('Image', '图片'), { as: 'image' }, null, { help: say('A jpeg or png picture.', 'jpeg 或 png 图片。') }),
      text('name', say('Description', '描述'), '', {
        help: say('What the picture shows, for people who cannot see it.', '图片内容的描述，供看不到图片的人使用。'),
      }),
    ],
  },
  {
    id: 'frame',
    label: say('Frame', '画框'),
    help: say(
      'A titled area around elements; frames are the pages of a presentation. A run never sees it.',
      '围住若干元素的带标题区域，也是演示的页面。运行时不起作用。',
    ),
    family: 'drawing',
    shape: 'frame',
    size: [640, 400],
    on: everywhere,
    fields: [text('name', say('Title', '标题'), '', { help: say('Title of the frame.', '画框的标题。') })],
  },
]
