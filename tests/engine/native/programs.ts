// Random programs of the subset, which end and stay within their arrays.

type Names = { readonly numbers: string[]; readonly fixed: string[]; readonly truths: string[]; readonly counters: string[] }

const literals = [
  '0',
  '1',
  '2',
  '-1',
  '3',
  '7',
  '0.5',
  '-0',
  '1.5',
  '-2.25',
  '255',
  '256',
  '65535',
  '2147483647',
  '2147483648',
  '4294967296',
  '9007199254740992',
  '1e20',
  '1e300',
]

export function programOf(random: () => number): string {
  const helpers = Array.from({ length: Math.floor(random() * 3) }, (_, k) => new Writing(random, k).helper(k))
  return [...helpers, new Writing(random, helpers.length).run()].join('\n')
}

class Writing {
  readonly #random: () => number
  /** Functions f0 ... that may be called. */
  readonly #functions: number
  #made = 0
  #loops = 0

  constructor(random: () => number, functions: number) {
    this.#random = random
    this.#functions = functions
  }

  helper(k: number): string {
    const names: Names = { numbers: ['x'], fixed: [], truths: [], counters: [] }
    return `function f${k}(x, y) {\nlet u = y;\n${this.#statements({ ...names, numbers: ['x', 'u'] }, 1 + this.#below(3), 1)}return ${this.#number(names, 2)};\n}`
  }

  run(): string {
    const names: Names = { numbers: [], fixed: [], truths: [], counters: [] }
    return `function run() {\n${this.#statements(names, 3 + this.#below(6), 0)}return ${this.#number(names, 3)};\n}`
  }

  #below(n: number): number {
    return Math.floor(this.#random() * n)
  }

  #pick<T>(items: readonly T[]): T {
    return items[this.#below(items.length)]!
  }

