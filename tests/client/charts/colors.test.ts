// Colours of series: each contrasts with the ground of its theme, and any two are distinguishable, with every form of colour vision.
import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { seriesColor, seriesColors, seriesDash } from '../../../client/charts/colors.ts'
import { parseFile } from '../../../model-schema/file.ts'
import { samples } from '../../../model-schema/samples.ts'
import { palettes } from '../../../client/ui/theme.ts'

type Rgb = readonly [number, number, number]
const linear = (color: string): Rgb => {
  const part = (k: number): number => {
    const value = Number.parseInt(color.slice(1 + 2 * k, 3 + 2 * k), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  }
  return [part(0), part(1), part(2)]
}
const luminance = ([r, g, b]: Rgb): number => 0.2126 * r + 0.7152 * g + 0.0722 * b
const contrast = (a: string, b: string): number => {
  const [low, high] = [luminance(linear(a)), luminance(linear(b))].toSorted((x, y) => x - y) as [number, number]
  return (high + 0.05) / (low + 0.05)
}
const times = (rows: readonly Rgb[], [r, g, b]: Rgb): Rgb => rows.map(row => row[0] * r + row[1] * g + row[2] * b) as unknown as Rgb

/** What a person without one kind of cones sees (Machado, Oliveira and Fernandes 2009, severity 1). */
const sights: Readonly<Record<string, readonly Rgb[]>> = {
  all: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  'no red': [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  'no green': [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  'no blue': [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
}

/** https://bottosson.github.io/posts/oklab/ */
function oklab(color: Rgb): Rgb {
  const seen = times(
    [
      [0.4122214708, 0.5363325363, 0.0514459929],
      [0.2119034982, 0.6806995451, 0.1073969566],
      [0.0883024619, 0.2817188376, 0.6299787005],
    ],
    color,
  ).map(Math.cbrt) as unknown as Rgb
  return times(
    [
      [0.2104542553, 0.793617785, -0.0040720468],
      [1.9779984951, -2.428592205, 0.4505937099],
      [0.0259040371, 0.7827717662, -0.808675766],
    ],
    seen,
  )
}

describe.each(['light', 'dark'] as const)('%s', theme => {
  const set = seriesColors[theme]

  it('every colour has a contrast of 3:1 to the ground', () => {
    for (const color of set) expect(contrast(color, palettes[theme].surface), color).toBeGreaterThanOrEqual(3)
  })

  it.each(Object.keys(sights))('any two are told apart by those who see: %s', sight => {
    for (const [k, one] of set.entries())
      for (const other of set.slice(k + 1)) {
        const [a, b] = [one, other].map(color => oklab(times(sights[sight]!, linear(color)))) as [Rgb, Rgb]
        expect(Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]), `${one} ${other}`).toBeGreaterThan(0.075)
      }
  })
})

it('beyond the six the colours come again, told apart by dashes, except those that somebody chose', () => {
  const looks = Array.from({ length: 18 }, (_, k) => `${seriesColor(k, '', false)} ${seriesDash(k, '')?.join(' ') ?? ''}`)
  expect(new Set(looks).size).toBe(18)
  expect(seriesDash(5, '')).toBeNull()
  expect(seriesDash(9, '#123456')).toBeNull()
})

it('one of the six that was chosen is the same colour of either theme; any other stays', () => {
  for (const [k, light] of seriesColors.light.entries()) {
    expect(seriesColor(3, light.toUpperCase(), true)).toBe(seriesColors.dark[k])
    expect(seriesColor(3, light, false)).toBe(light)
  }
  expect(seriesColor(0, '#123456', true)).toBe('#123456')
})

it('samples give their series one of the six, or the colour that an element of the model has', async () => {
  for (const { id } of samples) {
    const parsed = parseFile(await readFile(new URL(`../../../model-schema/samples/${id}.holo`, import.meta.url), 'utf8'))
    if (!('file' in parsed)) throw new Error(id)
    const elements = Object.values(parsed.file.elements)
    const isChart = ({ kind }: { kind: string }): boolean => kind === 'chart'
    const elsewhere = JSON.stringify(elements.filter(element => !isChart(element))).toLowerCase()
    const chosen = [...JSON.stringify(elements.filter(isChart)).matchAll(/"color":"(#\w{6})"/g)].map(([, color]) => color!.toLowerCase())
    const six: readonly string[] = seriesColors.light
    expect(
      [...new Set(chosen)].filter(color => !six.includes(color) && !elsewhere.includes(color)),
      id,
    ).toEqual([])
  }
})
