// The WebAssembly binary format, as far as functions over numbers and vectors, one memory and globals need it (Core Specification
// 2.0, chapter 5). https://webassembly.github.io/spec/core/binary/
// All modules of the engine are written here. Each imports its memory as `host.memory` and its functions as `host.NAME`.

/** How a module begins: its name and version. */
const magic = [0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0]

/** Types of values. */
export const i32 = 0x7f
export const i64 = 0x7e
const f64 = 0x7c
export const f32 = 0x7d
/** Sixteen bytes. */
export const v128 = 0x7b
/** The type of a block without a value. */
export const nothing = 0x40

export const op = {
  unreachable: 0x00,
  block: 0x02,
  loop: 0x03,
  if: 0x04,
  else: 0x05,
  end: 0x0b,
  br: 0x0c,
  brIf: 0x0d,
  return: 0x0f,
  call: 0x10,
  drop: 0x1a,
  select: 0x1b,
  localGet: 0x20,
  localSet: 0x21,
  localTee: 0x22,
  globalGet: 0x23,
  globalSet: 0x24,
  i32Const: 0x41,
  i64Const: 0x42,
  f64Const: 0x44,
  i32Eqz: 0x45,
  i64Eqz: 0x50,
  i64GeU: 0x5a,
  i32Clz: 0x67,
  i32Add: 0x6a,
  i32Sub: 0x6b,
  i32Mul: 0x6c,
  i32RemU: 0x70,
  i32And: 0x71,
  i32Or: 0x72,
  i32Xor: 0x73,
  i32Shl: 0x74,
  i32ShrS: 0x75,
  i32ShrU: 0x76,
  i64Add: 0x7c,
  i64Sub: 0x7d,
  i64Mul: 0x7e,
  i64RemS: 0x81,
  i64And: 0x83,
  i64Or: 0x84,
  i64Xor: 0x85,
  i64Shl: 0x86,
  i64ShrU: 0x88,
  i64Rotl: 0x89,
  f64Abs: 0x99,
  f64Neg: 0x9a,
  f64Ceil: 0x9b,
  f64Floor: 0x9c,
  f64Trunc: 0x9d,
  f64Sqrt: 0x9f,
  f64Add: 0xa0,
  f64Sub: 0xa1,
  f64Mul: 0xa2,
  f64Div: 0xa3,
  f64Min: 0xa4,
  f64Max: 0xa5,
  f64Copysign: 0xa6,
  i32WrapI64: 0xa7,
  i64ExtendI32S: 0xac,
  i64ExtendI32U: 0xad,
  f32DemoteF64: 0xb6,
  f64ConvertI32S: 0xb7,
  f64ConvertI32U: 0xb8,
  f64ConvertI64S: 0xb9,
  f64PromoteF32: 0xbb,
  i64ReinterpretF64: 0xbd,
  f64ReinterpretI64: 0xbf,
} as const

export const i32Compare: Record<string, number> = { '===': 0x46, '!==': 0x47, '<': 0x48, '>': 0x4a, '<=': 0x4c, '>=': 0x4e }
export const u32Compare: Record<string, number> = { '===': 0x46, '!==': 0x47, '<': 0x49, '>': 0x4b, '<=': 0x4d, '>=': 0x4f }
export const i64Compare: Record<string, number> = { '===': 0x51, '!==': 0x52, '<': 0x53, '>': 0x55, '<=': 0x57, '>=': 0x59 }
const floats = new Float64Array(1)
const octets = new Uint8Array(floats.buffer)

/** A sequence of bytes that grows. */
export class Bytes {
  #all: Uint8Array<ArrayBuffer>
  length = 0

  /** `room`: bytes there is room for at first, at least 1. */
  constructor(room = 256) {
    this.#all = new Uint8Array(room)
  }

