// Cutting a picture to a shape: which part of it is kept, and the cut itself. Pure but for `cutPicture`.

/** Pixels of the picture that are kept. */
type Cut = { x: number; y: number; width: number; height: number }
export type Size = { width: number; height: number }

/** What of a picture fills a shape: as much as fits at zoom 1, less at more, around a centre (0 to 1 each way), within the picture. */
export function cutOf(picture: Size, shape: Size, zoom: number, centre: { x: number; y: number }): Cut {
  const scale = Math.min(picture.width / shape.width, picture.height / shape.height) / Math.max(1, zoom)
  const width = shape.width * scale
  const height = shape.height * scale
  const within = (at: number, size: number, most: number): number => Math.min(Math.max(at * most - size / 2, 0), most - size)
  return { x: within(centre.x, width, picture.width), y: within(centre.y, height, picture.height), width, height }
}

/** The part of a picture as a new one of the shape's size, never larger than life. PNG keeps what is clear, JPEG is smaller. */
export async function cutPicture(picture: ImageBitmap, cut: Cut, shape: Size, type: 'image/png' | 'image/jpeg'): Promise<Blob> {
  const scale = Math.min(1, cut.width / shape.width)
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(32, Math.round(shape.width * scale))
  canvas.height = Math.max(32, Math.round(shape.height * scale))
  const pen = canvas.getContext('2d')
  if (pen === null) throw new Error('this browser draws no pictures')
  pen.imageSmoothingQuality = 'high'
  pen.drawImage(picture, cut.x, cut.y, cut.width, cut.height, 0, 0, canvas.width, canvas.height)
  return new Promise((done, fail) =>
    canvas.toBlob(blob => (blob === null ? fail(new Error('the picture could not be written')) : done(blob)), type, 0.9),
  )
}
