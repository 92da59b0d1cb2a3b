// The painter for machines with a GPU: one texture per cell layer, one instanced draw per link and agent layer. The
// engine's columns go to the GPU as they are; colours (0xRRGGBB in memory: blue, green, red, 0) are swizzled in the shader.
import { toScreen, type Camera, type Viewport } from './camera.ts'
import type { AgentLayer, CellLayer, LinkLayer, Painter, Scene } from './scene.ts'
import { cube, cubeGlsl, distanceGlsl } from './shapes.ts'

/** Clip space of a world point. */
const place = `
uniform vec4 camera; // x, y of the middle; scale to clip space in x and y
vec2 clip(vec2 world) { return (world - camera.xy) * camera.zw; }
float depth(float nearness) { return 0.9 - nearness * 1.8; }
`
const cellVertex = `#version 300 es
${place}
uniform vec4 area; // min x, min y, max x, max y
out vec2 at;
void main() {
  vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);
  at = corner;
  gl_Position = vec4(clip(mix(area.xy, area.zw, corner)), 0, 1);
}`
const cellFragment = `#version 300 es
precision highp float;
uniform sampler2D cells;
uniform float plain; // 1: the empty world in one colour
uniform vec3 color;
in vec2 at;
out vec4 paint;
void main() { paint = vec4(plain > 0.5 ? color : texture(cells, at).bgr, 1); }`

const linkVertex = `#version 300 es
${place}
uniform vec2 pixel; // clip space per device pixel
uniform float width;
in float x1; in float y1; in float x2; in float y2;
in float z1; in float z2;
in vec4 tint; in float thickness; // above the colour how clear it is
out vec4 color; out float across; out float half_;
void main() {
  vec2 a = clip(vec2(x1, y1)), b = clip(vec2(x2, y2));
  vec2 along = (b - a) / pixel;
  float span = length(along);
  vec2 normal = span > 0.0 ? vec2(-along.y, along.x) / span : vec2(0);
  half_ = max(thickness * width, 1.0) / 2.0;
  float side = float(gl_VertexID & 1) * 2.0 - 1.0;
  across = side * (half_ + 1.0);
  color = vec4(tint.bgr, 1.0 - tint.a);
  float end = float(gl_VertexID >> 1);
  gl_Position = vec4(mix(a, b, end) + normal * across * pixel, depth(mix(z1, z2, end)), 1);
}`
const linkFragment = `#version 300 es
precision highp float;
in vec4 color; in float across; in float half_;
out vec4 paint;
void main() { paint = vec4(color.rgb, 1) * color.a * clamp(half_ + 0.5 - abs(across), 0.0, 1.0); }`

const agentVertex = `#version 300 es
${place}
uniform vec2 pixel;
uniform float scale; // device pixels per world unit
uniform float least; // device pixels
in float x; in float y; in float z; in float heading; in float size;
in vec4 tint; in float kind;
out vec3 color; out vec2 at; flat out int shape; flat out float radius;
void main() {
  shape = int(kind);
  radius = size <= 0.0 ? 0.0 : max(least, size * scale * 0.92) / 2.0;
  float reach = radius + 1.0;
  vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;
  vec2 local = corner * reach;
  at = local / max(radius, 0.001);
  if (shape == 3) {
    float a = radians(heading);
    local = vec2(local.x * cos(a) - local.y * sin(a), local.x * sin(a) + local.y * cos(a));
  }
  color = tint.bgr;
  gl_Position = radius > 0.0 ? vec4(clip(vec2(x, y)) + local * pixel, depth(z), 1) : vec4(2, 2, 0, 1);
}`
const agentFragment = `#version 300 es
precision highp float;
in vec3 color; in vec2 at; flat in int shape; flat in float radius;
out vec4 paint;
${distanceGlsl}
${cubeGlsl}
void main() {
  if (shape == ${cube}) {
    float bright = cubeBrightness(at);
    if (bright == 0.0) discard;
    paint = vec4(color * bright, 1);
    return;
  }
  float d = shapeDistance(shape, at) * radius;
  float alpha = clamp(0.5 - d, 0.0, 1.0);
  if (alpha < 0.02) discard; // what is behind shows through the corners
  float edge = radius > 4.0 ? clamp(d + 1.5, 0.0, 1.0) * 0.28 : 0.0;
  paint = vec4(color * (1.0 - edge), 1) * alpha;
}`

