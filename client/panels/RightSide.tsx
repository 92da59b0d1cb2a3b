// The panel at the right of the canvas: the properties of what is selected, the comments of the document, or the copilot.
import { useLingui } from '@lingui/react/macro'
import { Segmented } from 'antd'
import { PartOfPage } from '../ui/loading/Mishap.tsx'
import { importedPart } from '../ui/loading/updates.ts'
import { besideOf, useBeside, type Beside } from './beside.ts'
import { Inspector } from './Inspector.tsx'
import { useOpenSession } from './session.ts'

const CommentsPanel = importedPart(
  () => import('../comments/CommentsPanel.tsx'),
  module => module.CommentsPanel,
)

const CopilotPanel = importedPart(
  () => import('../copilot/CopilotPanel.tsx'),
  module => module.CopilotPanel,
)

export function RightSide() {
  const session = useOpenSession()
  return session ? <Sides session={session} /> : <Inspector />
}

function Sides({ session }: { session: NonNullable<ReturnType<typeof useOpenSession>> }) {
  const { t } = useLingui()
  const side = useBeside(session, beside => beside.side)
  return (
    <>
      <div className="h-sides">
        <Segmented<Beside['side']>
          block
          size="small"
          value={side}
          onChange={next => besideOf(session).setState({ side: next })}
          aria-label={t`What this panel shows`}
          options={[
            { value: 'properties', label: t`Properties` },
            { value: 'comments', label: t`Comments` },
            { value: 'copilot', label: t`Copilot` },
          ]}
        />
      </div>
      {side === 'properties' ? (
        <Inspector />
      ) : (
        <PartOfPage>{side === 'copilot' ? <CopilotPanel session={session} /> : <CommentsPanel session={session} />}</PartOfPage>
      )}
    </>
  )
}
