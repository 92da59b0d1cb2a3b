// The handle on a figure, as it is named for assistive technology.
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { AxisHandle } from '../../../client/charts/figure/AxisHandle.tsx'

it('axis handle: a slider with its bounds, its value in words, at its place on the axis', () => {
  const made = renderToStaticMarkup(
    <AxisHandle label="Warm-up" value={25} step={1} text="25 ticks" min={0} max={100} from={40} to={240} onChange={() => undefined} />,
  )
  for (const part of ['role="slider"', 'tabindex="0"', 'aria-label="Warm-up"', 'aria-valuemin="0"', 'aria-valuemax="100"'])
    expect(made).toContain(part)
  expect(made).toContain('aria-valuenow="25" aria-valuetext="25 ticks"')
  expect(made).toContain('inset-inline-start:90px')
})
