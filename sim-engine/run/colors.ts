// Colours as modellers write them: #rgb, #rrggbb, a few names, a whole number 0xRRGGBB.
const names: Readonly<Record<string, number>> = {
  black: 0x000000, white: 0xffffff, gray: 0x808080, grey: 0x808080, red: 0xd62728, orange: 0xff7f0e, yellow: 0xf2c80f, green: 0x2ca02c, lime: 0x7fd13b, cyan: 0x17becf, turquoise: 0x1fb6ad,
  blue: 0x1f77b4, sky: 0x8ecae6, violet: 0x7f3fbf, purple: 0x9467bd, magenta: 0xd63384, pink: 0xf48fb1, brown: 0x8c564b,
}

const known = new Map<string, number>()

/** 0xRRGGBB, or `otherwise` when the value is no colour. */
export function colorOf(value: unknown, otherwise: number): number {
  if (typeof value === 'number') return Number.isInteger(value) && value >= 0 && value <= 0xffffff ? value : otherwise
  if (typeof value !== 'string') return otherwise
  const found = known.get(value)
  if (found !== undefined) return found
  const read = parseColor(value.trim().toLowerCase())
  if (read === null) return otherwise
  if (known.size < 4096) known.set(value, read)
  return read
}

function parseColor(text: string): number | null {
  if (/^#[0-9a-f]{6}$/.test(text)) return Number.parseInt(text.slice(1), 16)
  if (/^#[0-9a-f]{3}$/.test(text)) return Number.parseInt([...text.slice(1)].map(digit => digit + digit).join(''), 16)
  return Object.hasOwn(names, text) ? names[text]! : null
}
