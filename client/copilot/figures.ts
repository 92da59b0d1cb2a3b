// Finds the numbers of an answer that occur neither in what was said nor in what tools returned: they are shown as not checked.
import type { Turn } from './turns.ts'

/** Decimals and per cent; whole numbers are names, counts and years as often as results. */
const figure = /(?<![\p{Script=Latin}\p{N}_.])[-−]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:\s?%)?(?![\d_]|\.\d)/gu
const number = /-?\d+(?:\.\d+)?(?:e[-+]?\d+)?/giu

/** The numbers that a talk rests on: what people asked, what models were told, and what tools were given and gave. */
export function numbersIn(turns: readonly Turn[]): readonly number[] {
  const found = new Set<number>()
  const take = (text: string): void => {
    for (const [one] of text.replaceAll(/(?<=\d),(?=\d{3})/g, '').matchAll(number)) found.add(Math.abs(Number(one)))
  }
  for (const turn of turns) {
    if (turn.is !== 'model') continue
    take(turn.asked)
    take(turn.told ?? '')
    for (const part of turn.parts)
      if (part.is === 'tool') {
        take(part.given)
        take(part.result ?? '')
      }
  }
  return [...found]
}

/** The text in pieces; every second one is a number that none of the known numbers rounds to. */
export function uncheckedIn(text: string, known: readonly number[]): string[] {
  const pieces: string[] = []
  let from = 0
  for (const { 0: said, index } of text.matchAll(figure)) {
    const isPercent = said.endsWith('%')
    const digits = said.replaceAll(/[^\d.]/g, '')
    const decimals = digits.split('.')[1]?.length ?? 0
    if (decimals === 0 && !isPercent) continue
    // Half of the last digit said, and a little for what a decimal cannot say exactly.
    const near = 0.5 * 10 ** -decimals * (1 + 1e-9)
    const value = Number(digits)
    if (known.some(one => Math.abs(one - value) <= near || (isPercent && Math.abs(one * 100 - value) <= near))) continue
    pieces.push(text.slice(from, index), said)
    from = index + said.length
  }
  return [...pieces, text.slice(from)]
}
