import type { ComponentType } from 'react'
import { lazyPart, type Part } from './updates.ts'

/** A page with Ant Design around it; both are loaded, side by side, when it is first shown. */
export function framed<P extends object>(load: () => Promise<ComponentType<P>>): Part<P> {
  return lazyPart(async () => {
    const [{ AntdFrame }, Inside] = await Promise.all([import('./AntdFrame.tsx'), load()])
    return function Framed(props: P) {
      return (
        <AntdFrame>
          <Inside {...props} />
        </AntdFrame>
      )
    }
  })
}
