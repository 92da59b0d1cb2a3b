// Share & publish: people and their roles, links, embed codes. One dialog; each part says itself what it can't do.
import { Trans, useLingui } from '@lingui/react/macro'
import { Alert, Modal, Tabs } from 'antd'
import { openSwitches } from '../../../model-schema/roles.ts'
import type { Someone } from '../../local/device.ts'
import { publishedAs } from '../../../model-schema/business/market.ts'
import { PublishPart } from '../../store/publish/PublishPart.tsx'
import { Embeds } from './Embeds.tsx'
import { Links } from './Links.tsx'
import { People } from './People.tsx'
import { useSpaces } from '../team/spaces.ts'

type Props = { file: { id: string; name: string; owner: Someone; team?: string; kind?: string }; close: () => void }

/** Kinds the server shows to strangers. */
const embeddable: ReadonlySet<string> = new Set(['model', 'dashboard', 'chart'])

export function ShareDialog({ file, close }: Props) {
  const { t } = useLingui()
  const space = useSpaces().data?.find(one => one.id === file.team)
  const isOn = (name: 'externalAccess' | 'shareFiles' | 'copyEmbedLink'): boolean =>
    space === undefined || space.type === 'personal' || (space.switches[name] ?? openSwitches[name])
  const closed = !isOn('externalAccess') || !isOn('shareFiles')
  const warning = closed ? (
    <Alert
      type="warning"
      showIcon
      title={<Trans>The workspace has switched sharing with the outside off. What was shared before can be closed here.</Trans>}
    />
  ) : null
  return (
    <Modal open title={t`Share “${file.name}”`} onCancel={close} footer={null} width={600} destroyOnHidden>
      {warning}
      <Tabs
        items={[
          {
            key: 'people',
            label: t`People`,
            children: <People file={file} space={space} />,
          },
          { key: 'links', label: t`Links`, children: <Links id={file.id} /> },
          ...(file.kind === undefined || embeddable.has(file.kind)
            ? [
                {
                  key: 'embeds',
                  label: t`Embed`,
                  children: (
                    <Embeds
                      id={file.id}
                      kind={file.kind ?? 'model'}
                      name={file.name}
                      allowed={isOn('copyEmbedLink') && isOn('externalAccess')}
                    />
                  ),
                },
              ]
            : []),
          ...(file.kind === undefined || publishedAs[file.kind] !== undefined
            ? [
                {
                  key: 'publish',
                  label: t`Publish`,
                  children: <PublishPart file={{ id: file.id, name: file.name, kind: file.kind ?? 'model' }} />,
                },
              ]
            : []),
        ]}
      />
    </Modal>
  )
}
