// The canvas on paper: as large as the sheet allows, on white, with the name of the model above it.
import './print.css'

/** Opens the browser's own dialog with a drawing of the canvas; settles when it was closed. */
export async function printPicture(svg: Blob, title: string): Promise<void> {
  const drawn = new DOMParser().parseFromString(await svg.text(), 'image/svg+xml').documentElement
  const page = document.createElement('div')
  page.className = 'h-print'
  const heading = document.createElement('h1')
  heading.textContent = title
  page.append(heading, document.importNode(drawn, true))
  document.body.append(page)
  try {
    // Some browsers block during printing, others fire an event at its end.
    const over = new Promise(done => window.addEventListener('afterprint', done, { once: true }))
    window.print()
    await Promise.race([over, new Promise(done => setTimeout(done, 60_000))])
  } finally {
    page.remove()
  }
}
