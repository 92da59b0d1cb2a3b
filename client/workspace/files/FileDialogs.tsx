// The dialogs about files, once for the page; opened by putting files into the hand.
import { Suspense } from 'react'
import type { Place } from '../../local/place.ts'
import { lazyPart } from '../../ui/updates.ts'
import { hand, useHand } from './hand.ts'
import { useActions } from './useActions.tsx'

const MoveDialog = lazyPart(async () => (await import('./MoveDialog.tsx')).MoveDialog)
const TagDialog = lazyPart(async () => (await import('./TagDialog.tsx')).TagDialog)
const Details = lazyPart(async () => (await import('./Details.tsx')).Details)
const ShareDialog = lazyPart(async () => (await import('../share/ShareDialog.tsx')).ShareDialog)
const PublishWizard = lazyPart(async () => (await import('../../store/PublishWizard.tsx')).PublishWizard)
const PermissionsDialog = lazyPart(async () => (await import('../team/Permissions.tsx')).FilePermissions)

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
