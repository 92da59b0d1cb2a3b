import { describe, expect, it } from 'vitest'
import { asJavaScript, asWasm, dataOf, lowered } from './lowering.ts'
import { conditionsOf, programOf } from './programs.ts'

/** mulberry32. */
function chance(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let z = Math.imul(state ^ (state >>> 15), 1 | state)
    z = (z + Math.imul(z ^ (z >>> 7), 61 | z)) ^ z
    return ((z ^ (z >>> 14)) >>> 0) / 4294967296
  }
}

function same(text: string, rounds = 20): void {
  const out = lowered(text)
  if (typeof out === 'string') throw new Error(`refused: ${out}`)
  expect(WebAssembly.validate(out.bytes)).toBe(true)
  for (let round = 0; round < rounds; round++) {
    const data = dataOf(chance(round))
    expect(asWasm(out, data)).toEqual(asJavaScript(text, data))
  }
}

/** Statements within `run`, with the sum of a few things as its result. */
const body = (statements: string): string => `function run() {\n${statements}\n}`

describe('lowered code gives what JavaScript gives', () => {
  it.each([
    ['sums of whole numbers beyond 32 bits', 'const x = b[1] + b[2] + b[3] - b[4]; return x;'],
    [
      'products of whole numbers, and their -0',
      'a[0] = b[1] * b[2]; a[1] = 0 * b[3]; a[2] = b[4] * 5; a[3] = -b[5]; a[4] = (c[0] - 1) * 0; return 1 / a[1];',
    ],
    ['a product of 32 bits', 'return (b[1] * b[2]) | 0;'],
    ['a product of few bits', 'return (c[1] * b[2] + 7) | 0;'],
    [
      'quotients by powers of two, cut',
      'a[0] = ((b[1] >>> 0) * 0.5) | 0; a[1] = ((b[2] >>> 0) * (c[3] + 7) * 2.3283064365386963e-10) | 0; a[2] = (b[3] * 0.25) | 0; a[3] = (c[4] * 0.75) | 0; a[4] = ((b[5] >>> 0) * 2) | 0; return ((b[6] >>> 0) * 2097151 * 2.220446049250313e-16) | 0;',
    ],
    ['a sum that wraps', 'b[0] = b[1] + b[2] + b[3]; return (b[1] + b[2]) | 0;'],
    [
      'bits of floats',
      'b[0] = a[1]; b[1] = a[2] | 0; b[2] = a[3] & 255; b[3] = ~a[4]; b[4] = a[5] ^ a[6]; c[7] = a[7]; d[8] = a[8]; return a[9] >>> 0;',
    ],
    ['bits of all floats', 'for (let i = 0; i < 64; i++) b[i] = a[i] | 0; return 0;'],
    ['shifts', 'return (b[1] << b[2]) + (b[3] >> b[4]) + (b[5] >>> b[6]) + (b[1] << 33) + (b[1] >> 40) + (b[2] >>> 0);'],
    ['bytes that wrap', 'c[0] = 256 + c[1]; c[2] = -1; d[0] = 65537; c[3] = b[3]; return c[0] + c[2];'],
    [
      'values of assignments',
      'const x = (c[0] = 300); b[0] = b[1] = a[2] = 7; let y = 1.5; let z = (y = 3); a[3] = b[5] = a[4] = 2.5; return x + y + z;',
    ],
    ['counters', 'let k = 0; let s = 0; for (let i = 0; i < 10; i++) { k++; s += a[i]; k--; ++k; } return k++ + k * 2 + s;'],
    [
      'counters from numbers of 32 bits',
      'let k = b[0]; k++; k++; let m = 2147483647; m++; let l = b[1] | 0; for (let j = 0; j < 3; j++) l--; return k + m * 3 + l;',
    ],
    [
      'compound assignments',
      'let x = 3; x += 0.5; x *= 2; x -= b[1]; let y = 5; y <<= 3; y |= 1; y ^= b[2]; y >>>= 1; g += 2; n = (n + 1) | 0; a[3] /= 2; b[4] += 5; c[5]++; ++d[6]; a[7]--; return x + y;',
    ],
    ['elements once', 'let i = 3; a[i++] += 1; b[i++]++; const x = a[i++]++; return x + i;'],
    [
      'the order of evaluation',
      'let i = 2; a[i] = i = 5; a[F.count(1) & 7] = F.note(2) + a[F.count(3) & 7]; let x = 1; x += (x = 10) + x; return x + i + (i + i++ * i);',
    ],
    ['globals', 'g = 2; n = 3; g = n = 4; g += n++; const x = n--; return g + x + n;'],
    [
      'minimum and maximum',
      'a[9] = Math.min(a[1], a[2]); a[10] = Math.max(a[3], 0, a[4]); a[11] = Math.max(-0, 0); a[12] = Math.min(0, -0); return Math.min(b[1] + 64, n) + Math.max(b[2], b[3] >>> 0) + Math.max(c[0], 3);',
    ],
    [
      'functions of Math',
      'for (let i = 0; i < 12; i++) { a[i + 12] = Math.floor(a[i]); a[i + 24] = Math.ceil(a[i]); a[i + 36] = Math.trunc(a[i]); a[i + 48] = Math.abs(a[i]); } a[0] = Math.sqrt(a[1]); a[2] = Math.fround(a[3]); return Math.imul(b[1], b[2]) + Math.abs(b[3]) + Math.clz32(b[4]) + Math.floor(b[5]) + Math.sqrt(c[0]);',
    ],
    [
      'kinds of numbers',
      'let s = 0; for (let i = 0; i < 64; i++) { if (Number.isInteger(a[i])) s++; if (Number.isFinite(a[i])) s += 100; if (Number.isNaN(a[i])) s += 10000; } return s + Number(a[0] > 1) + Number(b[0]);',
    ],
    [
      'remainders of whole numbers',
      'a[0] = b[1] % 7; a[1] = 4294967296 % (c[1] + 1); a[2] = b[2] % b[3]; a[3] = (b[4] >>> 0) % 10; a[4] = c[2] % c[3]; return (b[5] >>> 0) % ((b[6] >>> 0) + 1);',
    ],
    ['divisions', 'a[0] = b[1] / b[2]; a[1] = 1 / 0; a[2] = 0 / 0; a[3] = (b[1] / 3) | 0; return -5 / 2;'],
    [
      'comparisons',
      'let s = 0; for (let i = 0; i < 60; i++) { if (a[i] < a[i + 1]) s += 1; if (b[i] <= b[i + 1]) s += 2; if (c[i] > b[i]) s += 4; if ((b[i] >>> 0) >= b[i + 1]) s += 8; if ((b[i] >>> 0) < c[i]) s += 16; if (a[i] === b[i]) s += 32; if (b[i] !== 7) s += 64; if (b[i] < 1.5) s += 128; if (!(a[i] < 0)) s += 256; } return s;',
    ],
    [
      'truths of numbers',
      'let s = 0; for (let i = 0; i < 64; i++) { if (a[i]) s += 1; if (b[i]) s += 2; if (!c[i]) s += 4; s += a[i] ? 8 : 16; if (a[i] && b[i]) s += 32; if (a[i] || c[i]) s += 64; if (b[i] + b[0]) s += 128; while (a[i] - a[i]) break; } return s;',
    ],
    [
      'truths',
      'let x = false; let y = true; x = a[0] < 1 || b[0] > 3; y = x && y; c[0] = x; a[1] = y; a[2] = +(x); a[3] = x + y; return (x === y) + ((a[1] < 2) & 1);',
    ],
    [
      'nothing is done that need not be',
      'let s = 0; if (a[0] < 0 && F.note(1) > 0) s = 1; if (a[1] < 0 || F.note(2) > 0) s += 2; s += a[2] > 0 ? F.note(3) : F.note(4); return s;',
    ],
    [
      'conditions without branches',
      'for (let i = 0; i < 64; i++) { if (!(c[i] !== 0)) { if (a[i] <= 0) { c[i] = +(true); a[i] = 10; } else { a[i] = b[i] / 2; } } if (d[i] > 9 || a[i] < 3) d[i] = c[i] + 1; else if (b[i] & 1) { b[i] = 5; c[i] = d[i] & 255; } } return 0;',
    ],
    [
      'conditions of what may fail',
      'for (let i = 0; i < 64; i++) { let t; if (b[i] > 3) { c[i] = 1; if (c[i] < 2) { a[i] = ((t = (a[i] * 1e300)) - t === 0 ? t : F.count(i) + 0.5); b[i] = 2; } } } return 0;',
    ],
    [
      'conditions of what fails',
      'for (let i = 0; i < 64; i++) { let t; if (b[i] > 3) { c[i] = 1; a[i] = ((t = (a[i] + i)) - t === 0 ? t : F.refuse(i)); b[i] = 2; } } return 0;',
    ],
    [
      'conditions with what is read afterwards',
      'let s = 0; for (let i = 0; i < 64; i++) { let t = 5; if (b[i] > 3) { a[i] = ((t = (a[i] * 2)) - t === 0 ? t : F.count(i)); } s += t; } return s;',
    ],
    [
      'conditions on others, of others, and with more to do',
      'let s = 0; for (let i = 0; i < 63; i++) { const j = i + 1; if (c[i] > 9) c[j] = 3; if (b[i] > 5) { b[i] = 4; s++; } if (i > 9) c[i] = 2; if (a[i] < 0) a[i] = F.count(i); } return s;',
    ],
    [
      'blocks left by name',
      'let s = 0; outer: { inner: { if (a[0] < 1) break inner; if (b[0] > 5) break outer; s = 1; } s += 2; } return s;',
    ],
    [
      'loops gone on with by name',
      'let s = 0; rows: for (let i = 0; i < 8; i++) { for (let j = 0; j < 8; j++) { if (j === i) continue rows; if (a[i] < 0 && j > 2) break; if (i === 6) break rows; if (b[j] < 0) continue; s += j; } s += 100; } return s;',
    ],
    [
      'while, do, and loops without end',
      'let i = 0; while (i < 5) { i++; if (i === 3) continue; } do { i += 2; if (i > 9) continue; } while (i < 20); for (;;) { if (++i > 30) break; } for (let k = 0; ; k++) if (k > 3) return i + k;',
    ],
    [
      'loops in 64 between two stops',
      'let s = 0; const m = O.size & 63; for (let from = 0; from < m; ) { F.count(from); for (const to = Math.min(from + 16, m); from < to; from++) { const i = O.heads[from]; if (i < 0) continue; s += i; } } return s;',
    ],
    [
      'names within names',
      'const x = 1; { const x = 2; { let x = 3; x++; a[0] = x; } a[1] = x; } for (let x = 5; x < 6; x++) a[2] = x; return x;',
    ],
    [
      'aliases of objects and arrays',
      'const t = O.xs, h = O.heads, o = O, w = o.inner; const size = O.size; return t[3] + h[4] + o.size + w.w + size;',
    ],
    ['a copy of a number', 'const before = g; g = 5; let later = g; later++; return before + g + later;'],
    [
      'variables without a first value',
      'let t; let u; const x = ((t = a[0] - 1) - t === 0 ? t : F.note(t)); if (x > 0) { u = 1; } else { u = 2; } return u + t;',
    ],
    [
      'steps along lists',
      'let s = 0; for (let j = b[0] & 63, k = 0; j >= 0; j = k++ > 4 ? -1 : b[j] & 63) s += a[j] > 0 ? 1 : 2; return s;',
    ],
    [
      'choices by arithmetic',
      'let s = 0; for (let k = 0; k < 32; k++) { const next = b[k] & -1, e = ~(next >> 31), j = next & e & 63; s += (a[j] === a[k]) & e; } return s;',
    ],
    [
      'indices',
      'let s = 0; const e = c[0] & 3; for (let k = c[1] & 7, i = 0; i < 4; i++) { const at = k + e; s += b[at] & 1; s += c[at + 2]; s += d[k * e + i]; a[k + e * 2 + 1] = s; s += b[k - e + 8] & 3; s += b[(k * 2 + 1.5) | 0] & 3; } return s;',
    ],
    [
      'indices that are floats',
      'const x = Math.floor(Math.abs(b[0] & 31) + 0.5); a[x + 1] = 3; const y = x - 0; return a[y] + b[x + (b[1] & 7)];',
    ],
    [
      'signs of nothing',
      'let x = 0; x = -x; a[0] = 1 / x; a[1] = 1 / (b[0] * 0); a[2] = 1 / Math.floor(-0.5 * c[0]); a[3] = 1 / (-c[1]); a[4] = 1 / -0; a[5] = -0 + 0; return 1 / (0 * -1);',
    ],
    [
      'literals',
      'return 0x1f + 1e3 + .5 + 5. + 1.5e-3 + 4294967296 + 9007199254740993 + 2147483648 + seven + Infinity - 1e400 + (NaN === NaN) + Math.PI;',
    ],
    [
      'what is wide',
      'let x = b[0] + b[1]; x = x + b[2]; let y = 0; for (let i = 0; i < 64; i++) { y = y + b[i]; x = Math.max(x, y); } const z = b[3] - 5; a[0] = x; b[1] = y; c[2] = z; return x < y ? z : z + 1;',
    ],
    [
      'sums that grow beyond 2^53',
      'let x = 1; for (let i = 0; i < 80; i++) x = x * 3 + 1; let y = 1; for (let i = 0; i < 100; i++) y = y + y; return x + y;',
    ],
    ['commas', 'let x = 0, y = (x = 3, x + 1); for (let i = 0, j = 9; i < j; i++, j--) x += j; return x, y;'],
    ['comments, and lines without semicolons', '// one\nlet x = 1 /* two\n */ let y = 2\nx++\n;--y\nreturn x + y'],
  ])('%s', (_, statements) => same(body(statements)))

  it('what an import throws', () => {
    same(body('a[0] = 5; if (a[1] < 0) F.fail(10014); a[0] = 6; return 1;'))
  })

  it('functions, with objects and numbers, in both directions', () => {
    same(`
function twice(x) { return x + x; }
function nth(self$, xs, i) { return self$.xs[i] + xs[i] + self$.inner.w; }
function count(self$) { let s = 0; for (let k = 0; k < 64; k++) if (half(self$.heads[k]) > 3) s++; return s; }
function half(x) { return x > 10 ? half(x / 2) : x; }
function quiet(k) { g = k; if (k < 3) return; n = 7; }
function either(low, high) { const start = high === null ? 0 : low; const end = high === null ? low : high; return end - start; }
function optional(x, y) { return y === undefined ? x : x + 1; }
function run() {
  quiet(2);
  quiet(a[0]);
  return twice(2) + twice(a[1]) + O.nth(Q.xs, 3) + Q.nth(a, 4) + O.count() + either(5, null) + either(5, b[2]) + optional(3, null) + optional(4, 5, F.note(6));
}
function numberless() { return a.length; }`)
  })

  it('random streams, to the bit', () => {
    same(`
function bits(s) {
  const s1 = s[1];
  const r = Math.imul(s1, 5);
  const result = Math.imul((r << 7) | (r >>> 25), 9);
  const s2 = s[2] ^ s[0];
  const s3 = s[3] ^ s1;
  s[1] = s1 ^ s2;
  s[0] = s[0] ^ s3;
  s[2] = s2 ^ (s1 << 9);
  s[3] = (s3 << 11) | (s3 >>> 21);
  return result >>> 0;
}
function uniform(s) { return bits(s) * 2.3283064365386963e-10; }
function uniform53(s) { const high = bits(s) >>> 5; return (high * 67108864 + (bits(s) >>> 6)) * 1.1102230246251565e-16; }
function below(s, n) {
  if (n > 1048576) return Math.floor(uniform53(s) * n);
  let product = bits(s) * n;
  let low = product >>> 0;
  if (low < n) {
    const threshold = 4294967296 % n;
    while (low < threshold) {
      product = bits(s) * n;
      low = product >>> 0;
    }
  }
  return (product * 2.3283064365386963e-10) | 0;
}
function shuffled(P, stream) {
  const order = P.heads;
  let s0 = stream[0], s1 = stream[1], s2 = stream[2], s3 = stream[3];
  for (let i = 63; i > 0; i--) {
    const r = Math.imul(s1, 5);
    const bits = Math.imul((r << 7) | (r >>> 25), 9) >>> 0;
    const shifted = s1 << 9;
    s2 ^= s0;
    s3 ^= s1;
    s1 ^= s2;
    s0 ^= s3;
    s2 ^= shifted;
    s3 = (s3 << 11) | (s3 >>> 21);
    const j = (bits * 2.3283064365386963e-10 * (i + 1)) | 0;
    const slot = order[i];
    order[i] = order[j];
    order[j] = slot;
  }
  stream[0] = s0;
  stream[1] = s1;
  stream[2] = s2;
  stream[3] = s3;
  return 63;
}
function run() {
  for (let i = 0; i < 20; i++) a[i] = uniform(b) + uniform53(b) + below(b, 8) + below(b, 1000000) + below(b, 3000000) + below(O.heads, i + 1);
  return shuffled(Q, b) + (-5 + below(b, c[0] + 1));
}`)
  })

  it('lists on cells', () => {
    same(`
function unlink(heads, next, slot, cell) {
  let at = heads[cell];
  if (at === slot) { heads[cell] = next[slot]; return 0; }
  let steps = 1;
  while (next[at] !== slot) { at = next[at]; steps++; }
  next[at] = next[slot];
  return steps;
}
function link(heads, next, slot, cell) {
  const first = heads[cell];
  next[slot] = first;
  heads[cell] = slot;
  if (first >= 0) g = g + 1;
}
function run() {
  let s = 0;
  for (let i = 0; i < 64; i++) { O.heads[i] = -1; Q.heads[i] = -1; }
  for (let i = 0; i < 64; i++) { d[i] = b[i] & 7; link(O.heads, Q.heads, i, d[i]); }
  for (let i = 0; i < 64; i += 3) s += unlink(O.heads, Q.heads, i, d[i]);
  return s;
}`)
  })
})

