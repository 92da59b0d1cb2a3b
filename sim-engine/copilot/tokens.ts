// How many tokens a text is at most, without a tokenizer: every model has its own, and each is some megabytes.

const pieces = /[A-Za-z0-9]+| +|[^A-Za-z0-9 ]/gu

/**
 * An estimate that is rather above than below what common tokenizers count; a whole number. Words of letters in one case: a token for each five letters
 * begun. Capitals, digits and mixtures such as ids: two for each three characters begun. Spaces: none for a single one, else one for each eight. Every other
 * character: one, beyond the Latin, Greek and Cyrillic letters one and a half (Chinese), for those of four bytes three.
 */
export function estimatedTokens(text: string): number {
  let tokens = 0
  for (const [piece] of text.matchAll(pieces)) {
    const code = piece.codePointAt(0) ?? 0
    if (code === 32) tokens += piece.length === 1 ? 0 : Math.ceil(piece.length / 8)
    else if (/^[A-Za-z]?[a-z]*$/.test(piece)) tokens += Math.ceil(piece.length / 5)
    else if (/^[A-Za-z0-9]/.test(piece)) tokens += Math.ceil((piece.length * 2) / 3)
    else tokens += code < 0x800 ? 1 : code < 0x10000 ? 1.5 : 3
  }
  return Math.ceil(tokens)
}
