// The canvas as a picture to save, or as the file's cover. Live cards out of view are shown for a moment, so that they are in it.
import type { Id } from '../../model-schema/model.ts'
import type { PictureOf } from '../canvas/picture.ts'
import { snapshotOf, type Snapshot } from '../canvas/snapshot.ts'
import { palettes, theme } from '../ui/theme.ts'
import type { Editor } from './editor.ts'
import { Scene, type SceneBox } from './scene.ts'
import type { Words } from '../../model-schema/words.ts'

/** The selection, or all of the canvas; on paper in the light colours. */
export async function exportPicture(
  editor: Editor,
  as: 'png' | 'jpeg' | 'svg',
  words: (words: Words) => string,
  on: 'screen' | 'paper' = 'screen',
): Promise<Blob> {
  const { pictureOf } = await import('../canvas/picture.ts')
  const what = await whatOf(editor, words, editor.view.getState().selection)
  return pictureOf(on === 'paper' ? { ...what, palette: palettes.light, dark: false } : what, as)
}

/** All of the canvas, in the proportions of a card in a list. */
export async function coverPicture(editor: Editor, words: (words: Words) => string): Promise<Blob> {
  const { coverOf } = await import('../canvas/picture.ts')
  return coverOf(await whatOf(editor, words, []))
}

/** What the canvas shows: its world, else its first chart once there `ran` something, else its main process or - without cards - its elements. Null: nothing worth it yet. */
export async function drawnCover(editor: Editor, words: (words: Words) => string, ran: boolean): Promise<Blob | null> {
  const { cardCover, coverOf } = await import('../canvas/picture.ts')
  const { dark } = theme.getState()
  const rank = ({ element: { kind }, y, x }: SceneBox): [number, number, number] => [
    kind === 'worldView' ? 0 : kind === 'chart' ? 1 : 2,
    y,
    x,
  ]
  const cards = editor.scene.cards.toSorted((a, b) => rank(a).reduce((order, part, i) => order || part - rank(b)[i]!, 0))
  for (const { id, element } of cards.filter(box => rank(box)[0] < (ran ? 2 : 1))) {
    const picture = await withCards(editor, [id], () => {
      const place = placeOf(id)
      return place && cardCover(place, element.kind === 'worldView', dark)
    })
    if (picture) return picture
  }
  const drawn = { model: editor.model, palette: palettes.light, dark: false, words, only: [], cards: new Map<Id, Snapshot>() }
  if (cards.length === 0) return coverOf({ ...drawn, scene: editor.scene })
  const process = ran ? null : mainProcess(editor)
  return process && coverOf({ ...drawn, scene: process })
}

/** A drawing of the process with the most steps on the canvas; null if none is large enough. */
function mainProcess({ scene, model }: Editor): Scene | null {
  const steps = (id: Id): number => model.elements.get(id)?.children.length ?? 0
  const processes = (model.elements.get(scene.canvas)?.children ?? []).filter(id => model.elements.get(id)?.kind === 'process')
  const [most] = processes.toSorted((a, b) => steps(b) - steps(a))
  if (most === undefined || steps(most) < 3) return null
  const drawn = new Scene(most)
  drawn.update(model)
  return drawn
}

async function whatOf(editor: Editor, words: (words: Words) => string, only: readonly Id[]): Promise<PictureOf> {
  const { dark } = theme.getState()
  const cards = await cardsOf(editor, only)
  return { scene: editor.scene, model: editor.model, palette: palettes[dark ? 'dark' : 'light'], dark, words, only, cards }
}

/** Milliseconds that cards get to appear. */
const cardTimeoutMs = 4000

async function cardsOf(editor: Editor, only: readonly Id[]): Promise<Map<Id, Snapshot>> {
  const ids = editor.scene.cards.map(box => box.id).filter(id => only.length === 0 || only.includes(id))
  const found = new Map<Id, Snapshot>()
  if (ids.length > 0)
    await withCards(editor, ids, async () => {
      for (const id of ids) {
        const place = placeOf(id)
        if (place) found.set(id, await snapshotOf(place, editor.view.getState().camera.zoom))
      }
    })
  return found
}

const placeOf = (id: Id): HTMLElement | null => document.querySelector(`.h-card-place[data-id="${CSS.escape(id)}"]`)

/** Does something while these cards are there and have drawn themselves, wherever one looks. */
async function withCards<T>(editor: Editor, ids: readonly Id[], act: () => T): Promise<Awaited<T>> {
  editor.view.setState({ pictured: ids })
  try {
    const until = performance.now() + cardTimeoutMs
    while (ids.some(id => !placeOf(id)?.firstElementChild) && performance.now() < until) await nextFrame()
    // Charts draw themselves in the frame after they have appeared.
    await nextFrame()
    await nextFrame()
    return await act()
  } finally {
    editor.view.setState({ pictured: [] })
  }
}

const nextFrame = (): Promise<unknown> => new Promise(done => requestAnimationFrame(done))
