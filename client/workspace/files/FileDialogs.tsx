// The dialogs about files, once for the page; opened by putting files into the hand.
import { Suspense } from 'react'
import type { Place } from '../../local/place.ts'
import { importedPart } from '../../ui/loading/updates.ts'
import { hand, useHand } from './hand.ts'
import { useActions } from './useActions.tsx'

const MoveDialog = importedPart(
  () => import('./MoveDialog.tsx'),
  module => module.MoveDialog,
)
const TagDialog = importedPart(
  () => import('./TagDialog.tsx'),
  module => module.TagDialog,
)
const Details = importedPart(
  () => import('./Details.tsx'),
  module => module.Details,
)
const ShareDialog = importedPart(
  () => import('../share/ShareDialog.tsx'),
  module => module.ShareDialog,
)
const PublishWizard = importedPart(
  () => import('../../store/publish/PublishWizard.tsx'),
  module => module.PublishWizard,
)
const PermissionsDialog = importedPart(
  () => import('../team/Permissions.tsx'),
  module => module.FilePermissions,
)

export function FileDialogs({ place }: { place: Place }) {
  const { moving, tagging, sharing, permissions, publishing, details } = useHand(state => state)
  const actions = useActions(place)
  return (
    <Suspense>
      {moving === null ? null : <MoveDialog files={moving} place={place} actions={actions} close={() => hand.setState({ moving: null })} />}
      {tagging === null ? null : <TagDialog files={tagging} actions={actions} close={() => hand.setState({ tagging: null })} />}
      {sharing === null ? null : <ShareDialog file={sharing} close={() => hand.setState({ sharing: null })} />}
      {permissions === null ? null : <PermissionsDialog file={permissions} close={() => hand.setState({ permissions: null })} />}
      {publishing === null ? null : <PublishWizard file={publishing} close={() => hand.setState({ publishing: null })} />}
      {details === null ? null : <Details place={place} actions={actions} />}
    </Suspense>
  )
}