  #grow(more: number): void {
    if (this.length + more <= this.#all.length) return
    const all = new Uint8Array(Math.max(this.#all.length * 2, this.length + more))
    all.set(this.#all)
    this.#all = all
  }

  op(code: number): void {
    if (this.length === this.#all.length) this.#grow(1)
    this.#all[this.length++] = code
  }

  put(...codes: readonly number[]): void {
    this.#grow(codes.length)
    for (const code of codes) this.#all[this.length++] = code
  }

  /** Puts bytes in before those from `at` on. */
  insert(at: number, more: readonly number[]): void {
    this.#grow(more.length)
    this.#all.copyWithin(at + more.length, at, this.length)
    this.#all.set(more, at)
    this.length += more.length
  }

  append(more: Bytes, from = 0, to = more.length): void {
    this.#grow(to - from)
    this.#all.set(more.#all.subarray(from, to), this.length)
    this.length += to - from
  }

  /** All of them. */
  whole(): Uint8Array<ArrayBuffer> {
    return this.#all.slice(0, this.length)
  }

  /** An instruction with one unsigned number. */
  at(code: number, value: number): void {
    this.op(code)
    this.unsigned(value)
  }

  /** Of at least 0, in LEB128 as all numbers here. */
  unsigned(value: number): void {
    let rest = value
    for (; rest >= 128; rest = Math.floor(rest / 128)) this.op((rest & 127) | 128)
    this.op(rest)
  }

  /** Within 32 bits. */
  signed(value: number): void {
    let rest = value | 0
    for (; rest < -64 || rest >= 64; rest >>= 7) this.op((rest & 127) | 128)
    this.op(rest & 127)
  }

  i32(value: number): void {
    this.op(op.i32Const)
    this.signed(value)
  }

  /** A whole number within 2^53. */
  i64(value: number): void {
    this.op(op.i64Const)
    let rest = value
    for (; rest < -64 || rest >= 64; rest = Math.floor(rest / 128)) this.op((rest - Math.floor(rest / 128) * 128) | 128)
    this.op(rest & 127)
  }

  /** In the order of bytes that the format has, which is that of all machines we run on. */
  f64(value: number): void {
    floats[0] = value
    this.op(op.f64Const)
    this.#grow(8)
    this.#all.set(octets, this.length)
    this.length += 8
  }
}

export const unsigned = (value: number): number[] => written(bytes => bytes.unsigned(value))
export const signed = (value: number): number[] => written(bytes => bytes.signed(value))

function written(write: (bytes: Bytes) => void): number[] {
  const bytes = new Bytes(8)
  write(bytes)
  return [...bytes.whole()]
}

type Signature = { readonly parameters: readonly number[]; readonly results: readonly number[] }
type Imported = Signature & { readonly name: string }
/** `code` is without the `end` of the function. */
export type Made = Signature & {
  /** Types of what isn't a parameter. */ readonly locals: readonly number[]
  readonly code: Bytes
}
type Exported = { readonly name: string; readonly index: number }
type Global = { readonly name: string; readonly type: number }

/** A module: functions are counted from the first imported one; globals are 0 at first and can be set from outside. */
export function moduleOf(
  imported: readonly Imported[],
  made: readonly Made[],
  exported: readonly Exported[],
  globals: readonly Global[] = [],
): Uint8Array<ArrayBuffer> {
  const types = new Types()
  const whole = new Bytes(4096)
  whole.put(...magic)
  const section = (id: number, content: Bytes): void => {
    whole.at(id, content.length)
    whole.append(content)
  }
  const imports = importsOf(imported, types)
  const functions = new Bytes()
  functions.unsigned(made.length)
  for (const one of made) functions.unsigned(types.of(one))
  section(1, types.section())
  section(2, imports)
  section(3, functions)
  section(6, globalsOf(globals))
  section(7, exportsOf(exported, globals))
  section(10, codeOf(made))
  return whole.whole()
}

/** Types of functions, each once. */
class Types {
  readonly #known = new Map<string, number>()
  readonly #bytes = new Bytes()

  of({ parameters, results }: Signature): number {
    const key = `${parameters.join()}:${results.join()}`
    const known = this.#known.get(key)
    if (known !== undefined) return known
    this.#bytes.op(0x60)
    list(this.#bytes, parameters)
    list(this.#bytes, results)
    this.#known.set(key, this.#known.size)
    return this.#known.size - 1
  }

  section(): Bytes {
    const counted = new Bytes()
    counted.unsigned(this.#known.size)
    counted.append(this.#bytes)
    return counted
  }
}

function importsOf(imported: readonly Imported[], types: Types): Bytes {
  const bytes = new Bytes()
  bytes.unsigned(imported.length + 1)
  name(bytes, 'host')
  name(bytes, 'memory')
  // A memory of any size.
  bytes.put(0x02, 0x00, 0)
  for (const one of imported) {
    name(bytes, 'host')
    name(bytes, one.name)
    bytes.op(0x00)
    bytes.unsigned(types.of(one))
  }
  return bytes
}

function globalsOf(globals: readonly Global[]): Bytes {
  const bytes = new Bytes()
  bytes.unsigned(globals.length)
  for (const { type } of globals) {
    bytes.put(type, 1)
    if (type === f64) bytes.f64(0)
    else bytes.i32(0)
    bytes.op(op.end)
  }
  return bytes
}

function exportsOf(exported: readonly Exported[], globals: readonly Global[]): Bytes {
  const bytes = new Bytes()
  bytes.unsigned(exported.length + globals.length)
  for (const one of exported) {
    name(bytes, one.name)
    bytes.at(0x00, one.index)
  }
  globals.forEach((one, k) => {
    name(bytes, one.name)
    bytes.at(0x03, k)
  })
  return bytes
}

function codeOf(made: readonly Made[]): Bytes {
  const bytes = new Bytes(4096)
  bytes.unsigned(made.length)
  for (const one of made) {
    const locals = new Bytes()
    const runs = runsOf(one.locals)
    locals.unsigned(runs.length)
    for (const { count, type } of runs) {
      locals.unsigned(count)
      locals.op(type)
    }
    bytes.unsigned(locals.length + one.code.length + 1)
    bytes.append(locals)
    bytes.append(one.code)
    bytes.op(op.end)
  }
  return bytes
}

function list(bytes: Bytes, types: readonly number[]): void {
  bytes.unsigned(types.length)
  for (const type of types) bytes.op(type)
}

/** Letters of names are ASCII. */
function name(bytes: Bytes, text: string): void {
  bytes.unsigned(text.length)
  for (let k = 0; k < text.length; k++) bytes.op(text.charCodeAt(k))
}

function runsOf(types: readonly number[]): { count: number; type: number }[] {
  const runs: { count: number; type: number }[] = []
  for (const type of types) {
    const last = runs.at(-1)
    if (last !== undefined && last.type === type) last.count++
    else runs.push({ count: 1, type })
  }
  return runs
}
