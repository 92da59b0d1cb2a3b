// Text -> tree. Total: any text gives a tree and the list of what is wrong with it.
import type { FormulaContext } from '../../model-schema/kinds/kind.ts'
import type { Ast } from './ast.ts'
import type { FormulaProblem } from './mistakes.ts'

export type Parsed = { text: string; context: FormulaContext; ast: Ast; problems: FormulaProblem[] }

export function parseFormula(_text: string, context: FormulaContext): Parsed {
  throw new Error("formula: not built yet")
}