/** Null where there is no WebGL 2, or only a slow one in software: the flat painter is faster there. */
export function webglPainter(canvas: HTMLCanvasElement): Painter | null {
  const gl = canvas.getContext('webgl2', { alpha: true, antialias: false, premultipliedAlpha: true, failIfMajorPerformanceCaveat: true })
  if (!gl || isSoftware(gl)) return null
  const cells = program(gl, cellVertex, cellFragment)
  const links = program(gl, linkVertex, linkFragment)
  const agents = program(gl, agentVertex, agentFragment)
  return cells && links && agents ? new WebglPainter(canvas, gl, { cells, links, agents }) : null
}

type Programs = { readonly cells: WebGLProgram; readonly links: WebGLProgram; readonly agents: WebGLProgram }

class WebglPainter implements Painter {
  readonly kind = 'webgl'
  readonly #canvas: HTMLCanvasElement
  readonly #gl: WebGL2RenderingContext
  readonly #programs: Programs
  readonly #textures: CellTextures
  readonly #columns: Columns

  constructor(canvas: HTMLCanvasElement, gl: WebGL2RenderingContext, programs: Programs) {
    this.#canvas = canvas
    this.#gl = gl
    this.#programs = programs
    this.#textures = new CellTextures(gl)
    this.#columns = new Columns(gl)
    gl.enable(gl.BLEND)
    gl.depthFunc(gl.LEQUAL)
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA)
  }

  paint(scene: Scene, camera: Camera, view: Viewport, world: number): void {
    const gl = this.#gl
    gl.viewport(0, 0, this.#canvas.width, this.#canvas.height)
    gl.disable(gl.SCISSOR_TEST)
    gl.clearColor(0, 0, 0, 0)
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT)
    this.#paintGround(scene, camera, view, world)
    this.#paintCells(scene)
    // Lines may be clear, so that what they hide must be there before them; flat pictures have them under the agents.
    const deep = scene.agents.some(layer => layer.z !== undefined)
    if (deep) {
      gl.enable(gl.DEPTH_TEST)
      this.#paintAgents(scene, camera, view)
      gl.depthMask(false)
      this.#paintLines(scene, camera, view)
      gl.depthMask(true)
      gl.disable(gl.DEPTH_TEST)
    } else {
      this.#paintLines(scene, camera, view)
      this.#paintAgents(scene, camera, view)
    }
    gl.bindVertexArray(null)
    this.#columns.keep(new Set([...scene.agents, ...scene.links, ...(scene.trails ?? [])].map(layer => layer.population)))
  }

  destroy(): void {
    this.#gl.getExtension('WEBGL_lose_context')?.loseContext()
  }

  #use(owner: WebGLProgram, camera: Camera, view: Viewport): void {
    const gl = this.#gl
    gl.useProgram(owner)
    const [across, up] = [(2 * camera.scale) / view.width, (2 * camera.scale) / view.height]
    gl.uniform4f(gl.getUniformLocation(owner, 'camera'), camera.x, camera.y, across, up)
    gl.uniform2f(gl.getUniformLocation(owner, 'pixel'), 2 / this.#canvas.width, 2 / this.#canvas.height)
  }

  /** The empty world; what comes after it is cut at its edges. */
  #paintGround({ bounds: { minX, minY, maxX, maxY } }: Scene, camera: Camera, view: Viewport, color: number): void {
    const gl = this.#gl
    const { cells } = this.#programs
    this.#use(cells, camera, view)
    const [left, bottom] = toScreen(camera, view, minX, minY)
    const [right, top] = toScreen(camera, view, maxX, maxY)
    gl.enable(gl.SCISSOR_TEST)
    gl.scissor(
      Math.round(left * view.dpr),
      this.#canvas.height - Math.round(bottom * view.dpr),
      Math.round((right - left) * view.dpr),
      Math.round((bottom - top) * view.dpr),
    )
    gl.uniform4f(gl.getUniformLocation(cells, 'area'), minX, minY, maxX, maxY)
    gl.uniform1f(gl.getUniformLocation(cells, 'plain'), 1)
    gl.uniform3f(gl.getUniformLocation(cells, 'color'), (color >> 16) / 255, ((color >> 8) & 255) / 255, (color & 255) / 255)
    gl.bindVertexArray(null)
    gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4)
  }

  /** With the program of the ground. */
  #paintCells({ cells: layers }: Scene): void {
    const gl = this.#gl
    const { cells } = this.#programs
    gl.uniform1f(gl.getUniformLocation(cells, 'plain'), 0)
    const area = gl.getUniformLocation(cells, 'area')
    for (const layer of layers) {
      gl.bindTexture(gl.TEXTURE_2D, this.#textures.of(layer))
      const [left, bottom] = [layer.minX - 0.5, layer.minY - 0.5]
      gl.uniform4f(area, left, bottom, left + layer.columns, bottom + layer.rows)
      gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4)
    }
  }

  #paintLines(scene: Scene, camera: Camera, view: Viewport): void {
    const { links } = this.#programs
    this.#use(links, camera, view)
    this.#gl.uniform1f(this.#gl.getUniformLocation(links, 'width'), view.dpr)
    this.#paintEach(links, [...(scene.trails ?? []), ...scene.links])
  }

  #paintAgents(scene: Scene, camera: Camera, view: Viewport): void {
    const gl = this.#gl
    const { agents } = this.#programs
    this.#use(agents, camera, view)
    gl.uniform1f(gl.getUniformLocation(agents, 'scale'), camera.scale * view.dpr)
    gl.uniform1f(gl.getUniformLocation(agents, 'least'), 2.5 * view.dpr)
    if (scene.cube) gl.uniform2fv(gl.getUniformLocation(agents, 'edges'), scene.cube.edges)
    if (scene.cube) gl.uniform1fv(gl.getUniformLocation(agents, 'bright'), scene.cube.bright)
    this.#paintEach(agents, scene.agents)
  }

  #paintEach(owner: WebGLProgram, layers: readonly (AgentLayer | LinkLayer)[]): void {
    const gl = this.#gl
    for (const layer of layers) {
      gl.bindVertexArray(this.#columns.of(owner, layer))
      gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, layer.count)
    }
  }
}

