// The control that edits a field: one for each type of the metamodel.
import { Suspense, type ReactNode } from 'react'
import { importedPart } from '../../ui/loading/updates.ts'
import type { ControlProps } from './control.ts'
import { FormulaControl } from './formula.tsx'
import { ImageControl } from './image.tsx'
import { BooleanControl, ChoiceControl, ColorControl, NumberControl, TextControl } from './plain.tsx'
import { RefControl, RefsControl } from './refs.tsx'
import { RichControl } from './rich.tsx'
import { RowsControl } from './rows.tsx'
import { unreachable } from '../../../model-schema/unreachable.ts'

const IndividualsTable = importedPart(
  () => import('../assist/IndividualsTable.tsx'),
  module => module.IndividualsTable,
)

/** `cell`: inside a table, where a formula is a plain string of its row. */
export function Control(props: ControlProps & { cell?: boolean }): ReactNode {
  switch (props.field.type.as) {
    case 'name':
    case 'text':
      return <TextControl {...props} />
    case 'number':
      return <NumberControl {...props} />
    case 'boolean':
      return <BooleanControl {...props} />
    case 'choice':
      return <ChoiceControl {...props} />
    case 'color':
      return <ColorControl {...props} />
    case 'ref':
      return <RefControl {...props} />
    case 'refs':
      return <RefsControl {...props} />
    case 'formula':
      return <FormulaControl {...props} />
    case 'rows':
      // Of one agent, a grid; of several at once, or in anything else, single lines.
      if (props.field.id === 'individuals' && props.elements.length === 1 && props.element.kind === 'agent')
        return (
          <Suspense>
            <IndividualsTable {...props} />
          </Suspense>
        )
      return <RowsControl {...props} Cell={Control} />
    case 'rich':
      return <RichControl {...props} />
    case 'image':
      return <ImageControl {...props} />
    // Shown by what it is part of, not as it is written.
    case 'data':
      return null
    default:
      return unreachable(props.field.type)
  }
}
