// The current workspace, and its files as this device knows them.
import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useLiveQuery } from 'dexie-react-hooks'
import { useMemo } from 'react'
import type { ErrorCode } from '../../sync-server/protocol.ts'
import { accountPlace, useIdentity } from '../account/identity.ts'
import { api } from '../api.ts'
import { device } from '../local/device.ts'
import type { FileRow } from '../local/device.ts'
import { mirrorFiles } from '../local/files.ts'
import { DEVICE_USER, devicePlace } from '../local/place.ts'
import type { Place } from '../local/place.ts'

/** The workspace of a route's team code: `device` is this device's own, everything else the account's. */
export function usePlace(teamCode?: string): Place | null {
  const { me, onDevice } = useIdentity()
  const { t } = useLingui()
  const name = t`Me`
  return useMemo(() => {
    if (teamCode === 'device' || (me === null && onDevice)) return devicePlace(name)
    return me === null ? null : accountPlace(me)
  }, [me, onDevice, teamCode, name])
}

/** The place of a page that shows one workspace's files: new ones go there. */
export function useTeamPlace(teamCode: string): Place | null {
  const place = usePlace(teamCode)
  return useMemo(() => (place === null || place.local ? place : { ...place, team: teamCode }), [place, teamCode])
}

/** The sync state of a file: confirmed by the server, waiting to be sent, or refused with a code. */
type FileState = 'told' | 'waiting' | { refused: ErrorCode }

export type ShownFile = FileRow & { state: FileState }

/** The files of a place, live; undefined while they are read. Asks the server behind the scenes. */
export function useFiles(place: Place | null): ShownFile[] | undefined {
  const user = place?.user.id ?? ''
  const local = place?.local ?? true
  useQuery({
    queryKey: ['files', user],
    queryFn: async () => {
      await mirrorFiles(user, await api.files())
      return true
    },
    enabled: !local,
    refetchInterval: 60_000,
  })
  return useLiveQuery(async () => {
    const [files, outbox] = await Promise.all([
      device.files.where('user').equals(user).toArray(),
      device.outbox.where('user').equals(user).toArray(),
    ])
    const states = new Map<string, FileState>()
    for (const row of outbox) {
      if (row.refused !== undefined) states.set(row.file, { refused: row.refused })
      else if (!states.has(row.file)) states.set(row.file, 'waiting')
    }
    return files.map(file => ({ ...file, state: states.get(file.id) ?? 'told' }))
  }, [user])
}

/** How many files live on this device alone; undefined while they are counted. */
export function useDeviceCount(): number | undefined {
  return useLiveQuery(
    async () => (await device.files.where('user').equals(DEVICE_USER).toArray()).filter(file => file.trashedAt === null).length,
    [],
  )
}
