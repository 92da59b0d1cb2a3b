// The differences between a block's copy and its source, side by side; the ticked ones are applied, as one step of undo.
import { Trans, useLingui } from '@lingui/react/macro'
import { Checkbox, Modal } from 'antd'
import { useState } from 'react'
import { kindOf } from '../../model-schema/kinds.ts'
import type { Json } from '../../model-schema/kinds/kind.ts'
import type { Model } from '../../model-schema/model.ts'
import { useEditor } from '../editor/useEditor.ts'
import { useWords } from '../i18n/locale.ts'
import { updateCopy } from './origin.ts'
import type { BlockDifference, Instance } from './origin.ts'
import { verbatim } from '../../model-schema/words.ts'

type Props = {
  name: string
  instance: Instance
  source: Model
  differences: readonly BlockDifference[]
  close: () => void
  done: () => void
}

export function UpdateDialog({ name, instance, source, differences, close, done }: Props) {
  const { t } = useLingui()
  const words = useWords()
  const editor = useEditor()
  const [left, setLeft] = useState<ReadonlySet<BlockDifference>>(new Set())
  const labels = { added: t`New`, removed: t`Gone`, changed: t`Changed` }
  const chosen = differences.filter(one => !left.has(one))
  const flip = (one: BlockDifference): void => {
    const next = new Set(left)
    if (!next.delete(one)) next.add(one)
    setLeft(next)
  }
  const update = (): void => {
    editor.tell(editor.gesture(() => updateCopy(editor.doc, instance, source, chosen)))
    close()
    done()
  }
  return (
    <Modal
      open
      title={t`“${name}”: here and in the block`}
      okText={t`Take over ${chosen.length}`}
      okButtonProps={{ disabled: chosen.length === 0 || !editor.writable }}
      onOk={update}
      onCancel={close}
      width={720}
      destroyOnHidden
    >
      <ul className="h-differences">
        {differences.map((one, i) => (
          <li key={i} data-what={one.what}>
            <Checkbox checked={!left.has(one)} onChange={() => flip(one)}>
              <b>{labels[one.what]}</b> {words(kindOf(one.kind)?.label ?? verbatim(one.kind))} {one.name}
            </Checkbox>
            {one.what !== 'changed' ? null : (
              <table>
                <thead>
                  <tr>
                    <th scope="col">
                      <Trans>Field</Trans>
                    </th>
                    <th scope="col">
                      <Trans>Here</Trans>
                    </th>
                    <th scope="col">
                      <Trans>In the block</Trans>
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {one.changes.map(change => (
                    <tr key={change.field}>
                      <th scope="row">{words(change.label)}</th>
                      <td>
                        <del>{textOf(change.here)}</del>
                      </td>
                      <td>
                        <ins>{textOf(change.there)}</ins>
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            )}
          </li>
        ))}
      </ul>
    </Modal>
  )
}

const textOf = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value))
