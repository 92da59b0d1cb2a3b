// Lays networks out in a worker. A newer request cancels the current one; a spring layout posts intermediate states.
import { circle, disc, relax, tree, type NetworkLayout, type Places } from './layout.ts'

export type LayoutRequest = { version: number; layout: NetworkLayout; count: number; edges: Uint32Array }
export type Laid = { version: number; places: Places }

const steps = 240

let newest = 0

addEventListener('message', (event: MessageEvent<LayoutRequest>) => {
  const wish = event.data
  newest = wish.version
  if (wish.layout === 'circle') answer(wish.version, circle(wish.count))
  else if (wish.layout === 'tree') answer(wish.version, tree(wish.count, wish.edges))
  else spring(wish, disc(wish.count), 0)
})

function answer(version: number, places: Places): void {
  const laid: Laid = { version, places }
  postMessage(laid)
}

function spring(wish: LayoutRequest, places: Places, done: number): void {
  if (wish.version !== newest) return
  const until = performance.now() + 40
  let step = done
  while (step < steps && performance.now() < until) relax(places, wish.edges, 1 - step++ / steps)
  answer(wish.version, places)
  if (step < steps) setTimeout(() => spring(wish, places, step), 0)
}
