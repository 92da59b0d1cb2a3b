// Integers in formulas: exact arithmetic of any size, against JavaScript's own BigInt and Python's rules.
import { describe, expect, it } from 'vitest'
import { check, outcome, run } from '../../help/formulas.ts'
import { chance } from '../../help/random.ts'
import { english } from '../../../model-schema/words.ts'

const text = (source: string): string => run(source).text

describe('integers', () => {
  it.each([
    ['integer("123456789012345678901234567890") + 1', '123456789012345678901234567891'],
    ['integer(2) ** 100', '1267650600228229401496703205376'],
    ['2 * units("1.5", 18)', '3000000000000000000'],
    ['units(0.1, 18)', '100000000000000000'],
    ['units(1e-7, 18)', '100000000000'],
    ['units(1e21, 2)', '100000000000000000000000'],
    ['units("-0.25", 2)', '-25'],
    ['integer("0xff")', '255'],
    ['integer(7) // 2', '3'],
    ['integer(-7) // 2', '-4'],
    ['integer(-7) % 3', '2'],
    ['-integer(5)', '-5'],
    ['abs(integer(-5))', '5'],
    ['sum([integer(1), integer(2)])', '3'],
    ['divmod(integer(17), integer(5))', '(3, 2)'],
    ['max(integer(3), integer(9))', '9'],
    ['max([integer(3), integer(9)])', '9'],
    ['sorted([integer(3), integer(1)])', '[1, 3]'],
    ['isqrt(integer(10) ** 40)', '100000000000000000000'],
    ['mul_div(integer(2) ** 4000, integer(2) ** 4000, integer(2) ** 4001)', (2n ** 3999n).toString()],
    ['float(integer("1234500000000000000"), 18)', '1.2345'],
    ['float(integer(12))', '12'],
    ['integer(1) << 70', '1180591620717411303424'],
    ['integer(12) & 10', '8'],
    ['str(integer(10) ** 20)', "'100000000000000000000'"],
    ['f"{integer(1234567):,}"', "'1,234,567'"],
    ['f"{integer(255):x}"', "'ff'"],
    ['{integer(5): "a"}[5]', "'a'"],
    ['integer(5) in [4, 5]', 'True'],
    ['True if integer(0) else False', 'False'],
  ])('%s is %s', (source, result) => {
    expect(text(source)).toBe(result)
  })

  it('have one order and one equality with numbers', () => {
    expect(text('integer("9007199254740993") > 9007199254740992')).toBe('True')
    expect(text('integer("9007199254740993") == 9007199254740992')).toBe('False')
    expect(text('integer(3) == 3')).toBe('True')
    expect(text('integer(3) < 3.5')).toBe('True')
    expect(text('[integer(3), 2][0] > [2.5][0]')).toBe('True')
  })

  it.each([
    ['integer(1) + 0.5', 10016],
    ['integer("1.5")', 10016],
    ['integer("abc")', 10016],
    ['units("1.23", 1)', 10016],
    ['units("1", 301)', 10019],
    ['integer(1) // 0', 10018],
    ['integer(1) % 0', 10018],
    ['integer(2) ** -1', 10019],
    ['integer(2) ** 5000', 10034],
    ['integer(10) ** integer(10) ** 9', 10034],
    ['(integer(2) ** 4000) * (integer(2) ** 4000)', 10034],
    ['integer(1) << 5000', 10034],
    ['isqrt(integer(-1))', 10019],
    ['integer(inf)', 10015],
    ['integer(None)', 10014],
    ['[integer(1), "a"][0] + [0.5][0]', 10016],
  ])('%s fails with %d', (source, code) => {
    expect(outcome(source)).toContain(`ERROR ${code}`)
  })

  it.each([
    ['integer(1) / 2', '; write // for the whole quotient, or convert with float(...)'],
    ['integer(1) + "a"', ''],
    ['sqrt(integer(4))', ''],
    ['round(integer(4))', ''],
  ])('%s is refused while it is written', (source, hint) => {
    const [problem] = check(source).problems
    expect(problem?.kind).toBe('type-mismatch')
    expect(english(problem?.words)).toContain(hint)
  })

  it('calculate as BigInt does, on random operands', () => {
    const random = chance(20261123)
    const big = (): bigint => {
      const bits = Math.floor(random.next() * 200)
      let value = 0n
      for (let k = 0; k < bits; k++) value = value * 2n + BigInt(random.chance(0.5) ? 1 : 0)
      return random.chance(0.5) ? -value : value
    }
    const floor = (a: bigint, b: bigint): bigint => (a - (((a % b) + b) % b)) / b
    for (let k = 0; k < 150; k++) {
      const [a, b] = [big(), big()]
      const [x, y] = [`integer("${a}")`, `integer("${b}")`]
      const said = text(`[${x} + ${y}, ${x} - ${y}, ${x} * ${y}, ${x} < ${y}, ${x} == ${y}]`)
      expect(said, `${a} ${b}`).toBe(`[${a + b}, ${a - b}, ${a * b}, ${a < b ? 'True' : 'False'}, ${a === b ? 'True' : 'False'}]`)
      if (b === 0n) continue
      const quotient = floor(a, b)
      expect(text(`[${x} // ${y}, ${x} % ${y}]`), `${a} ${b}`).toBe(`[${quotient}, ${a - quotient * b}]`)
    }
  })
})

it('calls: nested calls are typed once each, however deep', () => {
  expect(text(`${'abs('.repeat(40)}integer(-5)${')'.repeat(40)}`)).toBe('5')
  expect(text(`${'abs('.repeat(40)}-5${')'.repeat(40)}`)).toBe('5')
})
