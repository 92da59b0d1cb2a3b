// The two answers that wasmd hands to `reply` in protobuf (cosmwasm/wasm/v1/tx.proto): fields of bytes alone.

/** A field of bytes: its number and wire type 2, its length, itself. Nothing where it is empty. */
function field(number: number, bytes: Uint8Array): number[] {
  if (bytes.length === 0) return []
  const length: number[] = []
  for (let rest = bytes.length; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) {
      length.push(rest)
      break
    }
    length.push((rest & 127) | 128)
  }
  return [(number << 3) | 2, ...length, ...bytes]
}

const encoder = new TextEncoder()

export const executeResponse = (data: Uint8Array): Uint8Array => Uint8Array.from(field(1, data))

export const instantiateResponse = (address: string, data: Uint8Array): Uint8Array =>
  Uint8Array.from([...field(1, encoder.encode(address)), ...field(2, data)])
