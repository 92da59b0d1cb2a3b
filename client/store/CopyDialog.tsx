// Taking a copy: into which workspace, and what comes along with it.
import { Trans, useLingui } from '@lingui/react/macro'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Modal, Radio } from 'antd'
import { nanoid } from 'nanoid'
import { useState } from 'react'
import { can } from '../../model-schema/roles.ts'
import { appLicenceLabels, appLicences } from '../../model-schema/business/market.ts'
import { useWords } from '../i18n/locale.ts'
import { nudge } from '../local/nudge.ts'
import { Avatar } from '../ui/Avatar.tsx'
import { complain, say } from '../ui/toast.ts'
import { useSpaces } from '../workspace/team/spaces.ts'
import { readBy } from './area.ts'
import { ThanksField } from './Thanks.tsx'
import { market } from './market.ts'
import type { AppInfo } from './market.ts'
import style from './store.module.css'

export function CopyDialog({ app, close }: { app: AppInfo; close: () => void }) {
  const { t } = useLingui()
  const words = useWords()
  const navigate = useNavigate()
  const { by } = readBy(useSearch({ strict: false }))
  const queries = useQueryClient()
  const spaces = (useSpaces().data ?? []).filter(space => can({ role: space.role }, 'createFile', { space: space.type }))
  const [team, setTeam] = useState<string | null>(null)
  const chosen = spaces.find(space => space.id === team) ?? spaces.find(space => space.type === 'personal') ?? spaces[0]
  const [id] = useState(() => nanoid())
  const [thanks, setThanks] = useState(0)
  const main = app.files[0]
  const take = useMutation({
    mutationFn: async (home: string) => {
      await market.copy(app.id, id, home, by, thanks)
      nudge()
      await queries.invalidateQueries()
      return home
    },
    onSuccess: home => {
      say(t`A copy of “${app.name}” is in your workspace.`)
      close()
      if (main?.kind === 'project' || main?.kind === 'folder')
        void navigate({ to: '/workspace/$teamCode/project/$pId', params: { teamCode: home, pId: id } })
      else if (main?.kind === 'model') void navigate({ to: '/modeling/$teamCode/$modelId', params: { teamCode: home, modelId: id } })
      else void navigate({ to: '/file/$teamCode/$modelId', params: { teamCode: home, modelId: id } })
    },
    onError: complain,
  })
  const licence = appLicences.find(one => one === app.licence)
  return (
    <Modal
      open
      title={t`Get a copy of “${app.name}”`}
      okText={t`Get the copy`}
      cancelText={t`Cancel`}
      okButtonProps={{ disabled: chosen === undefined }}
      confirmLoading={take.isPending}
      onOk={() => chosen !== undefined && take.mutate(chosen.id)}
      onCancel={close}
      destroyOnHidden
    >
      <div className={style['form']}>
        <p>
          <Trans>Into which workspace?</Trans>
        </p>
        <Radio.Group
          vertical
          aria-label={t`Workspace`}
          value={chosen?.id}
          onChange={event => setTeam(String(event.target.value))}
          options={spaces.map(space => ({
            value: space.id,
            label: (
              <span className={style['space']}>
                <Avatar id={space.id} name={space.name} image={space.icon} size={20} space />{' '}
                {space.type === 'personal' ? t`My workspace` : space.name}
              </span>
            ),
          }))}
        />
        <ThanksField value={thanks} change={setThanks} />
        <p className={style['hint']}>
          {licence === undefined ? app.licence : words(appLicenceLabels[licence])}.{' '}
          <Trans>The copy is yours to change. It remembers where it came from, and can’t be published again.</Trans>
        </p>
      </div>
    </Modal>
  )
}
