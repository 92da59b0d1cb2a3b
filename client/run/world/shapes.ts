// The shapes of agents as signed distances: below 0 inside, in units of half the agent's size, y up. The same formulas are in GLSL
// (webgl.ts) and here (flat.ts), so both painters draw the same picture. Distances after Inigo Quilez,
// https://iquilezles.org/articles/distfunctions2d/

/** Shape numbers as in `sim-engine/messages.ts`. */
export const circle = 0
export const square = 1
export const triangle = 2
export const arrow = 3
export const person = 4
export const star = 5

/** A cell of a 3D space: three faces of a cube, seen as `CubeView` says. */
export const cube = 6

/** The half edges of a cube that come towards the camera, x, y of each in units of half the sprite; how bright the face each ends at is. */
export type CubeView = { readonly edges: Float32Array; readonly bright: Float32Array }

/** The brightness of a cube at (x, y), y up; 0 outside of it. */
export function cubeBrightness({ edges, bright }: CubeView, x: number, y: number): number {
  for (let face = 0; face < 3; face++) {
    const [u, v] = [2 * ((face + 1) % 3), 2 * ((face + 2) % 3)]
    const dx = x - edges[2 * face]!
    const dy = y - edges[2 * face + 1]!
    const area = edges[u]! * edges[v + 1]! - edges[u + 1]! * edges[v]!
    if (Math.abs(area) < 1e-4) continue
    const along = (dx * edges[v + 1]! - dy * edges[v]!) / area
    const across = (dy * edges[u]! - dx * edges[u + 1]!) / area
    if (Math.abs(along) <= 1 && Math.abs(across) <= 1) return bright[face]!
  }
  return 0
}

/** Only an arrow shows where its agent is heading. */
export const turns = (shape: number): boolean => shape === arrow

export function distance(shape: number, x: number, y: number): number {
  switch (shape) {
    case square:
      return Math.max(Math.abs(x), Math.abs(y)) - 0.86
    case triangle:
      return triangleDistance(x, y + 0.16)
    case arrow:
      return arrowDistance(x, y)
    case person:
      return Math.min(Math.hypot(x, y - 0.58) - 0.36, bodyDistance(x, y))
    case star:
      return starDistance(x, y)
    default:
      return Math.hypot(x, y) - 0.96
  }
}

const root3 = Math.sqrt(3)

function triangleDistance(x: number, y: number): number {
  // Three edges at distance .5 from the middle.
  return Math.max(-y, (root3 * Math.abs(x) + y) / 2) - 0.55
}

function arrowDistance(x: number, y: number): number {
  // Symmetric kite: nose (1, 0), wings (-.8, +-.72), notch (-.4, 0).
  const side = Math.abs(y)
  const edge = (0.72 * (x - 1) + 1.8 * side) / Math.hypot(0.72, 1.8)
  const tail = (-0.72 * (x + 0.4) - 0.4 * side) / Math.hypot(0.72, 0.4)
  return Math.max(edge, tail)
}

function bodyDistance(x: number, y: number): number {
  // A box with round shoulders.
  const boxX = Math.abs(x) - 0.34
  const boxY = Math.abs(y + 0.42) - 0.34
  return Math.hypot(Math.max(boxX, 0), Math.max(boxY, 0)) + Math.min(Math.max(boxX, boxY), 0) - 0.24
}

const star1 = [0.809016994375, -0.587785252292] as const

function starDistance(px: number, py: number): number {
  const radius = 1
  const inner = 0.5
  let x = Math.abs(px)
  let y = py
  const first = 2 * Math.max(star1[0] * x + star1[1] * y, 0)
  x -= first * star1[0]
  y -= first * star1[1]
  const second = 2 * Math.max(-star1[0] * x + star1[1] * y, 0)
  x += second * star1[0]
  y -= second * star1[1]
  x = Math.abs(x)
  y -= radius
  const baX = inner * -star1[1]
  const baY = inner * star1[0] - 1
  const along = Math.min(Math.max((x * baX + y * baY) / (baX * baX + baY * baY), 0), radius)
  return Math.hypot(x - baX * along, y - baY * along) * Math.sign(y * baX - x * baY)
}

/** The same as `distance`, for the fragment shader. */
export const distanceGlsl = `
float shapeDistance(int shape, vec2 p) {
  if (shape == ${square}) return max(abs(p.x), abs(p.y)) - 0.86;
  if (shape == ${triangle}) return max(-(p.y + 0.16), (1.7320508 * abs(p.x) + p.y + 0.16) / 2.0) - 0.55;
  if (shape == ${arrow}) {
    float side = abs(p.y);
    return max((0.72 * (p.x - 1.0) + 1.8 * side) / length(vec2(0.72, 1.8)), (-0.72 * (p.x + 0.4) - 0.4 * side) / length(vec2(0.72, 0.4)));
  }
  if (shape == ${person}) {
    vec2 box = abs(vec2(p.x, p.y + 0.42)) - 0.34;
    return min(length(p - vec2(0.0, 0.58)) - 0.36, length(max(box, 0.0)) + min(max(box.x, box.y), 0.0) - 0.24);
  }
  if (shape == ${star}) {
    vec2 k = vec2(0.809016994375, -0.587785252292);
    p.x = abs(p.x);
    p -= 2.0 * max(dot(k, p), 0.0) * k;
    p -= 2.0 * max(dot(vec2(-k.x, k.y), p), 0.0) * vec2(-k.x, k.y);
    p.x = abs(p.x);
    p.y -= 1.0;
    vec2 ba = 0.5 * vec2(-k.y, k.x) - vec2(0.0, 1.0);
    float h = clamp(dot(p, ba) / dot(ba, ba), 0.0, 1.0);
    return length(p - ba * h) * sign(p.y * ba.x - p.x * ba.y);
  }
  return length(p) - 0.96;
}
`

/** The same as `cubeBrightness`. */
export const cubeGlsl = `
uniform vec2 edges[3];
uniform float bright[3];
float cubeFace(vec2 p, int face, vec2 n, vec2 u, vec2 v) {
  vec2 d = p - n;
  float area = u.x * v.y - u.y * v.x;
  if (abs(area) < 1e-4) return 0.0;
  vec2 at = vec2(d.x * v.y - d.y * v.x, d.y * u.x - d.x * u.y) / area;
  return max(abs(at.x), abs(at.y)) <= 1.0 ? bright[face] : 0.0;
}
float cubeBrightness(vec2 p) {
  float seen = cubeFace(p, 0, edges[0], edges[1], edges[2]);
  if (seen == 0.0) seen = cubeFace(p, 1, edges[1], edges[2], edges[0]);
  if (seen == 0.0) seen = cubeFace(p, 2, edges[2], edges[0], edges[1]);
  return seen;
}
`
