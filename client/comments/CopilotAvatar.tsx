// What stands in place of a face where the copilot speaks.
import { RobotOutlined } from '@ant-design/icons'

export function CopilotAvatar({ size }: { size: number }) {
  return (
    <span className="h-copilot-avatar" style={{ inlineSize: size, blockSize: size }}>
      <RobotOutlined aria-hidden />
    </span>
  )
}
