// Keys of a dict literal are not there twice. (An empty one is found when it is evaluated: 10025.)
import type { Expr } from './ast.ts'
import { mistake } from './mistakes.ts'
import type { FormulaProblem } from './mistakes.ts'
import { say } from '../../model-schema/words.ts'

export function keyProblems({ entries }: { entries: readonly { key: Expr }[] }): FormulaProblem[] {
  const seen = new Set<string>()
  return entries.flatMap(({ key }) => {
    if (key.is !== 'text' && key.is !== 'number' && key.is !== 'constant') return []
    // As in Python, True is 1 and False is 0.
    const text = typeof key.value === 'string' ? JSON.stringify(key.value) : String(Number(key.value))
    if (seen.has(text)) return [mistake('wrong-arguments', key, say('the key {text} is there twice', { text }))]
    seen.add(text)
    return []
  })
}
