// What a page asks for before the app's own code has come.
import { describe, expect, it } from 'vitest'
import { filesOf, showsModel, type Chunk } from '../../../client/early/files.ts'

const chunk = (name: string, of: string | null, imports: string[] = [], styles: string[] = []): Chunk => ({
  fileName: `assets/${name}.js`,
  facadeModuleId: of,
  imports: imports.map(one => `assets/${one}.js`),
  styles: styles.map(one => `assets/${one}.css`),
})

const built = [
  chunk('index', '/here/client/index.html', ['base', 'router'], ['index']),
  chunk('base', null, [], ['base']),
  chunk('router', null, ['base']),
  chunk('Model', '/here/client/Model.tsx', ['canvas', 'base']),
  chunk('canvas', null, ['base', 'documents'], ['canvas']),
  chunk('documents', null, ['canvas']),
  chunk('Other', '/here/client/Other.tsx', ['base']),
]

describe('early files', () => {
  it('are all that a part imports and the page does not bring, each once, with its styles', () => {
    expect(filesOf(built, ['/client/Model.tsx'], ['/client/index.html'])).toEqual([
      'assets/Model.js',
      'assets/canvas.js',
      'assets/canvas.css',
      'assets/documents.js',
    ])
    expect(filesOf(built, ['/client/Other.tsx', '/client/Model.tsx'], [])).toHaveLength(7)
  })

  it('are not written when a part of that name was not built', () => {
    expect(() => filesOf(built, ['/client/Renamed.tsx'], [])).toThrow('/client/Renamed.tsx')
  })

  it('are of a model on the pages that show one', () => {
    expect(['/modeling/team/1', '/lib/team/1'].every(showsModel)).toBe(true)
    expect(
      ['/', '/workspace/recent', '/share/model/1', '/file/team/1', '/star_block/team/1', '/modeling', '/docs/modeling/1'].some(showsModel),
    ).toBe(false)
  })
})
