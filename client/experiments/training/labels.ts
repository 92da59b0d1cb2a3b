// What settings of a training are called: as the fields of the plan that fill them.
import { learningParameters } from '../../../model-schema/experiment.ts'
import { kindOf } from '../../../model-schema/kinds.ts'
import type { Field } from '../../../model-schema/kinds/kind.ts'
import { verbatim, type Words } from '../../../model-schema/words.ts'
import { settingOf } from '../../../sim-engine/experiment.ts'

const others: Readonly<Record<string, string>> = {
  algorithm: 'policy',
  schedule: 'rateSchedule',
  discounting: 'byTime',
  mostDecisions: 'maxDecisions',
}

const fieldOf = (id: string): Field | undefined => kindOf('experiment')?.fields.find(field => field.id === id)

const labelOf = (field: string, option: string): Words => {
  const type = fieldOf(field)?.type
  return (type?.as === 'choice' ? type.options[option] : undefined) ?? verbatim(option)
}

export const algorithmLabel = (algorithm: string): Words => labelOf('policy', algorithm)

export function settingLabel(setting: string): Words {
  const parameter = learningParameters.find(one => settingOf(one) === setting)
  return fieldOf(parameter ?? others[setting] ?? setting)?.label ?? verbatim(setting)
}

/** A value that is no number. */
export const settingValue = (setting: string, value: string): Words => labelOf(others[setting] ?? setting, value)
