// A browser's name, in two words, from its user agent.

/** "Firefox · Windows" from a user agent; null if it is not recognised. */
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
