// Numbers: Python's own functions and those of its math module, without the module's name.
import type { Row } from './row.ts'
import { row } from './row.ts'
import { say, type Words } from '../../../model-schema/words.ts'

const r = (shown: string, words: Words, source: string, result: string, way?: Row['way']): Row =>
  row('numbers', shown, words, [source, result], way ? { way } : {})

const exact = (shown: string, words: Words): Row => ({ ...r(`exact_${shown}`, words, '', ''), examples: [], shown })

/** What some functions are where their first argument is an Integer, or are Integers. */
export const exactRows: ReadonlyMap<string, Row> = new Map([
  ['abs', exact('abs(x: integer) -> integer', say('Size of x without its sign.'))],
  ['sum', exact('sum(items: items of integer, start: integer = 0n) -> integer', say('Total of the items, exact.'))],
  ['divmod', exact('divmod(a: integer, b: integer) -> any', say('Quotient a // b and rest a % b as a tuple.'))],
])

export const numberRows: readonly Row[] = [
  r('abs(x: number) -> number', say('Size of x without its sign.'), 'abs(-3)', '3', 'math'),
  r(
    'round(x: number, digits: number = None) -> number',
    say('x rounded to digits decimals; a tie goes to the even neighbour.'),
    'round(2.5)',
    '2',
  ),
  r('floor(x: number) -> number', say('Greatest whole number not above x.'), 'floor(-1.5)', '-2', 'math'),
  r('ceil(x: number) -> number', say('Least whole number not below x.'), 'ceil(1.2)', '2', 'math'),
  r('trunc(x: number) -> number', say('x without its fraction.'), 'trunc(-1.7)', '-1', 'math'),
  r('sign(x: number) -> number', say('-1, 0 or 1, the sign of x.'), 'sign(-2)', '-1', 'math'),
  r('sqrt(x: number) -> number', say('Square root of x >= 0.'), 'sqrt(16)', '4'),
  r('cbrt(x: number) -> number', say('Cube root of x.'), 'cbrt(27)', '3'),
  r('pow(x: number, y: number) -> number', say('x to the power of y, as x ** y.'), 'pow(2, 10)', '1024'),
  r('exp(x: number) -> number', say('e to the power of x.'), 'exp(0)', '1'),
  r('expm1(x: number) -> number', say('exp(x) - 1, exact for small x.'), 'expm1(0)', '0'),
  r('log(x: number, base: number = None) -> number', say('Logarithm of x > 0 to the base; natural when there is none.'), 'log(8, 2)', '3'),
  r('log10(x: number) -> number', say('Logarithm of x > 0 to base 10.'), 'log10(1000)', '3'),
  r('log2(x: number) -> number', say('Logarithm of x > 0 to base 2.'), 'log2(8)', '3'),
  r('log1p(x: number) -> number', say('log(1 + x), exact for small x.'), 'log1p(0)', '0'),
  r('sin(x: number) -> number', say('Sine of x radians.'), 'sin(0)', '0'),
  r('cos(x: number) -> number', say('Cosine of x radians.'), 'cos(0)', '1'),
  r('tan(x: number) -> number', say('Tangent of x radians.'), 'tan(0)', '0'),
  r('asin(x: number) -> number', say('Angle in radians whose sine is x, for x in [-1, 1].'), 'asin(0)', '0'),
  r('acos(x: number) -> number', say('Angle in radians whose cosine is x, for x in [-1, 1].'), 'acos(1)', '0'),
  r('atan(x: number) -> number', say('Angle in radians whose tangent is x.'), 'atan(0)', '0'),
  r('atan2(y: number, x: number) -> number', say('Angle in radians of the point (x, y).'), 'atan2(0, 1)', '0'),
  r('sinh(x: number) -> number', say('Hyperbolic sine of x.'), 'sinh(0)', '0'),
  r('cosh(x: number) -> number', say('Hyperbolic cosine of x.'), 'cosh(0)', '1'),
  r('tanh(x: number) -> number', say('Hyperbolic tangent of x.'), 'tanh(0)', '0'),
  r('degrees(x: number) -> number', say('Radians x in degrees.'), 'degrees(pi)', '180'),
  r('radians(x: number) -> number', say('Degrees x in radians.'), 'radians(180) == pi', 'True'),
  r('hypot(x: number, y: number) -> number', say('Length of the vector (x, y).'), 'hypot(3, 4)', '5'),
  r('clamp(x: number, low: number, high: number) -> number', say('x, but at least low and at most high.'), 'clamp(7, 0, 5)', '5'),
  r('factorial(n: number) -> number', say('n! for a whole number n >= 0.'), 'factorial(5)', '120'),
  r('comb(n: number, k: number) -> number', say('Number of ways to choose k of n things.'), 'comb(5, 2)', '10'),
  r('gcd(a: number, b: number) -> number', say('Greatest common divisor of two whole numbers.'), 'gcd(12, 18)', '6'),
  r(
    'isclose(a: number, b: number, tolerance: number = 1e-9) -> bool',
    say('Whether a and b differ by no more than the relative tolerance.'),
    'isclose(0.1 + 0.2, 0.3)',
    'True',
  ),
  r('int(x: any) -> number', say('Whole number: x without its fraction, or the number a text spells.'), 'int("42") + int(1.9)', '43'),
  r(
    'float(x: any, decimals: number = 0) -> number',
    say('Number that a text spells, or nearest to an Integer of the smallest unit with so many decimals; a number stays as it is.'),
    'float("1.5") + float(integer("1500000000000000000"), 18)',
    '3',
  ),
  r(
    'integer(x: any) -> integer',
    say('Integer of any size, exact, that a text spells or a whole number is. Arithmetic with an Integer is exact.'),
    'integer("1000000000000000000") + 1',
    'integer("1000000000000000001")',
  ),
  r(
    'units(amount: any, decimals: number) -> integer',
    say('Integer of the smallest unit for an amount with so many decimals.'),
    'units("1.5", 18)',
    'integer("1500000000000000000")',
  ),
  r('isqrt(x: integer) -> integer', say('Greatest Integer whose square is not above x.'), 'isqrt(integer(17))', '4'),
  r(
    'mul_div(a: integer, b: integer, c: integer) -> integer',
    say('a * b // c, however large the product is.'),
    'mul_div(integer(10), integer(7), integer(3))',
    '23',
  ),
  r('bool(x: any) -> bool', say('False for 0, None and what is empty; else True.'), 'bool([])', 'False', 'special'),
  r('divmod(a: number, b: number) -> any', say('Quotient a // b and rest a % b as a tuple.'), 'divmod(7, 2)', '(3, 1)', 'special'),
]
