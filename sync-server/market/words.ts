// The words by which a publication is found, and those of a search. Split here and not by the database: its parsers differ with the locale of a
// cluster, know no Chinese, and pg_trgm is not everywhere. Words are runs of letters and digits without case and accents; of a run of Han, Kana
// or Hangul, which has no spaces, every two neighbours are a word and the last character another, so that any part of it is found. Of other
// words the endings are kept as well: what begins an ending is a middle of the word.
import { readBody } from '../comments/body.ts'

/** Words kept of a publication, and of what is looked for. */
const maxWords = 2000
const SOUGHT = 8
/** Endings kept of a publication, and their least length. */
const ENDINGS = 3000
const SHORTEST = 3
/** Characters of a word. */
const LONGEST = 64

const dense = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}'
const runs = new RegExp(`[${dense}]+|(?:(?![${dense}])[\\p{L}\\p{M}\\p{N}])+`, 'gu')
const isDense = new RegExp(`^[${dense}]`, 'u')

/** The words of a text, in order. */
export function wordsOf(text: string): string[] {
  return runsOf(text)
    .map(folded)
    .flatMap(run => (isDense.test(run) ? pairsOf(run) : run === '' ? [] : [run]))
}

const runsOf = (text: string): string[] =>
  (text.normalize('NFKC').toLowerCase().match(runs) ?? []).map(run => [...run].slice(0, LONGEST).join(''))

const folded = (run: string): string => run.normalize('NFKD').replaceAll(/\p{M}/gu, '').normalize('NFKC')

function pairsOf(run: string): string[] {
  const characters = [...run]
  return characters.map((character, i) => character + (characters[i + 1] ?? ''))
}

type Said = { name: string; tags: readonly string[]; summary: string; description: string }

/**
 * Values of Postgres' `tsvector`: the words, weighted A to D so that what is found by its name comes before what is found by its tags, sentence,
 * description; and their endings, by which middles are found.
 */
export function foundBy({ name, tags, summary, description }: Said): { words: string; endings: string } {
  const parts = [
    ['A', name],
    ['B', tags.join(' ')],
    ['C', summary],
    ['D', description === '' ? '' : readBody(description).plain],
  ] as const
  const found = new Map<string, string[]>()
  let place = 0
  for (const [weight, text] of parts)
    for (const word of wordsOf(text)) {
      if (++place > maxWords) break
      const places = found.get(word) ?? []
      // As many places of one word as the database keeps.
      if (places.length < 255) found.set(word, [...places, `${place}${weight}`])
    }
  const endings = [...new Set([...found.keys()].flatMap(endingsOf))].slice(0, ENDINGS)
  return {
    words: [...found].map(([word, places]) => `'${word}':${places.join(',')}`).join(' '),
    endings: endings.map(one => `'${one}'`).join(' '),
  }
}

function endingsOf(word: string): string[] {
  if (isDense.test(word)) return []
  const characters = [...word]
  return characters.slice(1, 1 - SHORTEST).map((_, i) => characters.slice(i + 1).join(''))
}

/**
 * A word that is looked for: values of `tsquery` for words that begin with it, for endings that do (null when it is too short, or Chinese), for itself,
 * and for an author's name, which the database splits.
 */
export type Term = { begins: string; inside: string | null; whole: string; author: string }

/** What is looked for, one term a word, at most eight; null when nothing is. An English plural finds the singular too. */
export function termsOf(text: string): Term[] | null {
  if (text.trim() === '') return null
  return runsOf(text)
    .filter(run => folded(run) !== '')
    .slice(0, SOUGHT)
    .map((named, i, all) => {
      const author = `'${named}':*`
      const run = folded(named)
      // Two letters begin too much; the last word may still be being typed.
      const more = run.length > 2 || i === all.length - 1 ? ':*' : ''
      if (!isDense.test(run)) {
        const one = singular(run)
        return { begins: `'${one}'${more}`, inside: [...one].length < SHORTEST ? null : `'${one}':*`, whole: `'${run}'`, author }
      }
      // The last character alone would be asked to be at an end.
      const pairs = run.length > 1 ? pairsOf(run).slice(0, -1) : [run]
      const whole = pairs.map(pair => `'${pair}'`).join(' & ')
      return { begins: run.length > 1 ? whole : `'${run}':*`, inside: null, whole, author }
    })
}

const singular = (word: string): string =>
  /[^aeiou]ies$/.test(word) && word.length > 4 ? word.slice(0, -3) : /[^su]s$/.test(word) && word.length > 3 ? word.slice(0, -1) : word
