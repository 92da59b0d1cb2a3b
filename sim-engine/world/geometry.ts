// Circles and angles: what wrapping, headings and the buckets of a space come down to along one axis.
import { cos, sin } from '../kernel/math.ts'

/** First bucket a search visits along an axis ... */
export function firstBucket(at: number, radius: number, side: number, count: number, wraps: boolean): number {
  const first = Math.floor((at - radius) / side)
  if (first >= 0 && first < count) return bucketsAlong(at, radius, side, count, wraps) === count ? 0 : first
  if (!wraps) return first < 0 ? 0 : count - 1
  return bucketsAlong(at, radius, side, count, wraps) === count ? 0 : first - Math.floor(first / count) * count
}

/** ... and how many: each at most once, at least one. */
export function bucketsAlong(at: number, radius: number, side: number, count: number, wraps: boolean): number {
  const first = Math.floor((at - radius) / side)
  const last = Math.floor((at + radius) / side)
  if (wraps) return last - first + 1 >= count ? count : last - first + 1
  return Math.max(0, Math.min(last, count - 1)) - Math.max(0, Math.min(first, count - 1)) + 1
}

/** Into [low, high), which is a circle. */
export function wrap(value: number, low: number, high: number): number {
  if (value >= low && value < high) return value
  const width = high - low
  let inside = value >= high ? value - width : value + width
  if (!(inside >= low && inside < high)) inside = value - Math.floor((value - low) / width) * width
  // A tiny negative excess rounds up to the border itself.
  return inside >= high ? low : inside
}

/** The difference `d` the short way round a circle. */
export function shortest(d: number, width: number): number {
  const half = width / 2
  if (d > half) return d - width
  return d < -half ? d + width : d
}

/** Degrees in [0, 360). */
export function fullTurn(degrees: number): number {
  if (degrees >= 0 && degrees < 360) return degrees
  const turned = degrees - Math.floor(degrees / 360) * 360
  return turned >= 360 ? 0 : turned
}

/** Of degrees; exact along the axes. */
export function cosine(degrees: number): number {
  return degrees === 90 || degrees === 270 ? 0 : degrees === 180 ? -1 : cos(degrees * (Math.PI / 180))
}

/** Of degrees; exact along the axes. */
export function sine(degrees: number): number {
  return degrees === 0 || degrees === 180 ? 0 : degrees === 90 ? 1 : degrees === 270 ? -1 : sin(degrees * (Math.PI / 180))
}
