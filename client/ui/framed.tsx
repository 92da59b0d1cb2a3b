import type { ComponentType, LazyExoticComponent } from 'react'
import { lazyPart } from './updates.ts'

/** A page with Ant Design around it; both are loaded, side by side, when it is first shown. */
export function framed<P extends object>(load: () => Promise<ComponentType<P>>): LazyExoticComponent<ComponentType<P>> {
  return lazyPart(async () => {
    const [{ AntdFrame }, Part] = await Promise.all([import('./AntdFrame.tsx'), load()])
    return function Framed(props: P) {
      return (
        <AntdFrame>
          <Part {...props} />
        </AntdFrame>
      )
    }
  })
}
