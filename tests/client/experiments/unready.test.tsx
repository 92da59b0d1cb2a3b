// Why an experiment cannot start yet is not said before its model is open: what is missing without it may be there.
import { i18n } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { ScopeContext, type ExperimentScope } from '../../../client/experiments/scope.ts'
import { Unready } from '../../../client/experiments/Unready.tsx'
import type { Linked } from '../../../client/experiments/linked.ts'
import { messages as english } from '../../../model-schema/languages/en-US.po'
import { preparation } from '../../help/experiments.ts'

it('while the model is being opened nothing is said to be left to fill in', () => {
  i18n.loadAndActivate({ locale: 'en-US', messages: english })
  const made = preparation(null, { type: 'monteCarlo' }, {})
  const errors = made.problems.filter(({ severity }) => severity === 'error')
  expect(errors).not.toEqual([])
  const said = (state: Linked['state']): string =>
    renderToStaticMarkup(
      <I18nProvider i18n={i18n}>
        <ScopeContext value={{ linked: { state } } as unknown as ExperimentScope}>
          <Unready errors={errors} experiment="study" jump={() => {}} />
        </ScopeContext>
      </I18nProvider>,
    )
  expect(said('opening')).toContain('Opening the model…')
  expect(said('opening')).not.toContain('button')
  expect(said('none')).toMatch(/to fill in|to start/)
})
