// Numbers: Python's own functions and those of its math module, without the module's name.
import type { Row } from './row.ts'
import { row } from './row.ts'

const r = (shown: string, en: string, zh: string, source: string, result: string, way?: Row['way']): Row =>
  row('numbers', shown, en, zh, [source, result], way ? { way } : {})

const exact = (shown: string, en: string, zh: string): Row => ({ ...r(`exact_${shown}`, en, zh, '', ''), examples: [], shown })

/** What some functions are where their first argument is an Integer, or are Integers. */
export const exactRows: ReadonlyMap<string, Row> = new Map([
  ['abs', exact('abs(x: integer) -> integer', 'Size of x without its sign.', 'x 的绝对值。')],
  ['sum', exact('sum(items: items of integer, start: integer = 0n) -> integer', 'Total of the items, exact.', '各元素之和，精确。')],
  [
    'divmod',
    exact('divmod(a: integer, b: integer) -> any', 'Quotient a // b and rest a % b as a tuple.', '商 a // b 与余数 a % b 组成的元组。'),
  ],
])

export const numberRows: readonly Row[] = [
  r('abs(x: number) -> number', 'Size of x without its sign.', 'x 的绝对值。', 'abs(-3)', '3', 'math'),
  r(
    'round(x: number, digits: number = None) -> number',
    'x rounded to digits decimals; a tie goes to the even neighbour.',
    '将 x 四舍六入到 digits 位小数；恰在中间时取偶数。',
    'round(2.5)',
    '2',
  ),
  r('floor(x: number) -> number', 'Greatest whole number not above x.', '不大于 x 的最大整数。', 'floor(-1.5)', '-2', 'math'),
  r('ceil(x: number) -> number', 'Least whole number not below x.', '不小于 x 的最小整数。', 'ceil(1.2)', '2', 'math'),
  r('trunc(x: number) -> number', 'x without its fraction.', '去掉 x 的小数部分。', 'trunc(-1.7)', '-1', 'math'),
  r('sign(x: number) -> number', '-1, 0 or 1, the sign of x.', 'x 的符号：-1、0 或 1。', 'sign(-2)', '-1', 'math'),
  r('sqrt(x: number) -> number', 'Square root of x >= 0.', 'x（不小于 0）的平方根。', 'sqrt(16)', '4'),
  r('cbrt(x: number) -> number', 'Cube root of x.', 'x 的立方根。', 'cbrt(27)', '3'),
  r('pow(x: number, y: number) -> number', 'x to the power of y, as x ** y.', 'x 的 y 次方，同 x ** y。', 'pow(2, 10)', '1024'),
  r('exp(x: number) -> number', 'e to the power of x.', 'e 的 x 次方。', 'exp(0)', '1'),
  r('expm1(x: number) -> number', 'exp(x) - 1, exact for small x.', 'exp(x) - 1，对很小的 x 也精确。', 'expm1(0)', '0'),
  r(
    'log(x: number, base: number = None) -> number',
    'Logarithm of x > 0 to the base; natural when there is none.',
    'x（大于 0）以 base 为底的对数；缺省为自然对数。',
    'log(8, 2)',
    '3',
  ),
  r('log10(x: number) -> number', 'Logarithm of x > 0 to base 10.', 'x（大于 0）的常用对数。', 'log10(1000)', '3'),
  r('log2(x: number) -> number', 'Logarithm of x > 0 to base 2.', 'x（大于 0）以 2 为底的对数。', 'log2(8)', '3'),
  r('log1p(x: number) -> number', 'log(1 + x), exact for small x.', 'log(1 + x)，对很小的 x 也精确。', 'log1p(0)', '0'),
  r('sin(x: number) -> number', 'Sine of x radians.', 'x 弧度的正弦。', 'sin(0)', '0'),
  r('cos(x: number) -> number', 'Cosine of x radians.', 'x 弧度的余弦。', 'cos(0)', '1'),
  r('tan(x: number) -> number', 'Tangent of x radians.', 'x 弧度的正切。', 'tan(0)', '0'),
  r(
    'asin(x: number) -> number',
    'Angle in radians whose sine is x, for x in [-1, 1].',
    '正弦为 x（在 [-1, 1] 内）的弧度角。',
    'asin(0)',
    '0',
  ),
  r(
    'acos(x: number) -> number',
    'Angle in radians whose cosine is x, for x in [-1, 1].',
    '余弦为 x（在 [-1, 1] 内）的弧度角。',
    'acos(1)',
    '0',
  ),
  r('atan(x: number) -> number', 'Angle in radians whose tangent is x.', '正切为 x 的弧度角。', 'atan(0)', '0'),
  r('atan2(y: number, x: number) -> number', 'Angle in radians of the point (x, y).', '点 (x, y) 的弧度角。', 'atan2(0, 1)', '0'),
  r('sinh(x: number) -> number', 'Hyperbolic sine of x.', 'x 的双曲正弦。', 'sinh(0)', '0'),
  r('cosh(x: number) -> number', 'Hyperbolic cosine of x.', 'x 的双曲余弦。', 'cosh(0)', '1'),
  r('tanh(x: number) -> number', 'Hyperbolic tangent of x.', 'x 的双曲正切。', 'tanh(0)', '0'),
  r('degrees(x: number) -> number', 'Radians x in degrees.', '将弧度 x 换算为角度。', 'degrees(pi)', '180'),
  r('radians(x: number) -> number', 'Degrees x in radians.', '将角度 x 换算为弧度。', 'radians(180) == pi', 'True'),
  r('hypot(x: number, y: number) -> number', 'Length of the vector (x, y).', '向量 (x, y) 的长度。', 'hypot(3, 4)', '5'),
  r(
    'clamp(x: number, low: number, high: number) -> number',
    'x, but at least low and at most high.',
    '将 x 限制在 low 与 high 之间。',
    'clamp(7, 0, 5)',
    '5',
  ),
  r('factorial(n: number) -> number', 'n! for a whole number n >= 0.', '非负整数 n 的阶乘。', 'factorial(5)', '120'),
  r('comb(n: number, k: number) -> number', 'Number of ways to choose k of n things.', '从 n 个中选 k 个的组合数。', 'comb(5, 2)', '10'),
  r('gcd(a: number, b: number) -> number', 'Greatest common divisor of two whole numbers.', '两个整数的最大公约数。', 'gcd(12, 18)', '6'),
  r(
    'isclose(a: number, b: number, tolerance: number = 1e-9) -> bool',
    'Whether a and b differ by no more than the relative tolerance.',
    'a 与 b 的相对误差是否不超过 tolerance。',
    'isclose(0.1 + 0.2, 0.3)',
    'True',
  ),
  r(
    'int(x: any) -> number',
    'Whole number: x without its fraction, or the number a text spells.',
    '取整：去掉小数部分，或把文本转换为整数。',
    'int("42") + int(1.9)',
    '43',
  ),
  r(
    'float(x: any, decimals: number = 0) -> number',
    'Number that a text spells, or nearest to an Integer of the smallest unit with so many decimals; a number stays as it is.',
    '把文本转换为数，或把带 decimals 位小数的最小单位大整数转换为最接近的数；数值保持不变。',
    'float("1.5") + float(integer("1500000000000000000"), 18)',
    '3',
  ),
  r(
    'integer(x: any) -> integer',
    'Integer of any size, exact, that a text spells or a whole number is. Arithmetic with an Integer is exact.',
    '任意大小的精确整数：由文本写出，或由整数值转换而来。与大整数的运算都是精确的。',
    'integer("1000000000000000000") + 1',
    'integer("1000000000000000001")',
  ),
  r(
    'units(amount: any, decimals: number) -> integer',
    'Integer of the smallest unit for an amount with so many decimals.',
    '把带小数的金额换算为以最小单位计的大整数。',
    'units("1.5", 18)',
    'integer("1500000000000000000")',
  ),
  r(
    'isqrt(x: integer) -> integer',
    'Greatest Integer whose square is not above x.',
    '平方不超过 x 的最大整数。',
    'isqrt(integer(17))',
    '4',
  ),
  r(
    'mul_div(a: integer, b: integer, c: integer) -> integer',
    'a * b // c, however large the product is.',
    'a * b // c，乘积再大也精确。',
    'mul_div(integer(10), integer(7), integer(3))',
    '23',
  ),
  r(
    'bool(x: any) -> bool',
    'False for 0, None and what is empty; else True.',
    '0、None 和空值为 False，其余为 True。',
    'bool([])',
    'False',
    'special',
  ),
  r(
    'divmod(a: number, b: number) -> any',
    'Quotient a // b and rest a % b as a tuple.',
    '商 a // b 与余数 a % b 组成的元组。',
    'divmod(7, 2)',
    '(3, 1)',
    'special',
  ),
]
