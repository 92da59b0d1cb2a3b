// All commands with their keys, searched by typing: the cheat sheet.
import { useLingui } from '@lingui/react/macro'
import { Modal } from 'antd'
import { useWords } from '../../../i18n/locale.ts'
import { commands, type CommandGroup } from '../../commands.ts'
import { keyText } from '../../strokes.ts'
import { isMac } from '../../keyboard.ts'

const groups: readonly CommandGroup[] = ['edit', 'go', 'view', 'arrange', 'file']

export function ShortcutSheet({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { t } = useLingui()
  const words = useWords()
  const titles: Record<CommandGroup, string> = { edit: t`Edit`, go: t`Move around`, view: t`View`, arrange: t`Arrange`, file: t`File` }
  const pointer: readonly (readonly [string, string])[] = [
    [t`Move the view`, t`Space + drag, wheel, two fingers`],
    [t`Zoom`, t`Ctrl + wheel, pinch`],
    [t`Menu of an element`, t`Right click, long press`],
    [t`Select several`, t`Drag over empty canvas, Shift + click`],
    [t`Select what is touched, too`, t`Drag leftwards`],
    [t`Select one of a group`, t`Ctrl + click, double click`],
    [t`Copy while dragging`, t`Alt + drag`],
    [t`Along one axis`, t`Shift + drag`],
    [t`No snapping`, t`Ctrl + drag`],
    [t`Open inside`, t`Double click`],
    [t`Connect`, t`Drag from a dot beside a shape`],
    [t`Add what comes next`, t`Click a dot, or drop a connector on empty canvas`],
    [t`Put into a flow`, t`Drop a step on it`],
    [t`Bend a connector`, t`Select it, drag one of its parts`],
    [t`Put down several`, t`Shift + click while placing`],
    [t`Add a picture`, t`Drop or paste a JPEG or PNG file`],
  ]
  const fields: readonly (readonly [string, string])[] = [
    [t`What the field is about`, 'F1'],
    [t`Write the formula from words`, 'F2'],
    [t`Next field`, 'Tab'],
  ]
  return (
    <Modal open={open} onCancel={onClose} footer={null} title={t`Keyboard and pointer`} width={900}>
      <div className="h-shortcuts" role="group" aria-label={t`Keyboard and pointer`} tabIndex={0}>
        {groups.map(group => (
          <section key={group}>
            <h3>{titles[group]}</h3>
            <dl>
              {commands
                .filter(command => command.group === group && command.keys.length > 0)
                .map(command => (
                  <div key={command.id}>
                    <dt>{words(command.words)}</dt>
                    <dd>
                      {command.keys.slice(0, 2).map(key => (
                        <kbd key={key}>{keyText(key, isMac)}</kbd>
                      ))}
                    </dd>
                  </div>
                ))}
            </dl>
          </section>
        ))}
        <section>
          <h3>{t`In a field`}</h3>
          <dl>
            {fields.map(([what, key]) => (
              <div key={key}>
                <dt>{what}</dt>
                <dd>
                  <kbd>{key}</kbd>
                </dd>
              </div>
            ))}
          </dl>
        </section>
        <section>
          <h3>{t`Pointer`}</h3>
          <dl>
            {pointer.map(([what, how]) => (
              <div key={what}>
                <dt>{what}</dt>
                <dd>{how}</dd>
              </div>
            ))}
          </dl>
        </section>
      </div>
    </Modal>
  )
}