describe('refused is', () => {
  it.each([
    ['a name that means nothing', 'return nobody;', 'nobody as a number'],
    ['an unknown call', 'return G.f(1);', 'G.f is called'],
    ['an import with other arguments', 'return F.note(1, 2);', 'F.note with 2 arguments'],
    ['an object as a value', 'return O;', 'O as a number'],
    ['a member of a number', 'const x = 1; return x.y;', 'member y'],
    ['an array as a number', 'return a + 1;', 'a as a number'],
    ['a number as an array', 'return g[1];', 'g as an array'],
    ['a write to an array', 'a = b; return 1;', 'a is written to'],
    ['a write to a constant of the surroundings', 'seven = 8; return 1;', 'seven is written to'],
    ['a write to a constant', 'const x = 1; x = 2; return x;', 'a constant is written to'],
    ['a choice between objects', 'const t = g > 1 ? O.xs : Q.xs; return t[0];', 'as a number'],
    ['a variable that may have no value', 'let t; if (g > 1) t = 2; return t;', 't may have no value yet'],
    [
      'a variable without a value in the next round',
      'for (let i = 0; i < 3; i++) { let t; if (i > 0) a[0] = t; t = i; } return 1;',
      't may have no value',
    ],
    ['a value given in a loop that may have no rounds', 'let t; for (let i = 0; i < n; i++) t = i; return t;', 't may have no value'],
    ['a value given after a way out', 'let t; l: { if (g > 1) break l; t = 1; } return t;', 't may have no value'],
    ['a value given only where a test goes on', 'let t; if (g > 1 && (t = g) > 2) return 1; return t;', 't may have no value'],
    ['a name before it is declared', 'const y = x; const x = 1; return y;', 'x before it is declared'],
    ['two variables of one name', 'let x = 1; let x = 2; return x;', 'two variables x'],
    ['what is a truth and a number', 'let x = g > 1; x = 2; return x;', 'now a truth, now a number'],
    ['truths compared with numbers', 'return (g > 1) === 1;', 'a truth compared with a number'],
    ['&& of numbers as a value', 'return g && n;', '&& of numbers'],
    ['a truth for an import', 'return F.note(g > 1);', 'a truth for F.note'],
    ['what may exceed 32 bits for an import', 'return F.count(b[0] + b[1]);', 'may exceed 32 bits'],
    ['a fraction for a whole number', 'n = g; return 1;', 'n gets what may be no whole number'],
    ['a remainder of fractions', 'return g % 2;', 'a remainder of what may be no whole number'],
    ['a way to the end without a value', 'if (g > 1) return 1;', 'run may end without a value'],
    ['values and nothing returned', 'if (g > 1) return; return 1;', 'returns values and nothing'],
    ['what returns nothing as a value', 'return F.fail(1);', 'nothing as a value'],
    ['a negative index', 'return a[-1];', 'index -1'],
    ['an index that is no whole number', 'return a[0.5];', 'index 0.5'],
    ['a break to nowhere', 'break; return 1;', 'break'],
    ['a continue of a block', 'l: { continue l; } return 1;', 'continue l'],
    ['null as a value', 'return null;', 'null as a value'],
    ['a text', "return 'a';", "'"],
    ['a template', 'return `a`;', '`'],
    ['a list', 'const x = [1]; return 1;', '['],
    ['an object literal', 'const x = {}; return 1;', '{'],
    ['a function within', 'const f = () => 1; return f();', '('],
    ['a power', 'return g ** 2;', '**'],
    ['loose equality', 'return g == 2;', '=='],
    ['a large whole number', 'return 1n;', 'n'],
    ['an octal number', 'return 017;', '017'],
    ['a switch', 'switch (n) { case 1: return 2; } return 1;', 'switch'],
    ['an exception', 'throw g;', 'throw'],
    ['var', 'var x = 1; return x;', 'var'],
    ['functions of Math whose last bit differs between machines', 'return Math.sin(g);', 'Math.sin is called'],
    ['what stands open', 'return (1;', '";"'],
  ])('%s', (_, statements, why) => {
    const out = lowered(body(statements))
    expect(out).toBeTypeOf('string')
    expect(out).toContain(why)
  })

  it('a function that is there twice, or not at all', () => {
    expect(lowered('function f() { return 1; }\nfunction f() { return 2; }\nfunction run() { return f(); }')).toBe('two functions f')
    expect(lowered('function other() { return 1; }')).toBe('no function run')
  })

  it('a write to an object that was given', () => {
    expect(lowered('function f(P) { P = 1; return 1; }\nfunction run() { return f(O); }')).toContain('is written to')
  })

  it('nothing in functions that are not reached', () => {
    same('function odd() { return [1, `a`].map(x => x ** 2); }\nfunction run() { return 1; }')
  })
})

