// The module of a contract as its field holds it: base64 of WebAssembly, plain or compressed by gzip as wasmd takes it (fflate unpacks it:
// small, and synchronous where DecompressionStream is not).
import { say } from '../../../model-schema/words.ts'
import { Gunzip } from 'fflate'
import { fromBase64 } from './json.ts'
import { MessageFault } from './faults.ts'
import { wasmLimits } from './module.ts'
import { Unreadable } from './reader.ts'
import { codeOf } from './state.ts'
import type { Code } from './state.ts'

const read = new Map<string, Code>()
/** Texts remembered; beyond them they are read again. */
const mostTexts = 64

/** Reads, checks and compiles a module, once for each text. Throws `Unreadable`. */
export function codeOfText(text: string): Code {
  let code = read.get(text)
  if (!code) {
    if (read.size >= mostTexts) read.clear()
    read.set(text, (code = codeOf(unpacked(text))))
  }
  return code
}

function unpacked(text: string): Uint8Array {
  let bytes: Uint8Array
  try {
    bytes = fromBase64(text.replaceAll(/\s/g, ''))
  } catch (error) {
    if (!(error instanceof MessageFault)) throw error
    throw new Unreadable(say('the code is no base64'))
  }
  return bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipped(bytes) : bytes
}

/** Stops where a module would be too large: a few bytes can unpack to gigabytes. */
function gunzipped(bytes: Uint8Array): Uint8Array {
  const parts: Uint8Array[] = []
  let length = 0
  const gunzip = new Gunzip(part => {
    length += part.length
    if (length > wasmLimits.bytes) throw new Unreadable(say('the module has more than {bytes} bytes', { bytes: wasmLimits.bytes }))
    parts.push(part)
  })
  const chunk = 16_384
  try {
    for (let at = 0; at < bytes.length; at += chunk) gunzip.push(bytes.subarray(at, at + chunk), at + chunk >= bytes.length)
  } catch (error) {
    if (error instanceof Unreadable) throw error
    throw new Unreadable(say('the compressed module is damaged'))
  }
  const whole = new Uint8Array(length)
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
