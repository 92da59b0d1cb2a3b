// Names at the ends of their lines in place of a legend, where there are few and the card has room.
/** Lines are named at their ends up to this many. */
export const mostDirect = 6
/** Pixels from one name to the next. */
const labelPitch = 16

/** Pixels that names at the ends of lines take; 0 where a legend is below instead, because the card is small. */
export const directRoom = (list: HTMLUListElement | null): number =>
  list && getComputedStyle(list).position === 'absolute' ? list.offsetWidth + 10 : 0

/** Puts each name next to the end of its line, and moves overlapping ones apart. */
export function placeLabels(list: HTMLUListElement | null, tops: readonly (number | null)[]): void {
  if (!list) return
  const height = list.parentElement?.clientHeight ?? 0
  const placed = tops.flatMap((top, at) => (top === null ? [] : [{ at, top }])).toSorted((a, b) => a.top - b.top)
  let least = labelPitch / 2
  for (const one of placed) {
    one.top = Math.max(least, one.top)
    least = one.top + labelPitch
  }
  let most = height - labelPitch
  for (const one of placed.toReversed()) {
    one.top = Math.min(most, one.top)
    most = one.top - labelPitch
  }
  // What is switched off waits at the bottom.
  for (const at of tops.keys()) {
    const item = list.children[at]
    if (item instanceof HTMLElement) item.style.setProperty('--top', `${placed.find(one => one.at === at)?.top ?? height - labelPitch}px`)
  }
}
