// Pictures from outside, chosen, dropped or pasted: JPEG and PNG up to 5 MB, scaled down until they fit a document that everybody carries around.
import { place } from '../../model-schema/edit.ts'
import { DOCUMENT, IMAGE, IMAGE_FIELD_LENGTH } from '../../model-schema/business/limits.ts'
import type { Id } from '../../model-schema/model.ts'
import { viewOf } from './geometry/camera.ts'
import type { Editor } from './editor.ts'
import { centre, type Point } from './geometry/geometry.ts'
import { toGrid } from './geometry/snap.ts'
import { isWords, say, type Words } from '../../model-schema/words.ts'

export type Picture = {
  /** A data URL no longer than a document's field may be. */
  readonly url: string
  /** CSS pixels, before it was scaled down. */
  readonly width: number
  readonly height: number
}

/** The picture in a file, or why there is none to be had. */
export async function readPicture(file: File): Promise<Picture | Words> {
  if (!IMAGE.types.some(type => type === file.type)) return say('Only JPEG and PNG pictures can be used.')
  if (file.size > IMAGE.maxBytes) return say('The picture is larger than 5 MB.')
  try {
    const bitmap = await createImageBitmap(file)
    return { url: await fitted(file, bitmap), width: bitmap.width, height: bitmap.height }
  } catch (error) {
    console.warn(error)
    return say('This file is not a picture that the browser can read.')
  }
}

/** The longest side of a picture put on a canvas, in canvas units. */
const maxPictureSide = 480

/** Puts a picture on the canvas, its middle at a point (absent: in the middle of the view), and selects it. */
export async function putPicture(editor: Editor, file: File, at?: Point): Promise<Id | null> {
  if (!editor.writable) return null
  const picture = await readPicture(file)
  if (isWords(picture)) {
    editor.refuse(picture)
    return null
  }
  const { canvas, camera, size } = editor.view.getState()
  const scale = Math.min(1, maxPictureSide / Math.max(picture.width, picture.height))
  const [w, h] = [Math.max(8, Math.round(picture.width * scale)), Math.max(8, Math.round(picture.height * scale))]
  const middle = at ?? centre(viewOf(camera, size))
  const corner = { x: toGrid(middle.x - w / 2), y: toGrid(middle.y - h / 2) }
  const values = { image: picture.url, name: file.name.replace(/\.\w+$/, '').slice(0, DOCUMENT.nameLength) }
  const made = editor.gesture(() => place(editor.doc, { kind: 'image', parent: canvas, at: [corner.x, corner.y], size: [w, h], values }))
  const id = editor.tell(made)
  if (id !== null) editor.select([id])
  return id
}

/** As it is, or as a JPEG of falling size. */
async function fitted(file: File, bitmap: ImageBitmap): Promise<string> {
  const asIs = await dataUrl(file)
  if (asIs.length <= IMAGE_FIELD_LENGTH) return asIs
  for (let side = 1600; side >= 200; side *= 0.75) {
    const scale = Math.min(1, side / Math.max(bitmap.width, bitmap.height))
    const canvas = document.createElement('canvas')
    canvas.width = Math.max(1, Math.round(bitmap.width * scale))
    canvas.height = Math.max(1, Math.round(bitmap.height * scale))
    const context = canvas.getContext('2d')
    if (!context) break
    // JPEG knows no transparency.
    context.fillStyle = '#ffffff'
    context.fillRect(0, 0, canvas.width, canvas.height)
    context.drawImage(bitmap, 0, 0, canvas.width, canvas.height)
    const url = canvas.toDataURL('image/jpeg', 0.85)
    if (url.length <= IMAGE_FIELD_LENGTH) return url
  }
  throw new Error(`no size of ${file.name} fits into ${IMAGE_FIELD_LENGTH} characters`)
}

function dataUrl(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => resolve(String(reader.result)))
    reader.addEventListener('error', () => reject(reader.error ?? new Error('the file could not be read')))
    reader.readAsDataURL(file)
  })
}
