// Choosing which measure or axis a chart shows.
import { Select } from 'antd'

export function Pick<T extends string | number>({
  label,
  value,
  options,
  onChange,
}: {
  label: string
  value: T
  options: readonly { value: T; label: string }[]
  onChange: (value: T) => void
}) {
  return (
    <label className="x-pick">
      <span>{label}</span>
      <Select size="small" aria-label={label} value={value} onChange={onChange} options={[...options]} popupMatchSelectWidth={false} />
    </label>
  )
}
