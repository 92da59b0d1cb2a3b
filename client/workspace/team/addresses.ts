/** Email addresses in a text, separated by commas, semicolons or spaces; what is none is named. */
export function addressesOf(text: string): { good: string[]; bad: string[] } {
  const parts = [
    ...new Set(
      text
        .split(/[\s,;，；、]+/)
        .map(part => part.trim().toLowerCase())
        .filter(part => part !== ''),
    ),
  ]
  const isAddress = (part: string): boolean => part.length <= 254 && /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/.test(part)
  return { good: parts.filter(isAddress), bad: parts.filter(part => !isAddress(part)) }
}
