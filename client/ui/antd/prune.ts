// Leaves out of Ant Design's style sheet what belongs to components that are not used.
import { parse } from 'postcss'

/** `css` without selectors that name a class of `unused` components (`table`: `.ant-table`, `.ant-table-row` ...), without rules
 *  that have no selector left, and without animations that no rule names. Throws a `CssSyntaxError` on text that is no style sheet. */
export function prune(css: string, unused: ReadonlySet<string>): string {
  const sheet = parse(css)
  sheet.walkRules(rule => {
    if (isKeyframes(rule.parent)) return
    const selectors = rule.selectors.filter(selector => !namesOneOf(selector, unused))
    if (selectors.length === 0) rule.remove()
    else if (selectors.length < rule.selectors.length) rule.selectors = selectors
  })
  const animations = new Set<string>()
  sheet.walkDecls(/^animation(-name)?$/, declaration => {
    for (const word of declaration.value.split(/[\s,]+/)) animations.add(word)
  })
  sheet.walkAtRules(rule => {
    if (isKeyframes(rule) ? !animations.has(rule.params) : rule.nodes?.length === 0) rule.remove()
  })
  return sheet.toString()
}

const isKeyframes = (node: object | undefined): boolean =>
  node !== undefined && 'name' in node && typeof node.name === 'string' && node.name.endsWith('keyframes')

/**
 * Whether a class in the selector is the name of one of these components, or begins with it and a hyphen. Classes inside `:not(...)`,
 * `:has(...)` and the like may be missing where the rule applies.
 */
function namesOneOf(selector: string, unused: ReadonlySet<string>): boolean {
  for (const [, name = ''] of outside(selector).matchAll(/\.ant-([a-z0-9-]+)/g)) {
    const words = name.split('-')
    if (words.some((_word, index) => unused.has(words.slice(0, index + 1).join('-')))) return true
  }
  return false
}

/** A selector without its parentheses. */
function outside(selector: string): string {
  const shorter = selector.replaceAll(/\([^()]*\)/g, '')
  return shorter === selector ? selector : outside(shorter)
}
