// Loads the styles of Ant Design's components (plugin.ts) before the first of them is shown.
import address from 'virtual:antd-styles'
import { ChunkError } from '../loading/updates.ts'

/** Whether the styles come as a file. Without it each component writes its own. */
export const stylesInFile = address !== null

let loading: Promise<void> | null = null

/** Resolves when the styles apply. Rejects with `ChunkError` when the file cannot be loaded; the next call asks for it again. */
export function antdStylesLoaded(): Promise<void> {
  return (loading ??= address === null ? Promise.resolve() : sheetLoaded(address))
}

function sheetLoaded(href: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const link = document.createElement('link')
    link.rel = 'stylesheet'
    link.href = href
    link.addEventListener('load', () => resolve())
    link.addEventListener('error', () => {
      link.remove()
      loading = null
      reject(new ChunkError(href))
    })
    // Before all others: our own rules count more than equal ones of the components.
    document.head.prepend(link)
  })
}
