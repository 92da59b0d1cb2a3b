// What a browser calls itself, in two words.

/** "Firefox · Windows" from what a browser calls itself; null when it is none we know. */
export function browserOf(agent: string): string | null {
  const browsers = [
    ['Edg/', 'Edge'],
    ['OPR/', 'Opera'],
    ['Firefox/', 'Firefox'],
    ['Chrome/', 'Chrome'],
    ['Safari/', 'Safari'],
  ] as const
  const systems = [
    ['Android', 'Android'],
    ['iPhone', 'iOS'],
    ['iPad', 'iPadOS'],
    ['Windows', 'Windows'],
    ['Mac OS', 'macOS'],
    ['Linux', 'Linux'],
  ] as const
  const found = [browsers, systems].map(table => table.find(([mark]) => agent.includes(mark))?.[1]).filter(name => name !== undefined)
  return found.length === 0 ? null : found.join(' · ')
}
