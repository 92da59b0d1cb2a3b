// The door to CosmWasm: machine, messages, addresses and codes of a Terra chain.
import { failed } from '../failure.ts'
import type { AddressFormat } from '../interface.ts'
import { numberOfText, textOfNumber } from './address.ts'
import { codeOfText } from './code.ts'
import { Unreadable } from './reader.ts'
import type { Code } from './state.ts'

export { TerraCodec } from './codec.ts'
export { TerraMachine } from './machine.ts'

export const terraAddresses: AddressFormat = {
  text: textOfNumber,
  number: numberOfText,
  pattern: /\bterra1[a-z\d]{38,58}\b/g,
}

/** The code that a field holds. 10067 with what is wrong with it. */
export function terraCode(text: string): Code {
  try {
    return codeOfText(text)
  } catch (error) {
    if (error instanceof Unreadable) return failed(error.words)
    throw error
  }
}
