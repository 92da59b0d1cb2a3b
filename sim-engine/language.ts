// The formula language for editors: parsers to highlight with, completions, hover, signatures, references and rename,
// formatting and quick fixes. Nothing here compiles or runs.
export { expressionParser, programParser } from './formula/grammar/parsers.ts'
export { signatureWords, typeWords } from './formula/type-words.ts'
export type { Edit, FormulaProblem } from './formula/mistakes.ts'
export type { Completion, CompletionKind, Hover, QuickFix, SignatureHelp } from './formula/services.ts'
export { completionsAt, definitionAt, fixesFor, hoverAt, referencesIn, renameIn, renameLocal, signatureAt } from './formula/services.ts'
export { formatFormula } from './formula/format.ts'
export type { Scope, Symbol, SymbolKind } from './formula/scope.ts'
export type { Row } from './formula/library/row.ts'
export { constants, reserved, rows } from './formula/library/library.ts'
export { methods } from './formula/library/methods.ts'
export { maxLength } from './formula/parse.ts'