/** The colours of cell layers as textures, uploaded when they are new. */
class CellTextures {
  readonly #gl: WebGL2RenderingContext
  readonly #known = new Map<string, { texture: WebGLTexture; layer: CellLayer }>()

  constructor(gl: WebGL2RenderingContext) {
    this.#gl = gl
  }

  of(layer: CellLayer): WebGLTexture {
    const gl = this.#gl
    const known = this.#known.get(layer.population)
    if (known?.layer === layer) return known.texture
    const texture = known?.texture ?? gl.createTexture()
    gl.bindTexture(gl.TEXTURE_2D, texture)
    if (!known) {
      for (const side of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER]) gl.texParameteri(gl.TEXTURE_2D, side, gl.NEAREST)
      for (const side of [gl.TEXTURE_WRAP_S, gl.TEXTURE_WRAP_T]) gl.texParameteri(gl.TEXTURE_2D, side, gl.CLAMP_TO_EDGE)
    }
    const bytes = new Uint8Array(layer.colors.buffer, layer.colors.byteOffset, layer.columns * layer.rows * 4)
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, layer.columns, layer.rows, 0, gl.RGBA, gl.UNSIGNED_BYTE, bytes)
    this.#known.set(layer.population, { texture, layer })
    return texture
  }
}

/** Columns of agent and link layers as instanced attributes, uploaded when they are new. */
class Columns {
  readonly #gl: WebGL2RenderingContext
  readonly #known = new Map<string, { array: WebGLVertexArrayObject; layer: AgentLayer | LinkLayer; buffers: WebGLBuffer[] }>()

