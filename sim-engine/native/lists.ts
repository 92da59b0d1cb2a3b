// Lists of handles that steps choose from, in rows: stretches of the array `N.list`, which is empty again whenever the fuel is full.

/** Where each argument of a call lies. */
export function argumentsFrom(text: string, start: number): [number, number][] {
  const found: [number, number][] = []
  let low = start
  let depth = 0
  for (let k = start; k < text.length; k++) {
    const sign = text[k]
    if (depth === 0 && (sign === ',' || sign === ')')) {
      found.push([low, k])
      low = k + 1
      if (sign === ')') break
    }
    if (sign === '(' || sign === '[') depth++
    if (sign === ')' || sign === ']') depth--
  }
  return found
}

/** Queries for who stands on a cell: how many, or all of them onto `N.list`. Of one population in the only space. */
export function standingOn(text: string): string {
  let made = ''
  let from = 0
  for (const match of text.matchAll(/\bW\.agents_on\(/g)) {
    const start = match.index + match[0].length
    const given = argumentsFrom(text, start)
    const [cells = '', cell = '', of = '', low = '', high = ''] = given.map(([a, b]) => text.slice(a, b).trim())
    if (match.index < from || given.length !== 5 || !/^P\d+$/.test(cells) || !/^P\d+$/.test(of)) continue
    const end = given[4]![1] + 1
    const isCounted = text.startsWith('.length', end)
    made += `${text.slice(from, match.index)}${isCounted ? 'count' : 'list'}On$${of.slice(1)}(${cell},${low},${high})`
    from = isCounted ? end + '.length'.length : end
  }
  return made + text.slice(from)
}

/** Cells around somebody, looked at one after another. */
export function cellsAround(text: string): string {
  const lists = new Set<string>()
  const begun = text.replaceAll(
    /\bconst (a_\d+) = Array\.from\(W\.(moore|von_neumann)\((\w+|[\d.]+), P(\d+), (\w+), (\d+), (\d+), P\d+\)\);/g,
    (_, list: string, shape: string, radius: string, p: string, self: string, from: string, to: string) => {
      lists.add(list)
      return `const ${list}=N.end,all_${list}=around$${p}(${self},${radius},${shape === 'moore'},${from},${to});`
    },
  )
  if (lists.size === 0) return text
  const name = `(${[...lists].join('|')})`
  return begun
    .replaceAll(new RegExp(`\\b${name}\\.length\\b`, 'g'), 'all_$1')
    .replaceAll(new RegExp(`\\b${name}\\[(i_\\d+)\\]`, 'g'), 'N.list[$1+$2]')
}

/** A choice, made in place of what was found, and who goes through it. */
export function chosenFrom(text: string): string {
  const lists = new Set<string>()
  const begun = text
    .replaceAll(
      /\bconst (chosen_\d+)=\[\];\s*const (found_\d+)=([^;]*\blistOn\$[^;]*);for\(let k=0,n=\2\.length;k<n;k\+\+\)\{const (one_\d+)=\2\[k\];/g,
      (_, chosen: string, found: string, query: string, one: string) => {
        lists.add(chosen)
        return `const ${found}=N.end,all_${found}=${query},${chosen}=${found};let many_${chosen}=0;for(let k=0,n=all_${found};k<n;k++){const ${one}=N.list[${found}+k];`
      },
    )
    .replaceAll(
      /\bconst (chosen_\d+)=\[\];\s*(for\(let k=0,[^{]*\{[^{}]*)\b\1\.push\((one_\d+)\);\}/g,
      (whole: string, chosen: string, loop: string, one: string) => {
        // What pushes beside it would part the stretch.
        if (loop.includes('On$')) return whole
        lists.add(chosen)
        const [, p] = /,a=P(\d+)\.living;/.exec(loop) ?? []
        const through = p === undefined ? loop : loop.replace(`,a=P${p}.living;`, ';').replaceAll('[a[k]]', `[P${p}.living[k]]`)
        return `const ${chosen}=N.end;let many_${chosen}=0;${through}push$(${one});many_${chosen}++;}`
      },
    )
    .replaceAll(/\bconst (chosen_\d+)=X\.someOf\(P(\d+),/g, (_, chosen: string, p: string) => {
      lists.add(chosen)
      return `const ${chosen}=N.end;let many_${chosen}=someOf$${p}(`
    })
  if (lists.size === 0) return text
  const name = `(${[...lists].join('|')})`
  return begun
    .replaceAll(new RegExp(`\\b${name}\\.push\\((one_\\d+)\\);`, 'g'), '{N.list[$1+many_$1]=$2;many_$1++;}')
    .replaceAll(new RegExp(`\\bX\\.pickRandom\\(${name},`, 'g'), 'many_$1=pickRandom$$($1,many_$1,')
    .replaceAll(new RegExp(`\\bX\\.pickFirst\\(${name},`, 'g'), 'many_$1=pickFirst$$(many_$1,')
    .replaceAll(new RegExp(`\\b${name}\\.length\\b`, 'g'), 'many_$1')
    .replaceAll(new RegExp(`\\b${name}\\[k\\]`, 'g'), 'N.list[$1+k]')
}
