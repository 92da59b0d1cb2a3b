// Lines into a pixel buffer, smooth at their sides: along the longer way pixel by pixel, and at each of them across the width. In
// software this is several times faster than a canvas for many short lines, and needs no copy of the picture.

/** A pixel buffer and the part of it that is the world, in device pixels, ends exclusive. */
export type PixelTarget = { pixels: Uint32Array; width: number; left: number; right: number; top: number; bottom: number }

/** From pixel (x1, y1) to (x2, y2), y down. `thick` in pixels; `color` 0xRRGGBB; `cover` 0 .. 255, how much of it is seen. */
export function drawLine(
  target: PixelTarget,
  x1: number,
  y1: number,
  x2: number,
  y2: number,
  thick: number,
  color: number,
  cover: number,
): void {
  const { pixels, width } = target
  const dx = x2 - x1
  const dy = y2 - y1
  const steep = Math.abs(dy) > Math.abs(dx)
  const long = steep ? dy : dx
  // A dot at least, for a line no longer than a pixel.
  const slope = long === 0 ? 0 : (steep ? dx : dy) / long
  const [a, b] = steep ? [y1, x1] : [x1, y1]
  const end = steep ? y2 : x2
  // How far the line's side is from its middle, measured across.
  const half = (thick / 2) * Math.hypot(1, slope)
  const [lowAlong, highAlong, lowAcross, highAcross] = steep
    ? [target.top, target.bottom, target.left, target.right]
    : [target.left, target.right, target.top, target.bottom]
  const first = Math.max(lowAlong, Math.floor(Math.min(a, end)))
  const last = Math.min(highAlong, Math.max(Math.ceil(Math.max(a, end)), Math.floor(Math.min(a, end)) + 1))
  const red = (color >> 16) & 255
  const green = (color >> 8) & 255
  const blue = color & 255
  for (let along = first; along < last; along++) {
    const middle = b + (along + 0.5 - a) * slope
    const from = Math.max(lowAcross, Math.floor(middle - half - 0.5))
    const to = Math.min(highAcross, Math.ceil(middle + half + 0.5))
    for (let across = from; across < to; across++) {
      const inside = half + 0.5 - Math.abs(across + 0.5 - middle)
      if (inside <= 0) continue
      const share = inside >= 1 ? cover : (inside * cover) | 0
      const at = steep ? along * width + across : across * width + along
      const under = pixels[at]!
      const alpha = under >>> 24
      if (alpha === 0) {
        pixels[at] = ((share << 24) | (blue << 16) | (green << 8) | red) >>> 0
        continue
      }
      const r = under & 255
      const g = (under >> 8) & 255
      const bl = (under >> 16) & 255
      pixels[at] =
        ((Math.max(alpha, share) << 24) |
          ((bl + (((blue - bl) * share) >> 8)) << 16) |
          ((g + (((green - g) * share) >> 8)) << 8) |
          (r + (((red - r) * share) >> 8))) >>>
        0
    }
  }
}
