// `npm run bench [filter]`: measures and prints one JSON line a figure. Quote medians and ratios, not single times.
import { engineFigures } from './engine.ts'
import { print } from './figure.ts'

const filter = process.argv[2] ?? ''
const wanted = (name: string) => name.includes(filter)

for (const figure of engineFigures(wanted)) print(figure)
