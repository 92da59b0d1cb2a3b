// The way from a refusal to where it can be helped.
import { Button } from 'antd'
import { router } from '../routes/router.tsx'
import type { Offer } from './notices.ts'

export function OfferButton({ to, text, taken }: Offer & { taken: () => void }) {
  return (
    <Button
      type="primary"
      size="small"
      onClick={() => {
        taken()
        void router.navigate({ to })
      }}
    >
      {text}
    </Button>
  )
}
