// Embed codes as people use them: the HTML to paste, the sites that may show it, what the page shows.

export type EmbedOptions = {
  title: boolean
  controls: boolean
  theme: 'system' | 'light' | 'dark'
  /** Of a dashboard: all of it, one card, or one card with the controls of its run. */
  show: 'full' | 'parameters' | 'chart'
  /** Id of that card; blank for all of it. */
  card: string
}

/** The options of the page of an embed code; everything is shown by default. */
export function embedOptionsOf(options: Readonly<Record<string, string>>): EmbedOptions {
  const { theme, show, card = '' } = options
  return {
    title: options['title'] !== 'false',
    controls: options['controls'] !== 'false',
    theme: theme === 'light' || theme === 'dark' ? theme : 'system',
    show: card !== '' && (show === 'parameters' || show === 'chart') ? show : 'full',
    card,
  }
}

/** The HTML that shows the file in another page. */
export function frameOf(origin: string, kind: string, code: string, name: string): string {
  const path = kind === 'dashboard' || kind === 'chart' ? `/${kind}/embed/` : '/embed/'
  const title = name.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
  return `<iframe src="${origin}${path}${code}" title="${title}" width="800" height="600" style="border:0" allow="fullscreen" loading="lazy"></iframe>`
}

/** Sites in a text, separated by commas or spaces, as `https://host`; what is none is named. */
export function originsOf(text: string): { good: string[]; bad: string[] } {
  const parts = [...new Set(text.split(/[\s,;，；、]+/).filter(part => part !== ''))]
  const good: string[] = []
  const bad: string[] = []
  for (const part of parts) {
    const url = URL.parse(/^https?:\/\//i.test(part) ? part : `https://${part}`)
    if (url !== null && /^[a-z0-9.-]+$/i.test(url.hostname) && (url.hostname.includes('.') || url.hostname === 'localhost'))
      good.push(url.origin)
    else bad.push(part)
  }
  return { good: [...new Set(good)], bad }
}
