// Distance and direction between bare positions, without a space and so without wrapping.
import { atan2, hypot } from '../../kernel/math.ts'

export const geometry = {
  hypotBetween: (ax: number, ay: number, bx: number, by: number): number => hypot(ax - bx, ay - by),
  /** Degrees from b to a, east 0, north 90, in [0, 360). */
  directionBetween: (ax: number, ay: number, bx: number, by: number): number => {
    const angle = (atan2(ay - by, ax - bx) * 180) / Math.PI
    return angle < 0 ? angle + 360 : angle
  },
}