  #statements(names: Names, count: number, depth: number): string {
    let text = ''
    for (let k = 0; k < count; k++) text += this.#statement(names, depth)
    return text
  }

  #inner(names: Names, depth: number): string {
    const copy: Names = { numbers: [...names.numbers], fixed: [...names.fixed], truths: [...names.truths], counters: [...names.counters] }
    return `{\n${this.#statements(copy, 1 + this.#below(3), depth + 1)}}\n`
  }

  #statement(names: Names, depth: number): string {
    const way = this.#random()
    if (way < 0.2) {
      const name = `v${this.#made++}`
      const text = `let ${name} = ${this.#random() < 0.5 ? this.#whole(names, 2) : this.#number(names, 2)};\n`
      names.numbers.push(name)
      return text
    }
    if (way < 0.27) {
      const name = `t${this.#made++}`
      const text = `let ${name} = ${this.#truth(names, 2)};\n`
      names.truths.push(name)
      return text
    }
    if (way < 0.34) {
      const name = `k${this.#made++}`
      const text = `const ${name} = ${this.#whole(names, 2)};\n`
      names.fixed.push(name)
      return text
    }
    if (way < 0.5) return `${this.#store(names)};\n`
    if (way < 0.6 && names.numbers.length > 0) return `${this.#assign(names)};\n`
    if (way < 0.65) return this.#random() < 0.5 ? `g = ${this.#number(names, 2)};\n` : `n = (${this.#number(names, 2)}) | 0;\n`
    if (way < 0.7 && names.truths.length > 0) return `${this.#pick(names.truths)} = ${this.#truth(names, 2)};\n`
    if (depth > 2) return `a[${this.#index(names)}] = ${this.#number(names, 3)};\n`
    if (way < 0.8)
      return `if (${this.#truth(names, 2)}) ${this.#inner(names, depth)}${this.#random() < 0.5 ? `else ${this.#inner(names, depth)}` : ''}`
    if (way < 0.87) {
      const label = `l${this.#loops++}`
      return `${label}: {\n${this.#inner(names, depth)}if (${this.#truth(names, 1)}) break ${label};\n${this.#inner(names, depth)}}\n`
    }
    const counter = `i${this.#made++}`
    const within: Names = { ...names, numbers: [...names.numbers], fixed: [...names.fixed], counters: [...names.counters, counter] }
    const last = 1 + this.#below(6)
    const leave = this.#random() < 0.3 ? `if (${this.#truth(within, 1)}) ${this.#pick(['break', 'continue'])};\n` : ''
    const tail = `${leave}${this.#inner(within, depth)}}\n`
    if (this.#random() < 0.7) return `for (let ${counter} = 0; ${counter} < ${last}; ${counter}++) {\n${this.#inner(within, depth)}${tail}`
    return `for (let ${counter} = ${last}; ${counter} >= 0; ${counter}--) {\n${tail}`
  }

  #store(names: Names): string {
    const array = this.#pick(['a', 'b', 'c', 'd', 'O.xs', 'Q.heads'])
    const at = this.#index(names)
    const way = this.#random()
    if (way < 0.1) return `${array}[${at}]${this.#pick(['++', '--'])}`
    if (way < 0.25) return `${array}[${at}] ${this.#pick(['+=', '-=', '*='])} ${this.#number(names, 1)}`
    if (way < 0.35) return `${array}[${at}] = ${this.#pick(['a', 'b', 'c'])}[${this.#index(names)}] = ${this.#number(names, 2)}`
    return `${array}[${at}] = ${this.#number(names, 3)}`
  }

  #assign(names: Names): string {
    const name = this.#pick(names.numbers)
    const way = this.#random()
    if (way < 0.2) return `${name}${this.#pick(['++', '--'])}`
    if (way < 0.3) return `${name} += ${this.#truth(names, 1)} & 1`
    if (way < 0.5) return `${name} ${this.#pick(['+=', '-=', '*='])} ${this.#whole(names, 1)}`
    if (way < 0.6) return `${name} ${this.#pick(['|=', '&=', '^=', '<<=', '>>=', '>>>='])} ${this.#whole(names, 1)}`
    return `${name} = ${this.#random() < 0.6 ? this.#whole(names, 2) : this.#number(names, 2)}`
  }

  /** Between 0 and 63. */
  #index(names: Names): string {
    const counter = names.counters.length > 0 && this.#random() < 0.7 ? this.#pick(names.counters) : null
    if (counter === null) return this.#random() < 0.3 ? String(this.#below(64)) : `(${this.#whole(names, 1)}) & 63`
    return this.#pick([
      counter,
      `${counter} + ${this.#below(50)}`,
      `${counter} * ${this.#below(9)} + ${this.#below(8)}`,
      `${counter} * ${counter} + ${counter}`,
      `20 - ${counter} * 3`,
      `c[${counter}] % 8 + ${counter}`,
    ])
  }

  /** Whole, though maybe large. */
  #whole(names: Names, depth: number): string {
    const way = this.#random()
    if (depth <= 0 || way < 0.25) {
      const own = [...names.fixed, ...names.counters]
      if (own.length > 0 && this.#random() < 0.6) return this.#pick(own)
      return this.#random() < 0.5 ? String(this.#below(100)) : `${this.#pick(['b', 'c', 'd', 'O.heads'])}[${this.#index(names)}]`
    }
    if (way < 0.55) return `(${this.#whole(names, depth - 1)} ${this.#pick(['+', '-', '*'])} ${this.#whole(names, depth - 1)})`
    if (way < 0.75)
      return `(${this.#number(names, depth - 1)} ${this.#pick(['|', '&', '^', '<<', '>>', '>>>'])} ${this.#whole(names, depth - 1)})`
    if (way < 0.8) return `Math.${this.#pick(['min', 'max', 'imul'])}(${this.#whole(names, depth - 1)}, ${this.#whole(names, depth - 1)})`
    if (way < 0.85) return `Math.${this.#pick(['abs', 'floor'])}(${this.#whole(names, depth - 1)})`
    if (way < 0.9)
      return `(((${this.#whole(names, depth - 1)}) | 0) % ((${this.#whole(names, depth - 1)}) ${this.#pick(['| 0', '>>> 0', '& 15'])}))`
    if (way < 0.95) return `(${this.#truth(names, depth - 1)} ? ${this.#whole(names, depth - 1)} : ${this.#whole(names, depth - 1)})`
    return `(-${this.#whole(names, depth - 1)})`
  }

  #number(names: Names, depth: number): string {
    const way = this.#random()
    if (depth <= 0 || way < 0.2) {
      if (names.numbers.length > 0 && this.#random() < 0.6) return this.#pick(names.numbers)
      return this.#pick([this.#pick(literals), `a[${this.#index(names)}]`, 'g', 'n', 'O.inner.w', 'seven'])
    }
    if (way < 0.45) return `(${this.#number(names, depth - 1)} ${this.#pick(['+', '-', '*', '/'])} ${this.#number(names, depth - 1)})`
    if (way < 0.6) return this.#whole(names, depth)
    if (way < 0.65) return `Math.${this.#pick(['min', 'max'])}(${this.#number(names, depth - 1)}, ${this.#number(names, depth - 1)})`
    if (way < 0.7) return `Math.${this.#pick(['floor', 'ceil', 'trunc', 'abs', 'sqrt', 'fround'])}(${this.#number(names, depth - 1)})`
    if (way < 0.75) return `(${this.#truth(names, depth - 1)} ? ${this.#number(names, depth - 1)} : ${this.#number(names, depth - 1)})`
    if (way < 0.78) return `(+(${this.#truth(names, depth - 1)}))`
    if (way < 0.82) return `F.note(${this.#number(names, depth - 1)})`
    if (way < 0.87 && this.#functions > 0)
      return `f${this.#below(this.#functions)}(${this.#number(names, depth - 1)}, ${this.#whole(names, depth - 1)})`
    if (way < 0.9 && names.numbers.length > 0) return `(${this.#pick(names.numbers)} = ${this.#number(names, depth - 1)})`
    if (way < 0.93 && names.numbers.length > 0) return this.#pick([`${this.#pick(names.numbers)}++`, `--${this.#pick(names.numbers)}`])
    if (way < 0.95) return `(${this.#store(names)})`
    return `(-(${this.#number(names, depth - 1)}))`
  }

  #truth(names: Names, depth: number): string {
    const way = this.#random()
    if (names.truths.length > 0 && way < 0.15) return this.#pick(names.truths)
    if (depth <= 0 || way < 0.6) {
      const sign = this.#pick(['<', '>', '<=', '>=', '===', '!=='])
      return this.#random() < 0.5
        ? `(${this.#whole(names, depth - 1)} ${sign} ${this.#whole(names, depth - 1)})`
        : `(${this.#number(names, depth - 1)} ${sign} ${this.#number(names, depth - 1)})`
    }
    if (way < 0.8) return `(${this.#truth(names, depth - 1)} ${this.#pick(['&&', '||'])} ${this.#truth(names, depth - 1)})`
    if (way < 0.9) return `(!${this.#truth(names, depth - 1)})`
    return `(!(${this.#number(names, depth - 1)}))`
  }
}

