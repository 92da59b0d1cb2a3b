// What is taken from single people on this file, or on all that is in this folder: only view, cannot view, cannot view or remove.
import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Alert, Select } from 'antd'
import { restrictionLabels, restrictions, roleLabels } from '../../../model-schema/roles.ts'
import type { Restriction } from '../../../model-schema/roles.ts'
import { api } from '../../api.ts'
import { useWords } from '../../i18n/locale.ts'
import { Avatar } from '../../ui/Avatar.tsx'
import { wordsOfError } from '../../ui/notices.ts'
import { complain } from '../../ui/toast.ts'
import style from '../workspace.module.css'

export function Restrictions({ id }: { id: string }) {
  const { t } = useLingui()
  const words = useWords()
  const queries = useQueryClient()
  const people = useQuery({ queryKey: ['restrictions', id], queryFn: () => api.restrictions(id) })
  const change = (userId: string, rule: Restriction | null): void =>
    void api
      .restrict(id, userId, rule)
      .catch(complain)
      .finally(() => void queries.invalidateQueries({ queryKey: ['restrictions', id] }))
  if (people.error !== null) return <Alert type="error" showIcon title={wordsOfError(people.error)} />
  const restricted = people.data?.filter(person => person.rule !== null || person.inherited !== null) ?? []
  const others = people.data?.filter(person => person.rule === null && person.inherited === null) ?? []
  if (restricted.length + others.length === 0) return null
  const rules = restrictions.map(value => ({ value, label: words(restrictionLabels[value]) }))
  return (
    <section aria-label={t`Restrictions`}>
      <h3 className={style['subheading'] ?? ''}>
        <Trans>Restrictions</Trans>
      </h3>
      <p className={style['quiet']}>
        <Trans>
          Take something from single people here, whatever their role; on a folder it holds for all that is in it. Those who manage the file
          cannot be restricted.
        </Trans>
      </p>
      <ul className={style['people']}>
        {restricted.map(person => (
          <li key={person.id}>
            <Avatar id={person.id} name={person.name} image={person.avatar} />
            <span className={style['grow']}>
              {person.name}
              <small>
                {person.email}
                {person.inherited === null ? null : (
                  <>
                    {' · '}
                    <Trans>From a folder above: {words(restrictionLabels[person.inherited])}</Trans>
                  </>
                )}
              </small>
            </span>
            <Select<Restriction | 'none'>
              variant="borderless"
              size="small"
              value={person.rule ?? 'none'}
              popupMatchSelectWidth={false}
              aria-label={t`Restriction of ${person.name}`}
              options={[...rules, { value: 'none', label: t`By their role: ${words(roleLabels[person.role])}` }]}
              onChange={rule => change(person.id, rule === 'none' ? null : rule)}
            />
          </li>
        ))}
      </ul>
      {others.length === 0 ? null : (
        <Select
          className="h-wide"
          showSearch={{ optionFilterProp: 'label' }}
          value={null}
          aria-label={t`Restrict somebody`}
          placeholder={t`Restrict somebody …`}
          options={others.map(person => ({ value: person.id, label: `${person.name} · ${person.email}` }))}
          // The mildest first; the next one is chosen next to the name.
          onChange={(userId: string | null) => userId !== null && change(userId, 'only-view')}
        />
      )}
    </section>
  )
}
