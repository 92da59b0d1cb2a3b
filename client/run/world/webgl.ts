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
  if (!cells || !links || !agents) return null

  const textures = new Map<string, { texture: WebGLTexture; layer: CellLayer }>()
  const columns = new Map<string, { array: WebGLVertexArrayObject; layer: AgentLayer | LinkLayer; buffers: WebGLBuffer[] }>()
  gl.enable(gl.BLEND)
  gl.depthFunc(gl.LEQUAL)
  gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA)

  const textureOf = (layer: CellLayer): WebGLTexture | null => {
    const known = textures.get(layer.population)
    if (known?.layer === layer) return known.texture
    const texture = known?.texture ?? gl.createTexture()
    gl.bindTexture(gl.TEXTURE_2D, texture)
    if (!known) {
      for (const side of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER]) gl.texParameteri(gl.TEXTURE_2D, side, gl.NEAREST)
      for (const side of [gl.TEXTURE_WRAP_S, gl.TEXTURE_WRAP_T]) gl.texParameteri(gl.TEXTURE_2D, side, gl.CLAMP_TO_EDGE)
    }
    const bytes = new Uint8Array(layer.colors.buffer, layer.colors.byteOffset, layer.columns * layer.rows * 4)
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, layer.columns, layer.rows, 0, gl.RGBA, gl.UNSIGNED_BYTE, bytes)
    textures.set(layer.population, { texture, layer })
    return texture
  }

  /** The layer's columns as instanced attributes, uploaded when they are new. */
  const arrayOf = (owner: WebGLProgram, layer: AgentLayer | LinkLayer): WebGLVertexArrayObject => {
    const known = columns.get(layer.population)
    if (known?.layer === layer) return known.array
    const array = known?.array ?? gl.createVertexArray()
    const buffers = known?.buffers ?? []
    gl.bindVertexArray(array)
    const parts: [string, ArrayBufferView | null, number, number, boolean][] =
      layer.kind === 'agent'
        ? [
            ['x', layer.x, 1, gl.FLOAT, false],
            ['y', layer.y, 1, gl.FLOAT, false],
            ['z', layer.z ?? null, 1, gl.FLOAT, false],
            ['heading', layer.heading, 1, gl.FLOAT, false],
            ['size', layer.size, 1, gl.FLOAT, false],
            ['tint', layer.colors, 4, gl.UNSIGNED_BYTE, true],
            ['kind', layer.shapes, 1, gl.UNSIGNED_BYTE, false],
          ]
        : [
            ['x1', layer.x1, 1, gl.FLOAT, false],
            ['y1', layer.y1, 1, gl.FLOAT, false],
            ['x2', layer.x2, 1, gl.FLOAT, false],
            ['y2', layer.y2, 1, gl.FLOAT, false],
            ['z1', layer.z1 ?? null, 1, gl.FLOAT, false],
            ['z2', layer.z2 ?? null, 1, gl.FLOAT, false],
            ['tint', layer.colors, 4, gl.UNSIGNED_BYTE, true],
            ['thickness', layer.thickness, 1, gl.FLOAT, false],
          ]
    for (const [i, [name, values, size, type, normalized]] of parts.entries()) {
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
      gl.vertexAttribPointer(at, size, type, normalized, 0, 0)
      gl.vertexAttribDivisor(at, 1)
    }
    columns.set(layer.population, { array, layer, buffers })
    return array
  }

  return {
    kind: 'webgl',
    paint(scene: Scene, camera: Camera, view: Viewport, world: number) {
      gl.viewport(0, 0, canvas.width, canvas.height)
      gl.disable(gl.SCISSOR_TEST)
      gl.clearColor(0, 0, 0, 0)
      gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT)
      const use = (owner: WebGLProgram): void => {
        gl.useProgram(owner)
        gl.uniform4f(
          gl.getUniformLocation(owner, 'camera'),
          camera.x,
          camera.y,
          (2 * camera.scale) / view.width,
          (2 * camera.scale) / view.height,
        )
        gl.uniform2f(gl.getUniformLocation(owner, 'pixel'), 2 / canvas.width, 2 / canvas.height)
      }
      const drawLines = (): void => {
        use(links)
        gl.uniform1f(gl.getUniformLocation(links, 'width'), view.dpr)
        for (const layer of [...(scene.trails ?? []), ...scene.links]) {
          gl.bindVertexArray(arrayOf(links, layer))
          gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, layer.count)
        }
      }
      const drawAgents = (): void => {
        use(agents)
        gl.uniform1f(gl.getUniformLocation(agents, 'scale'), camera.scale * view.dpr)
        gl.uniform1f(gl.getUniformLocation(agents, 'least'), 2.5 * view.dpr)
        if (scene.cube) gl.uniform2fv(gl.getUniformLocation(agents, 'edges'), scene.cube.edges)
        if (scene.cube) gl.uniform1fv(gl.getUniformLocation(agents, 'bright'), scene.cube.bright)
        for (const layer of scene.agents) {
          gl.bindVertexArray(arrayOf(agents, layer))
          gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, layer.count)
        }
      }
      use(cells)
      const { minX, minY, maxX, maxY } = scene.bounds
      const [left, bottom] = toScreen(camera, view, minX, minY)
      const [right, top] = toScreen(camera, view, maxX, maxY)
      gl.enable(gl.SCISSOR_TEST)
      gl.scissor(
        Math.round(left * view.dpr),
        canvas.height - Math.round(bottom * view.dpr),
        Math.round((right - left) * view.dpr),
        Math.round((bottom - top) * view.dpr),
      )
      gl.uniform4f(gl.getUniformLocation(cells, 'area'), minX, minY, maxX, maxY)
      gl.uniform1f(gl.getUniformLocation(cells, 'plain'), 1)
      gl.uniform3f(gl.getUniformLocation(cells, 'color'), (world >> 16) / 255, ((world >> 8) & 255) / 255, (world & 255) / 255)
      gl.bindVertexArray(null)
      gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4)
      gl.uniform1f(gl.getUniformLocation(cells, 'plain'), 0)
      for (const layer of scene.cells) {
        gl.bindTexture(gl.TEXTURE_2D, textureOf(layer))
        gl.uniform4f(
          gl.getUniformLocation(cells, 'area'),
          layer.minX - 0.5,
          layer.minY - 0.5,
          layer.minX + layer.columns - 0.5,
          layer.minY + layer.rows - 0.5,
        )
        gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4)
      }
      // Lines may be clear, so that what they hide must be there before them; flat pictures have them under the agents.
      const deep = scene.agents.some(layer => layer.z !== undefined)
      if (deep) {
        gl.enable(gl.DEPTH_TEST)
        drawAgents()
        gl.depthMask(false)
        drawLines()
        gl.depthMask(true)
        gl.disable(gl.DEPTH_TEST)
      } else {
        drawLines()
        drawAgents()
      }
      gl.bindVertexArray(null)
      const drawn = new Set([...scene.agents, ...scene.links, ...(scene.trails ?? [])].map(layer => layer.population))
      for (const [population, { array, buffers }] of columns) {
        if (drawn.has(population)) continue
        gl.deleteVertexArray(array)
        for (const buffer of buffers) gl.deleteBuffer(buffer)
        columns.delete(population)
      }
    },
    destroy() {
      gl.getExtension('WEBGL_lose_context')?.loseContext()
    },
  }
}

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
