// Compiles formula.grammar into generated.js and generated.terms.js (with their types), which are checked in.
// Run with: node sim-engine/formula/grammar/generate.ts
import { readFileSync, writeFileSync } from 'node:fs'
import { buildParserFile } from '@lezer/generator'

const here = (name: string): URL => new URL(name, import.meta.url)
const { parser, terms } = buildParserFile(readFileSync(here('formula.grammar'), 'utf8'), {
  fileName: 'formula.grammar',
  moduleStyle: 'es',
  includeNames: true,
  warn: message => {
    throw new Error(message)
  },
})
writeFileSync(here('generated.js'), parser)
writeFileSync(here('generated.terms.js'), terms)
writeFileSync(here('generated.d.ts'), "import type { LRParser } from '@lezer/lr'\nexport declare const parser: LRParser\n")
writeFileSync(
  here('generated.terms.d.ts'),
  [...terms.matchAll(/(\w+) = \d+/g)].map(([, name]) => `export declare const ${name}: number\n`).join(''),
)
