// The tree of a formula, with positions in UTF-16 units. Broken input still gives a tree: `missing` replaces an expression that could not be
// read.

export type Span = { from: number; to: number }

export type ArithmeticOp = '+' | '-' | '*' | '/' | '//' | '%' | '**' | '&' | '|' | '^' | '<<' | '>>'
export type CompareOp = '<' | '<=' | '>' | '>=' | '==' | '!=' | 'in' | 'not in' | 'is' | 'is not'

export type NameNode = Span & { is: 'name'; name: string }
export type MemberNode = Span & { is: 'member'; of: Expr; name: string; nameFrom: number }
export type CallNode = Span & { is: 'call'; callee: Expr; args: readonly Expr[]; named: readonly NamedArgument[] }
export type NamedArgument = Span & { name: string; value: Expr }
export type LambdaNode = Span & { is: 'lambda'; params: readonly NameNode[]; body: Expr }
export type ComprehensionNode = Span & {
  is: 'comprehension'
  kind: 'list' | 'set' | 'dict' | 'generator'
  /** The key, for a dict. */
  element: Expr
  /** Dict comprehensions only. */
  value?: Expr
  clauses: readonly Clause[]
}
export type Clause = (Span & { is: 'for'; target: Expr; source: Expr }) | (Span & { is: 'if'; test: Expr })
type FormatNode = Span & { is: 'format'; parts: readonly FormatPart[] }
export type FormatPart =
  | string
  | (Span & { value: Expr; conversion: '' | 'r' | 's' | 'a'; spec: readonly FormatPart[]; /** `{x=}` shows the text too. */ shown: string })

export type Expr =
  | (Span & { is: 'number'; value: number })
  | (Span & { is: 'text'; value: string })
  | (Span & { is: 'constant'; value: true | false | null })
  | FormatNode
  | NameNode
  | MemberNode
  | (Span & { is: 'index'; of: Expr; index: Expr })
  | (Span & { is: 'slice'; of: Expr; start: Expr | null; stop: Expr | null; step: Expr | null })
  | CallNode
  | (Span & { is: 'unary'; op: '-' | '+' | '~' | 'not'; of: Expr })
  | (Span & { is: 'binary'; op: ArithmeticOp; left: Expr; right: Expr })
  | (Span & { is: 'compare'; first: Expr; rest: readonly { op: CompareOp; right: Expr }[] })
  | (Span & { is: 'and' | 'or'; left: Expr; right: Expr })
  | (Span & { is: 'choose'; test: Expr; value: Expr; otherwise: Expr })
  | (Span & { is: 'list' | 'set' | 'tuple'; items: readonly Expr[] })
  | (Span & { is: 'dict'; entries: readonly { key: Expr; value: Expr }[] })
  | ComprehensionNode
  | LambdaNode
  | (Span & { is: 'missing' })

export type Statement =
  /** `a = b = value`: several targets. */
  | (Span & { is: 'assign'; targets: readonly Expr[]; value: Expr })
  | (Span & { is: 'augment'; target: Expr; op: ArithmeticOp; value: Expr })
  | (Span & { is: 'do'; value: Expr })
  | (Span & { is: 'if'; branches: readonly { test: Expr; body: readonly Statement[] }[]; otherwise: readonly Statement[] })
  | (Span & { is: 'for'; target: Expr; source: Expr; body: readonly Statement[]; otherwise: readonly Statement[] })
  | (Span & { is: 'while'; test: Expr; body: readonly Statement[]; otherwise: readonly Statement[] })
  | (Span & { is: 'return'; value: Expr | null })
  | (Span & { is: 'delete'; targets: readonly Expr[] })
  | (Span & { is: 'assert'; test: Expr; tip: Expr | null })
  | (Span & { is: 'break' | 'continue' | 'pass' })

/** A whole formula: one expression, or statements. */
export type Ast = { is: 'expression'; value: Expr } | { is: 'program'; body: readonly Statement[] }