/** A loop with nothing but conditions on elements of whom it is at, of the sort that is chosen without branches. */
export function conditionsOf(random: () => number): string {
  const pick = (of: readonly string[]): string => of[Math.floor(random() * of.length)]!
  const value = (depth: number): string => {
    if (depth === 0 || random() < 0.3) return pick(['a[i]', 'b[i]', 'c[i]', 'd[i]', 'i', '1', '0', '0.5', '-3', '1e300', 'x'])
    if (random() < 0.2) return `Math.${pick(['min', 'max'])}(${value(depth - 1)}, ${value(depth - 1)})`
    if (random() < 0.2) return `(${truth(depth - 1)} ? ${value(depth - 1)} : ${value(depth - 1)})`
    return `(${value(depth - 1)} ${pick(['+', '-', '*', '/'])} ${value(depth - 1)})`
  }
  const truth = (depth: number): string => {
    if (depth > 0 && random() < 0.3) return `(${truth(depth - 1)} ${pick(['&&', '||'])} ${truth(depth - 1)})`
    if (random() < 0.2) return `!(${value(1)})`
    return `${value(1)} ${pick(['<', '>', '<=', '>=', '===', '!=='])} ${value(1)}`
  }
  const store = (): string => {
    if (random() < 0.3) return `c[i] = +(${truth(1)});`
    if (random() < 0.3) return `d[i] = ${pick(['c[i]', '(b[i] & 65535)', '7'])};`
    if (random() < 0.3) return `b[i] = ${pick(['c[i] - d[i]', '(a[i] | 0)', 'b[i] >> 1', 'c[i] + 1'])};`
    const made = random() < 0.5 ? pick(['t', 'u']) : ''
    return made === '' ? `a[i] = ${value(2)};` : `a[i] = (${made} = ${value(2)} * 1.5) - ${made} === 0 ? ${made} : F.count(i) + 0.5;`
  }
  const condition = (depth: number): string => {
    const act = (): string => (depth > 0 && random() < 0.4 ? condition(depth - 1) : store())
    const yes = Array.from({ length: 1 + Math.floor(random() * 2) }, act).join(' ')
    return `if (${truth(2)}) { ${yes} } ${random() < 0.5 ? `else { ${act()} }` : ''}`
  }
  const conditions = Array.from({ length: 1 + Math.floor(random() * 3) }, () => condition(2)).join('\n')
  return `function run() { const x = g; for (let i = 0; i < 64; i++) { let t, u; ${conditions} }\n return 0; }`
}
