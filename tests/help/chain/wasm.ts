// Small modules of WebAssembly that look like contracts of CosmWasm: their `execute` is what a test says.
import { unsigned } from '../../../sim-engine/backends/binary.ts'

const text = (value: string): number[] => [...unsigned(value.length), ...Buffer.from(value)]
const vector = (items: readonly (readonly number[])[]): number[] => [...unsigned(items.length), ...items.flat()]
const section = (id: number, items: readonly (readonly number[])[]): number[] => {
  const content = vector(items)
  return [id, ...unsigned(content.length), ...content]
}
const body = (code: readonly number[]): number[] => {
  const whole = [0, ...code, 0x0b]
  return [...unsigned(whole.length), ...whole]
}
const i32 = 0x7f

/** An answer of `execute` that is its own is stored from 8192 on, a region of it at 8180. */
const ownAt = 8192
const regionOf = (from: number, length: number): number[] => [...number(from), ...number(length), ...number(length)]

/** `{"ok":{}}` is at 20, a region of it at 4; room for what is given begins at 1024, its region at 64. */
const answer = Buffer.from('{"ok":{}}')
const number = (value: number): number[] => [...Buffer.from(Uint32Array.of(value).buffer)]
const image = [...number(20), ...number(answer.length), ...number(answer.length), 0, 0, 0, 0, ...answer]
const room = [...number(1024), ...number(1024), ...number(0)]

/**
 * A contract with an `execute` that runs the instructions and then answers, with a response of its own where one is given; `start`: with a start
 * function.
 */
export function contractModule({
  execute,
  response,
  start = false,
}: {
  execute: readonly number[]
  response?: object
  start?: boolean
}): Uint8Array {
  const own = response === undefined ? [] : [...Buffer.from(JSON.stringify({ ok: response }))]
  const answered = own.length === 0 ? [0x41, 4] : [0x41, 0xf4, 0x3f]
  const names = ['allocate', 'deallocate', 'interface_version_8', 'instantiate', 'query', 'execute', 'reply', 'migrate']
  const bodies = [[0x41, 0xc0, 0], [], [], [0x41, 4], [0x41, 4], [...execute, ...answered], [0x41, 4], [0x41, 4]]
  const types = [
    [0x60, 1, i32, 1, i32],
    [0x60, 1, i32, 0],
    [0x60, 0, 0],
    [0x60, 3, i32, i32, i32, 1, i32],
    [0x60, 2, i32, i32, 1, i32],
  ]
  const typeOf = [0, 1, 2, 3, 4, 3, 4, 4]
  return Uint8Array.from([
    0,
    0x61,
    0x73,
    109,
    1,
    0,
    0,
    0,
    ...section(1, types),
    ...section(
      3,
      typeOf.map(type => [type]),
    ),
    ...section(5, [[0, 1]]),
    ...section(7, [[...text('memory'), 2, 0], ...names.map((name, k) => [...text(name), 0, k])]),
    ...(start ? [8, 1, 2] : []),
    ...section(10, bodies.map(body)),
    ...section(11, [
      [0, 0x41, 4, 0x0b, ...unsigned(image.length), ...image],
      [0, 0x41, 0xc0, 0, 0x0b, ...unsigned(room.length), ...room],
      ...(own.length === 0 ? [] : [[0, 0x41, 0xf4, 0x3f, 0x0b, ...unsigned(own.length + 12), ...regionOf(ownAt, own.length), ...own]]),
    ]),
  ])
}

/** Number of the function `execute`, for contracts that call themselves. */
contractModule.executeIndex = 5
