// What is drawn for people only: notes, images, frames. A run never sees them.
import { color, field, text } from './field.ts'
import { type Kind } from './kind.ts'
import { say } from '../words.ts'

const everywhere = ['root', 'entity', 'process'] as const
const everywhereAndDashboards = [...everywhere, 'dashboard', 'cards'] as const

export const drawing: readonly Kind[] = [
  {
    id: 'note',
    label: say('Note'),
    help: say('Text for readers. A run never sees it.'),
    family: 'drawing',
    shape: 'note',
    size: [200, 120],
    on: everywhereAndDashboards,
    fields: [
      field('body', say('Text'), { as: 'rich' }, null, { help: say('The text.') }),
      color('color', say('Colour'), '#fff6d6', { help: say('Colour of the paper.') }),
    ],
  },
  {
    id: 'image',
    label: say('Image'),
    help: say('A picture for readers. A run never sees it.'),
    family: 'drawing',
    shape: 'image',
    size: [200, 150],
    on: everywhereAndDashboards,
    fields: [
      field('image', say('Image'), { as: 'image' }, null, { help: say('A jpeg or png picture.') }),
      text('name', say('Description'), '', {
        help: say('What the picture shows, for people who cannot see it.'),
      }),
    ],
  },
  {
    id: 'frame',
    label: say('Frame'),
    help: say('A titled area around elements; frames are the pages of a presentation. A run never sees it.'),
    family: 'drawing',
    shape: 'frame',
    size: [640, 400],
    on: everywhere,
    fields: [text('name', say('Title'), '', { help: say('Title of the frame.') })],
  },
]