it('tells what is mentioned, what is written, and what is imported', () => {
  const out = lowered(body('const t = O.xs; t[0] = b[1] + O.size + seven; n++; F.count(n); return g;'))
  if (typeof out === 'string') throw new Error(out)
  expect([...out.paths].toSorted()).toEqual(['O.size', 'O.xs', 'b', 'g', 'n'])
  expect([...out.written].toSorted()).toEqual(['O.xs', 'n'])
  expect(out.imports).toEqual(['F.count'])
})

it('arrays that move while a loop runs, and while a value is calculated', () => {
  same(`
function deep(x) { return F.note(x) + a[1]; }
function run() {
  let s = 0;
  for (let i = 0; i < 6; i++) {
    s += a[i] + b[i];
    if (i === 2) F.note(s);
    a[i + 1] = F.note(b[i]) + a[i];
    b[i] = c[i] = deep(i);
    s += a[F.note(3)] + O.xs[i];
    d[F.note(4)] = i;
  }
  return s;
}`)
})

it('random conditions give what JavaScript gives', () => {
  let lowerable = 0
  for (let seed = 0; seed < 300; seed++) {
    const text = conditionsOf(chance(seed))
    const out = lowered(text)
    if (typeof out === 'string') continue
    lowerable++
    const data = dataOf(chance(seed + 1))
    expect(asWasm(out, data), text).toEqual(asJavaScript(text, data))
  }
  expect(lowerable).toBeGreaterThan(200)
})

it('random programs give what JavaScript gives', () => {
  let refused = 0
  const seeds = 1000
  for (let seed = 1; seed <= seeds; seed++) {
    const text = programOf(chance(seed))
    const out = lowered(text)
    if (typeof out === 'string') {
      refused++
      continue
    }
    for (let round = 0; round < 3; round++) {
      const data = dataOf(chance(seed * 31 + round))
      const ours = asWasm(out, data)
      const theirs = asJavaScript(text, data)
      try {
        expect(ours).toEqual(theirs)
      } catch (error) {
        throw new Error(`seed ${seed}\n${text}`, { cause: error })
      }
    }
  }
  expect(refused).toBeLessThan(seeds / 4)
})
