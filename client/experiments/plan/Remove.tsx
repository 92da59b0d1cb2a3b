// The button that takes a line away.
import { Button } from 'antd'

export function Remove({ label, remove }: { label: string; remove: () => void }) {
  return (
    <Button
      type="text"
      size="small"
      aria-label={label}
      title={label}
      onClick={remove}
      icon={
        <svg width="14" height="14" viewBox="0 0 14 14" aria-hidden="true">
          <path d="M3 3l8 8M11 3l-8 8" stroke="currentColor" strokeWidth="1.400" fill="none" />
        </svg>
      }
    />
  )
}
