// Colours as models write them, as 0xRRGGBB.

const named: Readonly<Record<string, number>> = {
  black: 0x000000,
  white: 0xffffff,
  red: 0xff0000,
  green: 0x008000,
  blue: 0x0000ff,
  yellow: 0xffff00,
  orange: 0xffa500,
  purple: 0x800080,
  brown: 0xa52a2a,
  pink: 0xffc0cb,
  gray: 0x808080,
  grey: 0x808080,
  cyan: 0x00ffff,
  magenta: 0xff00ff,
  lime: 0x00ff00,
  navy: 0x000080,
  teal: 0x008080,
  olive: 0x808000,
  maroon: 0x800000,
  silver: 0xc0c0c0,
  gold: 0xffd700,
  coral: 0xff7f50,
  salmon: 0xfa8072,
  tomato: 0xff6347,
  crimson: 0xdc143c,
  indigo: 0x4b0082,
  violet: 0xee82ee,
  turquoise: 0x40e0d0,
  skyblue: 0x87ceeb,
  steelblue: 0x4682b4,
  forestgreen: 0x228b22,
  darkgreen: 0x006400,
  lightgreen: 0x90ee90,
  seagreen: 0x2e8b57,
  khaki: 0xf0e68c,
  tan: 0xd2b48c,
  sienna: 0xa0522d,
  chocolate: 0xd2691e,
  beige: 0xf5f5dc,
  lightblue: 0xadd8e6,
  darkblue: 0x00008b,
  royalblue: 0x4169e1,
  lightgray: 0xd3d3d3,
  lightgrey: 0xd3d3d3,
  darkgray: 0xa9a9a9,
  darkgrey: 0xa9a9a9,
  orchid: 0xda70d6,
  plum: 0xdda0dd,
  lavender: 0xe6e6fa,
  ivory: 0xfffff0,
}

const known = new Map<string, number | null>()

/** `#rgb`, `#rrggbb`, a CSS colour name, or a number 0xRRGGBB; null for anything else. */
export function parseColor(value: unknown): number | null {
  if (typeof value === 'number') return Number.isInteger(value) && value >= 0 && value <= 0xffffff ? value : null
  if (typeof value !== 'string') return null
  const remembered = known.get(value)
  if (remembered !== undefined) return remembered
  // A model may make up colours without end.
  if (known.size > 10_000) known.clear()
  const made = parse(value.trim().toLowerCase())
  known.set(value, made)
  return made
}

function parse(text: string): number | null {
  if (Object.hasOwn(named, text)) return named[text] ?? null
  const hex = /^#([0-9a-f]{3}|[0-9a-f]{6})$/.exec(text)?.[1]
  if (hex === undefined) return null
  return Number.parseInt(hex.length === 6 ? hex : [...hex].map(digit => digit + digit).join(''), 16)
}
