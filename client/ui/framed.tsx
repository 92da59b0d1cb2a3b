import type { ComponentType } from 'react'
import { antdStylesLoaded } from './antd/styles.ts'
import { type LazyPart, lazyPart } from './loading/updates.ts'

/** A page with Ant Design around it; both and the styles are loaded, side by side, when it is first shown. */
export function framed<P extends object>(load: () => Promise<ComponentType<P>>): LazyPart<P> {
  return lazyPart(async () => {
    const [{ AntdFrame }, Inside] = await Promise.all([import('./AntdFrame.tsx'), load(), antdStylesLoaded()])
    return function Framed(props: P) {
      return (
        <AntdFrame>
          <Inside {...props} />
        </AntdFrame>
      )
    }
  })
}
