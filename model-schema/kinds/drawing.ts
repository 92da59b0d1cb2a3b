// What is drawn for people only: notes, images, frames. A run never sees them.
import { color, field, text } from './field.ts'
import { say, type Kind } from './kind.ts'

const everywhere = ['root', 'entity', 'process'] as const

export const drawing: readonly Kind[] = [
  {
    id: 'note',
    label: say('Note', '便签'),
    help: say('', ''),
    family: 'drawing',
    shape: 'note',
    size: [200, 120],
    on: everywhere,
    fields: [field('body', say('Text', '文本'), { as: 'rich' }, null), color('color', say('Colour', '颜色'), '#fff6d6')],
  },
  {
    id: 'image',
    label: say('Image', '图片'),
    help: say('', ''),
    family: 'drawing',
    shape: 'image',
    size: [200, 150],
    on: everywhere,
    fields: [field('image', say('Image', '图片'), { as: 'image' }, null), text('name', say('Description', '描述'))],
  },
  {
    id: 'frame',
    label: say('Frame', '画框'),
    help: say('', ''),
    family: 'drawing',
    shape: 'frame',
    size: [640, 400],
    on: everywhere,
    fields: [text('name', say('Title', '标题'))],
  },
]
