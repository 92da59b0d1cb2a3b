// What is chosen from a list: a model among the person's files, a scenario of it, a public variable.
import { useLingui } from '@lingui/react/macro'
import { Select } from 'antd'
import { useLiveQuery } from 'dexie-react-hooks'
import { useMemo } from 'react'
import type { Id, Model } from '../../model-schema/model.ts'
import { textField } from '../run/fields.ts'
import { device } from '../local/device.ts'
import { useBoard } from './scope.ts'
import { defined } from '../ui/defined.ts'

type ModelFile = { readonly id: string; readonly name: string }

/** The models of the current user, newest first; undefined while they are read. */
function useModels(): ModelFile[] | undefined {
  const { session } = useBoard()
  const user = session.target.user.id
  return useLiveQuery(async () => {
    const files = await device.files.where('user').equals(user).toArray()
    return files
      .filter(({ kind, trashedAt }) => kind === 'model' && trashedAt === null)
      .toSorted((a, b) => (a.updatedAt < b.updatedAt ? 1 : -1))
      .map(({ id, name }) => ({ id, name }))
  }, [user])
}

type PickerProps<T> = { id?: string; value: string; disabled?: boolean; choose(value: T): void }

export function ModelPicker({ id, value, disabled = false, choose }: PickerProps<ModelFile>) {
  const { t } = useLingui()
  const models = useModels()
  const known = models?.some(model => model.id === value) ?? false
  return (
    <Select
      {...(id === undefined ? {} : { id })}
      className="h-wide"
      aria-label={t`Model`}
      showSearch={{ optionFilterProp: 'label' }}
      loading={models === undefined}
      disabled={disabled}
      value={value === '' ? undefined : known ? value : t`A model that is not in your files`}
      placeholder={t`Choose a model`}
      notFoundContent={t`There are no models yet. Make one first.`}
      options={(models ?? []).map(model => ({ value: model.id, label: model.name }))}
      onChange={next => {
        const model = models?.find(one => one.id === next)
        if (model) choose(model)
      }}
    />
  )
}

export function ScenarioPicker({ id, value, model, disabled = false, choose }: PickerProps<string> & { model: Model | null }) {
  const { t } = useLingui()
  const options = useMemo(
    () =>
      (model?.scenarios ?? []).flatMap(scenario => {
        const element = model?.elements.get(scenario)
        return element ? [{ value: scenario, label: textField(element, 'name') || scenario }] : []
      }),
    [model],
  )
  const known = options.find(option => option.value === value || option.label === value)
  return (
    <Select
      {...(id === undefined ? {} : { id })}
      className="h-wide"
      aria-label={t`Model scenario`}
      disabled={disabled || model === null}
      status={value !== '' && model !== null && !known ? 'error' : ''}
      {...defined({ value: known?.value ?? (value === '' ? options[0]?.value : value) })}
      options={options}
      onChange={choose}
    />
  )
}

type PublicProps = {
  id: string
  value: Id | null
  options: readonly { value: Id; label: string }[]
  disabled: boolean
  choose(id: Id): void
}

export function PublicPicker({ id, value, options, disabled, choose }: PublicProps) {
  const { t } = useLingui()
  const known = value === null || options.some(option => option.value === value)
  return (
    <Select
      id={id}
      className="h-wide"
      showSearch={{ optionFilterProp: 'label' }}
      disabled={disabled}
      status={known ? '' : 'error'}
      {...(value === null ? {} : { value: known ? value : t`No longer there, or no input` })}
      placeholder={t`Choose an input`}
      notFoundContent={t`The model has no inputs. Switch on “Input” at a variable of the model.`}
      options={[...options]}
      onChange={choose}
    />
  )
}
