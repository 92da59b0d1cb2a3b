// Charts of fields on the results, stored in the experiment's document: visible to all who open it, each with the results on their device.
import { DeleteOutlined, EditOutlined, PlusOutlined } from '@ant-design/icons'
import { Trans, useLingui } from '@lingui/react/macro'
import { Button, Drawer } from 'antd'
import { useState } from 'react'
import { place, remove, setField } from '../../../model-schema/edit.ts'
import type { Element } from '../../../model-schema/model.ts'
import { PlotCard } from '../../charts/PlotCard.tsx'
import { PlotProperties } from '../../charts/PlotProperties.tsx'
import { tell, useExperiment } from '../scope.ts'
import type { Shown } from './shown.ts'

export function Cards({ shown }: { shown: Shown }) {
  const { t } = useLingui()
  const { file, root, session, writable } = useExperiment()
  const [editing, setEditing] = useState<string | null>(null)
  const cards = root.children.flatMap(id => file.elements.get(id) ?? []).filter(({ kind }) => kind === 'plot')
  const edited = cards.find(({ id }) => id === editing)
  const titleOf = ({ fields }: Element): string => String(fields['name'] ?? '')
  const make = (): void => {
    const first = (of: 'decision' | 'measure'): string => shown.columns.find(one => one.of === of)?.label ?? ''
    const values = {
      source: 'experiment',
      experimentFile: session.docId,
      dimension: first('decision'),
      metrics: [{ field: first('measure'), aggregate: 'auto', label: '', color: '', goal: 'min' }],
    }
    const made = place(session.doc, { kind: 'plot', parent: root.id, at: [0, 0], values })
    if (tell(made) && typeof made === 'string') setEditing(made)
  }
  return (
    <div className="x-pane">
      {cards.length === 0 && (
        <p className="x-hint">{t`Charts made by putting fields on shelves. They belong to this experiment, and everybody who opens it sees them.`}</p>
      )}
      <div className="x-cards">
        {cards.map(card => (
          <div className="x-card" key={card.id}>
            <PlotCard
              element={card}
              run={null}
              user={session.target.user.id}
              change={writable ? (field, value) => void tell(setField(session.doc, card.id, field, value)) : undefined}
            />
            {writable && (
              <span className="x-line x-card-tools">
                <Button size="small" icon={<EditOutlined aria-hidden />} onClick={() => setEditing(card.id)}>
                  <Trans>Change</Trans>
                </Button>
                <Button
                  size="small"
                  type="text"
                  icon={<DeleteOutlined aria-hidden />}
                  aria-label={t`Delete the chart ${titleOf(card)}`}
                  onClick={() => tell(remove(session.doc, [card.id]))}
                />
              </span>
            )}
          </div>
        ))}
      </div>
      {writable && (
        <div className="x-line">
          <Button type="dashed" icon={<PlusOutlined aria-hidden />} onClick={make} data-testid="add-chart">
            <Trans>Add a chart</Trans>
          </Button>
        </div>
      )}
      <Drawer title={t`Chart`} open={edited !== undefined} onClose={() => setEditing(null)} mask={false} destroyOnHidden size={360}>
        {edited && <PlotProperties key={edited.id} session={session} element={edited} of={null} disabled={!writable} />}
      </Drawer>
    </div>
  )
}
