// A dashboard as one file that anybody can open: program, engine, models and data in it, nothing fetched from anywhere. Its policy lets its own
// script run and nothing else, and lets nothing out.
import type { Dashboard } from '../../model-schema/dashboard.ts'
import type { Locale } from '../i18n/locale.ts'
import { readFile } from '../local/files.ts'
import type { Place } from '../local/place.ts'
import { dataId, type PlayerData } from './player/data.ts'

/** Throws when the program can't be fetched, or a model can't be read. */
export async function exportedPage(place: Place, id: string, dashboard: Dashboard, title: string, locale: Locale): Promise<Blob> {
  const models = [...new Set(dashboard.associations.map(({ modelFile }) => modelFile).filter(model => model !== ''))]
  const [script, style, page, ...files] = await Promise.all([
    textAt('/player/player.js'),
    textAt('/player/player.css'),
    readFile(place, id),
    ...models.map(model => readFile(place, model)),
  ])
  const data: PlayerData = {
    title,
    locale,
    page,
    models: Object.fromEntries(models.flatMap((model, i) => (files[i] ? [[model, files[i]]] : []))),
  }
  return new Blob([await htmlOf(data, script, style)], { type: 'text/html' })
}

async function textAt(path: string): Promise<string> {
  const response = await fetch(path)
  if (!response.ok || response.headers.get('content-type')?.includes('html')) throw new Error(`${path} is not there (${response.status})`)
  return response.text()
}

/** The page; its content is escaped so that it can't close its element. */
export async function htmlOf(data: PlayerData, program: string, look: string): Promise<string> {
  const script = program.replaceAll('\r\n', '\n').replace(/<(\/script|!--)/gi, String.raw`\x3c$1`)
  const style = look.replace(/<\/style/gi, String.raw`<\/style`)
  const json = JSON.stringify(data).replaceAll('<', String.raw`\u003c`)
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(script))
  const digest = btoa(String.fromCharCode(...new Uint8Array(hash)))
  // The engine makes programs of models, in workers that begin from the script itself and live by its policy.
  const policy = [
    "default-src 'none'",
    `script-src 'sha256-${digest}' 'unsafe-eval'`,
    "style-src 'unsafe-inline'",
    'img-src data: blob:',
    'font-src data:',
    'worker-src blob:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')
  return `<!doctype html>
<html lang="${data.locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="generator" content="Holarchy">
<title>${escaped(data.title)}</title>
<style>${style}</style>
</head>
<body>
<div id="root"></div>
<script type="application/json" id="${dataId}">${json}</script>
<script>${script}</script>
</body>
</html>
`
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
