// Domains of decision variables: the errors of one, how a search sees it, and the value of a coordinate.
import { settingOf, type Decision, type Setting } from '../../model-schema/experiment.ts'
import type { VariablePart } from '../check/parts.ts'
import { exp, log } from '../kernel/math.ts'
import { fit, type Domain } from './optimise/search.ts'
import { say, type Words } from '../../model-schema/words.ts'
import { unreachable } from '../../model-schema/unreachable.ts'

/** Most values of a discrete domain. */
const mostSteps = 2 ** 31

export function domainFault(domain: Decision['domain'], { storage }: VariablePart): { words: Words; field: string } | null {
  const range = (): { words: Words; field: string } => ({
    words: say('The maximum must be above the minimum.'),
    field: 'max',
  })
  const type = storage === 'bool' ? say('The variable takes True or False.') : say('The variable takes numbers.')
  const fits = (value: Setting): boolean =>
    storage === 'number' ? typeof value === 'number' : storage === 'bool' ? typeof value === 'boolean' : true
  switch (domain.as) {
    case 'continuous':
      if (storage === 'bool') return { words: type, field: 'domain' }
      if (!(domain.max > domain.min)) return range()
      return domain.logarithmic && !(domain.min > 0)
        ? { words: say('On a logarithmic scale the minimum must be above 0.'), field: 'min' }
        : null
    case 'discrete':
      if (storage === 'bool') return { words: type, field: 'domain' }
      if (!(domain.max > domain.min)) return range()
      return domain.step > 0 && (domain.max - domain.min) / domain.step < mostSteps
        ? null
        : { words: say('The step must be above 0.'), field: 'step' }
    case 'enum':
      if (domain.values.length === 0) return { words: say('List at least one value.'), field: 'values' }
      return domain.values.every(fits) ? null : { words: type, field: 'values' }
    case 'fixed':
      return fits(domain.value) && domain.value !== '' ? null : { words: domain.value === '' ? say('Give a value.') : type, field: 'value' }
    case 'variable':
      if (storage !== 'number' && storage !== 'bool') return { words: say('A formula sets numbers and truths only.'), field: 'domain' }
      return domain.formula.trim() === '' ? { words: say('The formula is blank.'), field: 'formula' } : null
    default:
      return unreachable(domain)
  }
}

/** The domain a search sees: logarithms, steps and positions in lists. */
export function searched(domain: Decision['domain']): Domain {
  switch (domain.as) {
    case 'discrete':
      return { as: 'integer', low: 0, high: Math.floor((domain.max - domain.min) / domain.step + 1e-9) }
    case 'enum':
      return { as: 'choice', count: domain.values.length }
    case 'continuous':
      return domain.logarithmic
        ? { as: 'real', low: log(domain.min), high: log(domain.max) }
        : { as: 'real', low: domain.min, high: domain.max }
    default:
      throw new RangeError('experiment: this decision variable is not searched')
  }
}

/** The value of a coordinate. */
export function settingAt(domain: Decision['domain'], coordinate: number): Setting {
  const value = fit(searched(domain), coordinate)
  switch (domain.as) {
    case 'discrete':
      // 15 digits: 0.1 * 3 is 0.3.
      return Number((domain.min + value * domain.step).toPrecision(15))
    case 'enum':
      return domain.values[value]!
    case 'continuous':
      return domain.logarithmic ? Math.min(Math.max(exp(value), domain.min), domain.max) : value
    default:
      throw new RangeError('experiment: this decision variable is not searched')
  }
}

/** The coordinate of a written value of a decision; null when its domain does not have it. */
export function coordinateOf(domain: Decision['domain'], written: string): number | null {
  const value = settingOf(written)
  if (domain.as === 'enum') {
    const at = domain.values.indexOf(value)
    return at < 0 ? null : at
  }
  if (typeof value !== 'number' || (domain.as !== 'continuous' && domain.as !== 'discrete')) return null
  if (value < domain.min || value > domain.max) return null
  if (domain.as === 'discrete') return Math.round((value - domain.min) / domain.step)
  return domain.logarithmic ? log(value) : value
}
