// How a run ended, in words, by what the engine calls it.
import { say, verbatim, type Words } from '../../model-schema/words.ts'

const words: Readonly<Record<string, Words>> = {
  success: say('to its end'),
  terminated: say('terminated'),
  limited: say('step limit'),
  failed: say('failed'),
}

export const endWords = (end: string): Words => words[end] ?? verbatim(end)
