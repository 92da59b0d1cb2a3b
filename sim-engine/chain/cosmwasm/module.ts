// A contract's WebAssembly as CosmWasm allows it: checked, and rewritten so that it counts gas and stack itself. Floating point, threads,
// vectors and functions of other hosts are refused, so a module gives the same result on every machine.
// https://github.com/CosmWasm/cosmwasm/tree/main/packages/vm (static_analysis, middleware gatekeeper, metering)
import { say } from '../../../model-schema/words.ts'
import { Bytes, i32, i32Compare, i64, i64Compare, nothing, op, u32Compare, unsigned } from '../../backends/binary.ts'
import { Reader, Unreadable } from './reader.ts'
import { callIndirect, memoryGrow, memorySize, readInstruction } from './instructions.ts'

export const wasmLimits = {
  /** Bytes of a module: what wasmd takes as an upload. */
  bytes: 3 * 1024 * 1024,
  functions: 20_000,
  /** Pages of memory of an instance: 32 MiB. */
  pages: 512,
  /** Parameters, locals and results of one function. */
  locals: 10_000,
  tableEntries: 10_000,
} as const

/** Gas of CosmWasm (not of the chain) for one instruction, and for eight bytes that an instruction copies or fills. */
export const instructionGas = 115
const wordGas = 1
/** Units of stack that one call takes in addition to its locals. */
const callWeight = 8

/**
 * Names under which the rewritten module exports its counters: gas left (i64), units of stack left (i32), and pages that the contract
 * knows of (i32); then its own globals that may change, by number. With them an instance can be made as new.
 */
export const counters = { gas: 'holarchy_gas', stack: 'holarchy_stack', pages: 'holarchy_pages' } as const
const globalName = (number: number): string => `holarchy_global_${number}`

/** Pages of memory an instance has beyond those its module asks for, so that calls that need little more need no new instance. */
const sparePages = 6

export type Metered = {
  readonly bytes: Uint8Array<ArrayBuffer>
  /** Pages that the contract knows of at first, and those that there are. */
  readonly pages: number
  readonly pagesThere: number
  /** Exported names of the globals that may change. */
  readonly globals: readonly string[]
}

const hostFunctions = new Set([
  'abort',
  'db_read',
  'db_write',
  'db_remove',
  'db_scan',
  'db_next',
  'db_next_key',
  'db_next_value',
  'addr_validate',
  'addr_canonicalize',
  'addr_humanize',
  'secp256k1_verify',
  'secp256k1_recover_pubkey',
  'secp256r1_verify',
  'secp256r1_recover_pubkey',
  'ed25519_verify',
  'ed25519_batch_verify',
  'debug',
  'query_chain',
])
const needed = ['memory', 'allocate', 'deallocate', 'instantiate']

type Section = { readonly id: number; readonly from: number; readonly to: number }

/** Numbers of sections, in their order in a module. */
const sectionId = { type: 1, import: 2, function: 3, table: 4, memory: 5, global: 6, export: 7, start: 8, element: 9, code: 10, data: 11 }
const dataCount = 12
const orderOf = (id: number): number => (id === dataCount ? 9.5 : id)

type Signature = { readonly parameters: number; readonly results: number }

/** Reads, checks and rewrites a module. Throws `Unreadable` with what CosmWasm does not allow. */
export function metered(bytes: Uint8Array): Metered {
  if (bytes.length > wasmLimits.bytes) throw new Unreadable(say('the module has more than {bytes} bytes', { bytes: wasmLimits.bytes }))
  return new Rewriting(bytes).made()
}

class Rewriting {
  readonly #bytes: Uint8Array
  readonly #sections: readonly Section[]
  readonly #types: readonly Signature[]
  /** Type of each function of the module itself. */
  readonly #functions: readonly number[]
  readonly #imports: number
  readonly #globals: readonly boolean[]
  readonly #pages: number

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
    this.#sections = sectionsOf(bytes)
    if (this.#section(sectionId.start)) throw new Unreadable(say('the module has a start function'))
    this.#types = this.#vector(sectionId.type, signatureIn)
    this.#imports = this.#vector(sectionId.import, importIn).length
    this.#functions = this.#vector(sectionId.function, reader => reader.unsigned())
    if (this.#functions.length > wasmLimits.functions)
      throw new Unreadable(say('the module has more than {functions} functions', { functions: wasmLimits.functions }))
    this.#globals = this.#vector(sectionId.global, globalIn)
    this.#pages = this.#pagesAsked()
    this.#checkTables()
    this.#checkExports()
  }

  #section(id: number): Section | undefined {
    return this.#sections.find(section => section.id === id)
  }