  constructor(gl: WebGL2RenderingContext) {
    this.#gl = gl
  }

  of(owner: WebGLProgram, layer: AgentLayer | LinkLayer): WebGLVertexArrayObject {
    const gl = this.#gl
    const known = this.#known.get(layer.population)
    if (known?.layer === layer) return known.array
    const array = known?.array ?? gl.createVertexArray()
    const buffers = known?.buffers ?? []
    gl.bindVertexArray(array)
    for (const [i, { name, values, isBytes, size }] of attributesOf(layer).entries()) {
      const at = gl.getAttribLocation(owner, name)
      if (values === null) {
        if (at >= 0) gl.disableVertexAttribArray(at)
        continue
      }
      const buffer = (buffers[i] ??= gl.createBuffer())
      gl.bindBuffer(gl.ARRAY_BUFFER, buffer)
      gl.bufferData(gl.ARRAY_BUFFER, values, gl.DYNAMIC_DRAW)
      if (at < 0) continue
      gl.enableVertexAttribArray(at)
      gl.vertexAttribPointer(at, size, isBytes ? gl.UNSIGNED_BYTE : gl.FLOAT, name === 'tint', 0, 0)
      gl.vertexAttribDivisor(at, 1)
    }
    this.#known.set(layer.population, { array, layer, buffers })
    return array
  }

  /** Lets go of all but these. */
  keep(drawn: ReadonlySet<string>): void {
    for (const [population, { array, buffers }] of this.#known) {
      if (drawn.has(population)) continue
      this.#gl.deleteVertexArray(array)
      for (const buffer of buffers) this.#gl.deleteBuffer(buffer)
      this.#known.delete(population)
    }
  }
}

/** `values`: null where the layer has none. `size`: numbers for one individual. */
type Attribute = { name: string; values: ArrayBufferView | null; size: number; isBytes: boolean }

const numbers = (name: string, values: ArrayBufferView | undefined): Attribute => ({
  name,
  values: values ?? null,
  size: 1,
  isBytes: false,
})
/** Goes to the shader as parts of 1. */
const tint = (values: ArrayBufferView): Attribute => ({ name: 'tint', values, size: 4, isBytes: true })

const attributesOf = (layer: AgentLayer | LinkLayer): Attribute[] =>
  layer.kind === 'agent'
    ? [
        numbers('x', layer.x),
        numbers('y', layer.y),
        numbers('z', layer.z),
        numbers('heading', layer.heading),
        numbers('size', layer.size),
        tint(layer.colors),
        { name: 'kind', values: layer.shapes, size: 1, isBytes: true },
      ]
    : [
        numbers('x1', layer.x1),
        numbers('y1', layer.y1),
        numbers('x2', layer.x2),
        numbers('y2', layer.y2),
        numbers('z1', layer.z1),
        numbers('z2', layer.z2),
        tint(layer.colors),
        numbers('thickness', layer.thickness),
      ]

/** Browsers don't count every software renderer as a caveat; 20,000 agents are 6 frames a second there, 60 with the flat painter. */
function isSoftware(gl: WebGL2RenderingContext): boolean {
  const info = gl.getExtension('WEBGL_debug_renderer_info')
  return /swiftshader|llvmpipe|softpipe|software|basic render/i.test(
    String(gl.getParameter(info ? info.UNMASKED_RENDERER_WEBGL : gl.RENDERER)),
  )
}

/** Null when the driver refuses the shaders. */
function program(gl: WebGL2RenderingContext, vertex: string, fragment: string): WebGLProgram | null {
  const made = gl.createProgram()
  for (const [type, source] of [
    [gl.VERTEX_SHADER, vertex],
    [gl.FRAGMENT_SHADER, fragment],
  ] as const) {
    const shader = gl.createShader(type)
    if (!shader) return null
    gl.shaderSource(shader, source)
    gl.compileShader(shader)
    gl.attachShader(made, shader)
  }
  gl.linkProgram(made)
  if (gl.getProgramParameter(made, gl.LINK_STATUS)) return made
  console.warn('world view: shaders refused:', gl.getProgramInfoLog(made))
  return null
}
