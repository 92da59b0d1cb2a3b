// A film of a changing picture: taken from a copy, so that overlays and the size on the screen do not matter.

/** Frames a second. */
const rate = 30
/** Bits a second for each pixel: flat colours and sharp edges take more than photographs. */
const bits = 4
/** Formats that browsers can record, the best first; Safari does not support WebM. */
const formats = ['video/webm;codecs=vp9', 'video/webm;codecs=vp8', 'video/webm', 'video/mp4'] as const

export type Film = {
  /** The picture has changed. */
  shoot(): void
  /** Ends it, with a last picture while there still is one; null when nothing was taken. */
  end(last?: boolean): Promise<Blob | null>
}

/** Begins a film of what `paint` puts on a sheet of this size, in device pixels; null where the browser makes none. */
export function filmOf(width: number, height: number, paint: (context: CanvasRenderingContext2D) => void): Film | null {
  const format = typeof MediaRecorder === 'undefined' ? undefined : formats.find(one => MediaRecorder.isTypeSupported(one))
  const sheet = document.createElement('canvas')
  // Encoders want even sizes.
  sheet.width = Math.max(2, width - (width % 2))
  sheet.height = Math.max(2, height - (height % 2))
  const context = sheet.getContext('2d', { alpha: false })
  if (format === undefined || !context) return null
  const stream = sheet.captureStream(rate)
  const recorder = new MediaRecorder(stream, { mimeType: format, videoBitsPerSecond: bits * sheet.width * sheet.height })
  const parts: Blob[] = []
  recorder.addEventListener('dataavailable', event => {
    if (event.data.size > 0) parts.push(event.data)
  })
  const ended = new Promise<void>(resolve => recorder.addEventListener('stop', () => resolve(), { once: true }))
  const shoot = (): void => paint(context)
  recorder.start(1000)
  shoot()
  return {
    shoot,
    async end(last = true) {
      // Once more: a film of a picture that never changed has a length, too.
      if (last) shoot()
      await new Promise(done => setTimeout(done, 2000 / rate))
      if (recorder.state !== 'inactive') recorder.stop()
      await ended
      for (const track of stream.getTracks()) track.stop()
      return parts.length === 0 ? null : new Blob(parts, { type: format.split(';')[0] ?? format })
    },
  }
}
