// The first script of a page, a few hundred bytes: requests the files that the page will need besides the app itself, so that they load
// while the app is parsed, not after. It executes none of them and contains only names of files (plugin.ts).
import { firstLocale } from '../i18n/first.ts'
import { showsModel, type Early } from './files.ts'

/** Written in by the build. */
declare const earlyFiles: Early

function ask(files: readonly string[]): void {
  for (const file of files) {
    const link = document.createElement('link')
    const isStyle = file.endsWith('.css')
    link.rel = isStyle ? 'preload' : 'modulepreload'
    if (isStyle) link.as = 'style'
    // As the app asks for it, or it would come twice.
    link.crossOrigin = ''
    link.href = `/${file}`
    document.head.append(link)
  }
}

const { model, languages, texts } = earlyFiles
const isModel = showsModel(location.pathname)
if (isModel) ask(model)
// What is remembered of the language takes the browser a moment to find.
const language = firstLocale()
ask(languages[language] ?? [])
if (!isModel) ask(texts[language] ?? [])
