// The formula language for editors: parsers to highlight with, completions, hover, signatures, references and rename,
// formatting and quick fixes. Nothing here compiles or runs.
export { expressionParser, programParser } from './formula/grammar/parsers.ts'
export { signatureWords, typeWords } from './formula/type-words.ts'
export type { Edit } from './formula/mistakes.ts'
export { completionsAt, definitionAt, fixesFor, hoverAt, referencesIn, renameIn, renameLocal, signatureAt } from './formula/services.ts'
export { formatFormula } from './formula/format.ts'
export type { Scope, Symbol, SymbolKind } from './formula/scope.ts'
export { constants, rows } from './formula/library/library.ts'
export { readInterface, type Interface } from './chain/abi.ts'
export { outputType } from './chain/output.ts'
export { chainMembers, interfaceMembers, terraMembers } from './check/names/chain-names.ts'