  #readerOf(id: number): Reader | undefined {
    const section = this.#section(id)
    return section && new Reader(this.#bytes, section.from, section.to)
  }

  #vector<T>(id: number, read: (reader: Reader) => T): T[] {
    const reader = this.#readerOf(id)
    if (!reader) return []
    const items = Array.from({ length: reader.count() }, () => read(reader))
    reader.finish()
    return items
  }

  #checkTables(): void {
    const tables = this.#vector(sectionId.table, reader => {
      if (reader.byte() !== 0x70) throw new Unreadable(say('the module has a table of something else than functions'))
      return limitsIn(reader)
    })
    if (tables.length > 1 || tables.some(({ least }) => least > wasmLimits.tableEntries))
      throw new Unreadable(say('the module has too many or too large tables'))
  }

  #checkExports(): void {
    const exported = this.#vector(sectionId.export, reader => {
      const name = reader.name()
      reader.byte()
      reader.unsigned()
      return name
    })
    for (const name of needed)
      if (!exported.includes(name)) throw new Unreadable(say('the module does not export {name}: it is no contract of CosmWasm', { name }))
    if (exported.some(name => name.startsWith('holarchy_'))) throw new Unreadable(say('the module exports a name that belongs to the host'))
    if (!exported.includes('interface_version_8'))
      throw new Unreadable(
        say('the module is of another version of CosmWasm: contracts of version 1.0 and later export interface_version_8'),
      )
  }

  made(): Metered {
    const out = new Bytes(this.#bytes.length * 2)
    for (const byte of this.#bytes.subarray(0, 8)) out.op(byte)
    const section = this.#withGlobals()
    let isWritten = false
    for (const { id, from, to } of this.#sections) {
      if (id === 0) continue
      if (!isWritten && orderOf(id) >= sectionId.global) {
        sectionInto(out, sectionId.global, section)
        isWritten = true
      }
      if (id === sectionId.global) continue
      if (id === sectionId.memory) sectionInto(out, id, this.#withLimit())
      else if (id === sectionId.export) sectionInto(out, id, this.#withCounters())
      else if (id === sectionId.type) sectionInto(out, id, this.#withOneMore(id, [0x60, 1, i32, 1, i32]))
      else if (id === sectionId.function) sectionInto(out, id, this.#withOneMore(id, unsigned(this.#types.length)))
      else if (id === sectionId.code) sectionInto(out, id, this.#withGas())
      else sectionInto(out, id, copied(this.#bytes, from, to))
    }
    const globals = this.#globals.flatMap((isMutable, k) => (isMutable ? [globalName(k)] : []))
    return { bytes: out.whole(), pages: this.#pages, pagesThere: this.#pagesThere, globals }
  }

  get #pagesThere(): number {
    return Math.min(this.#pages + sparePages, wasmLimits.pages)
  }

  /** A section with one more entry. */
  #withOneMore(id: number, entry: readonly number[]): Bytes {
    const out = new Bytes()
    const reader = this.#readerOf(id)!
    out.unsigned(reader.unsigned() + 1)
    bytesInto(out, this.#bytes, reader.at, this.#section(id)!.to)
    out.put(...entry)
    return out
  }

  /** One memory, which never has more pages than CosmWasm gives. */
  #pagesAsked(): number {
    const limits = this.#vector(sectionId.memory, limitsIn)
    const [one] = limits
    if (limits.length !== 1 || one === undefined || one.least > wasmLimits.pages)
      throw new Unreadable(say('the module needs one memory of at most {pages} pages', { pages: wasmLimits.pages }))
    return one.least
  }

  #withLimit(): Bytes {
    const out = new Bytes(8)
    out.put(1, 1)
    out.unsigned(this.#pagesThere)
    out.unsigned(wasmLimits.pages)
    return out
  }

  #withGlobals(): Bytes {
    const out = new Bytes()
    out.unsigned(this.#globals.length + 3)
    const reader = this.#readerOf(sectionId.global)
    if (reader) {
      reader.unsigned()
      bytesInto(out, this.#bytes, reader.at, this.#section(sectionId.global)!.to)
    }
    out.put(i64, 1)
    out.i64(0)
    out.op(op.end)
    for (let k = 0; k < 2; k++) {
      out.put(i32, 1)
      out.i32(0)
      out.op(op.end)
    }
    return out
  }

  #withCounters(): Bytes {
    const out = new Bytes()
    const reader = this.#readerOf(sectionId.export)!
    const own = this.#globals.flatMap((isMutable, k) => (isMutable ? [[globalName(k), k] as const] : []))
    const added = Object.values(counters).map((name, k) => [name, this.#globals.length + k] as const)
    out.unsigned(reader.unsigned() + own.length + added.length)
    bytesInto(out, this.#bytes, reader.at, this.#section(sectionId.export)!.to)
    for (const [name, global] of [...own, ...added]) {
      out.unsigned(name.length)
      for (const letter of name) out.op(letter.codePointAt(0)!)
      out.op(3)
      out.unsigned(global)
    }
    return out
  }

  #withGas(): Bytes {
    const out = new Bytes(this.#bytes.length * 2)
    const reader = this.#readerOf(sectionId.code)!
    const count = reader.count()
    if (count !== this.#functions.length) throw new Unreadable(say('functions and their code do not agree'))
    out.unsigned(count + 1)
    for (let k = 0; k < count; k++) {
      const size = reader.unsigned()
      const end = reader.at + size
      const body = new Body(new Reader(this.#bytes, reader.at, end), {
        signature: this.#types[this.#functions[k]!],
        gas: this.#globals.length,
        grow: this.#imports + count,
      }).written()
      out.unsigned(body.length)
      out.append(body)
      reader.skip(size)
    }
    reader.finish()
    const grow = growing(this.#globals.length + 2)
    out.unsigned(grow.length)
    out.append(grow)
    return out
  }
}

/** The body of one function: each stretch of instructions without a branch pays for itself before it ends. */
class Body {
  readonly #in: Reader
  readonly #out = new Bytes()
  /** Numbers of the global that counts gas, before those of stack and pages, and of the function that replaces memory.grow. */
  readonly #gas: number
  readonly #grow: number
  readonly #weight: number
  /** A local of type i32 that copying and filling needs. */
  readonly #scratch: number
  #due = 0

  constructor(
    reader: Reader,
    { signature, gas, grow }: { readonly signature: Signature | undefined; readonly gas: number; readonly grow: number },
  ) {
    if (!signature) throw new Unreadable(say('a function has a type that is not there'))
    this.#in = reader
    this.#gas = gas
    this.#grow = grow
    let locals = signature.parameters
    const groups = Array.from({ length: reader.count() }, () => {
      const count = reader.unsigned()
      const type = reader.byte()
      if (type !== i32 && type !== i64)
        throw new Unreadable(say('a function has locals that are no whole numbers (floating point is not allowed)'))
      locals += count
      return { count, type }
    })
    if (locals > wasmLimits.locals) throw new Unreadable(say('a function has more than {locals} locals', { locals: wasmLimits.locals }))
    this.#scratch = locals
    this.#weight = callWeight + locals + 1
    this.#out.unsigned(groups.length + 1)
    for (const { count, type } of groups) {
      this.#out.unsigned(count)
      this.#out.op(type)
    }
    this.#out.put(1, i32)
  }

  written(): Bytes {
    for (let depth = 1; depth > 0;) {
      const from = this.#in.at
      const code = this.#in.byte()
      const { isBranch, isCopy } = readInstruction(code, this.#in)
      this.#due += instructionGas
      if (isBranch) this.#pay()
      if (isCopy) this.#payForWords()
      if (code === op.block || code === op.loop || code === op.if) depth++
      if (code === op.end) depth--
      const isCall = code === op.call || code === callIndirect
      if (isCall) this.#takeStack()
      if (code === memorySize) this.#out.at(op.globalGet, this.#gas + 2)
      else if (code === memoryGrow) this.#out.at(op.call, this.#grow)
      else bytesInto(this.#out, this.#in.bytes, from, this.#in.at)
      if (isCall) this.#addToStack(this.#weight)
    }
    this.#in.finish()
    return this.#out
  }

  /** gas -= what the instructions since the last time cost; traps below 0. */
  #pay(): void {
    if (this.#due === 0) return
    const out = this.#out
    out.at(op.globalGet, this.#gas)
    out.i64(this.#due)
    out.op(op.i64Sub)
    out.at(op.globalSet, this.#gas)
    this.#trapBelowZero()
    this.#due = 0
  }

  #trapBelowZero(): void {
    const out = this.#out
    out.at(op.globalGet, this.#gas)
    out.i64(0)
    out.put(i64Compare['<']!, op.if, nothing, op.unreachable, op.end)
  }

  /** Before memory.copy and memory.fill, of which the length is on top of the stack. */
  #payForWords(): void {
    const out = this.#out
    out.at(op.localTee, this.#scratch)
    out.at(op.globalGet, this.#gas)
    out.at(op.localGet, this.#scratch)
    out.op(op.i64ExtendI32U)
    out.i64(3)
    out.op(op.i64ShrU)
    out.i64(wordGas)
    out.put(op.i64Mul, op.i64Sub)
    out.at(op.globalSet, this.#gas)
    this.#trapBelowZero()
  }

  /** A function that calls another keeps its own stack meanwhile. */
  #takeStack(): void {
    this.#addToStack(-this.#weight)
    const out = this.#out
    out.at(op.globalGet, this.#gas + 1)
    out.i32(0)
    out.put(i32Compare['<']!, op.if, nothing, op.unreachable, op.end)
  }

  #addToStack(weight: number): void {
    const out = this.#out
    out.at(op.globalGet, this.#gas + 1)
    out.i32(weight)
    out.op(op.i32Add)
    out.at(op.globalSet, this.#gas + 1)
  }
}

/** memory.grow over the pages that the contract knows of: (pages) -> the number before, or -1. Real pages come only where those there end. */
function growing(known: number): Bytes {
  const out = new Bytes(64)
  out.put(0)
  const sum = (): void => {
    out.at(op.globalGet, known)
    out.at(op.localGet, 0)
    out.op(op.i32Add)
  }
  // More than the limit allows.
  out.at(op.localGet, 0)
  out.i32(wasmLimits.pages)
  out.at(op.globalGet, known)
  out.put(op.i32Sub, u32Compare['>']!, op.if, nothing)
  out.i32(-1)
  out.put(op.return, op.end)
  sum()
  out.put(memorySize, 0, u32Compare['>']!, op.if, nothing)
  sum()
  out.put(memorySize, 0, op.i32Sub, memoryGrow, 0)
  out.i32(-1)
  out.put(i32Compare['===']!, op.if, nothing)
  out.i32(-1)
  out.put(op.return, op.end, op.end)
  // The number before stays on the stack.
  out.at(op.globalGet, known)
  sum()
  out.at(op.globalSet, known)
  out.put(op.end)
  return out
}

function sectionsOf(bytes: Uint8Array): Section[] {
  const reader = new Reader(bytes, 0, bytes.length)
  if (![0, 0x61, 0x73, 109, 1, 0, 0, 0].every(byte => reader.byte() === byte)) throw new Unreadable(say('this is no WebAssembly module'))
  const sections: Section[] = []
  while (!reader.isAtEnd) {
    const id = reader.byte()
    const size = reader.unsigned()
    const from = reader.at
    reader.skip(size)
    const before = sections.findLast(section => section.id !== 0)
    if (id > dataCount || (id !== 0 && before && orderOf(before.id) >= orderOf(id)))
      throw new Unreadable(say('its sections are not in order'))
    sections.push({ id, from, to: reader.at })
  }
  return sections
}

function signatureIn(reader: Reader): Signature {
  if (reader.byte() !== 0x60) throw new Unreadable(say('a type is no type of a function'))
  const parameters = reader.count()
  for (let k = 0; k < parameters; k++) wholeIn(reader)
  const results = reader.count()
  for (let k = 0; k < results; k++) wholeIn(reader)
  return { parameters, results }
}

function wholeIn(reader: Reader): void {
  const type = reader.byte()
  if (type !== i32 && type !== i64)
    throw new Unreadable(say('a function takes or gives something else than whole numbers (floating point is not allowed)'))
}

function importIn(reader: Reader): void {
  const from = reader.name()
  const name = reader.name()
  const kind = reader.byte()
  if (kind !== 0) throw new Unreadable(say('the module imports {from}.{name}, which is no function', { from, name }))
  reader.unsigned()
  if (from !== 'env' || !hostFunctions.has(name))
    throw new Unreadable(say('the module imports {from}.{name}, which CosmWasm does not have', { from, name }))
}

/** Whether a global may change. Its first value is a constant. */
function globalIn(reader: Reader): boolean {
  const type = reader.byte()
  const isMutable = reader.byte() === 1
  const code = reader.byte()
  if ((type !== i32 && type !== i64) || (code !== op.i32Const && code !== op.i64Const))
    throw new Unreadable(say('a global is no whole number'))
  reader.skipNumber(10)
  if (reader.byte() !== op.end) throw new Unreadable(say('a global begins with more than a constant'))
  return isMutable
}

function limitsIn(reader: Reader): { least: number; most: number | null } {
  const flags = reader.byte()
  if (flags > 1) throw new Unreadable(say('shared or wide memories and tables are not allowed'))
  return { least: reader.unsigned(), most: flags === 1 ? reader.unsigned() : null }
}

function sectionInto(out: Bytes, id: number, content: Bytes): void {
  out.op(id)
  out.unsigned(content.length)
  out.append(content)
}

const copied = (bytes: Uint8Array, from: number, to: number): Bytes => {
  const out = new Bytes(to - from + 1)
  bytesInto(out, bytes, from, to)
  return out
}

function bytesInto(out: Bytes, bytes: Uint8Array, from: number, to: number): void {
  for (let at = from; at < to; at++) out.op(bytes[at]!)
}
