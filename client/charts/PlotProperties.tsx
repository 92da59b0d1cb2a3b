// What a chart of fields on a dashboard is changed with: its source, shelves and settings, one below the other.
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { plotOf } from '../../model-schema/plot.ts'
import type { Element, Id, Model } from '../../model-schema/model.ts'
import type { Session } from '../session.ts'
import { FieldList } from './editor/FieldList.tsx'
import { PlotScopeOf } from './editor/PlotScopeOf.tsx'
import { drawnType, Settings } from './editor/Settings.tsx'
import { Shelves } from './editor/Shelves.tsx'
import { Source } from './editor/Source.tsx'
import './editor/editor.css'

type Props = {
  session: Session
  element: Element
  /** The model of its run, while there is one. */
  of: { model: Model; scenario: Id } | null
  disabled: boolean
}

export function PlotProperties({ session, element, of, disabled }: Props) {
  const [fresh, setFresh] = useState(false)
  return (
    <PlotScopeOf session={session} element={element} of={of} disabled={disabled} fresh={fresh}>
      {({ data }) => (
        <div className="p-properties">
          <Source data={data} model={null} chosen={() => setFresh(true)} />
          <Shelves />
          <details className="h-section d-fold">
            <summary>
              <Trans>All fields</Trans>
            </summary>
            <FieldList />
          </details>
          <Settings drawn={drawnType(plotOf(element), data)} root={null} />
        </div>
      )}
    </PlotScopeOf>
  )
}
