/** Hands the person a file. The name keeps letters, digits, spaces and `-_.` of any language. */
export function download(data: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(data)
  link.download = name.replace(/[^\p{L}\p{N} ._-]+/gu, '_')
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}
