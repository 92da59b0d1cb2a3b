// The picture of comments that the copilot wrote.
import { RobotOutlined } from '@ant-design/icons'

export function CopilotAvatar({ size }: { size: number }) {
  return (
    <span className="h-copilot-avatar" style={{ inlineSize: size, blockSize: size }}>
      <RobotOutlined aria-hidden />
    </span>
  )
}
