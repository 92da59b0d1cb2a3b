// The page of one's own language models and of tokens for programs; for operators also those of the whole server.
import { Trans, useLingui } from '@lingui/react/macro'
import { useOperator } from '../../store/talk/operator.ts'
import style from '../../workspace/workspace.module.css'
import { Providers } from './Providers.tsx'
import { Tokens } from './Tokens.tsx'

export function CopilotSettings() {
  const { t } = useLingui()
  const operator = useOperator()
  return (
    <div className={style['narrow']}>
      <div className={style['toolbar']}>
        <h1>
          <Trans>Copilot</Trans>
        </h1>
      </div>
      <p className={style['muted']}>
        <Trans>
          A language model that is asked about a model is sent the question, what is selected, and the parts of the model that it reads with
          its tools. It never sees other files, people or keys, and whatever it changes is a suggestion until somebody accepts it.
        </Trans>
      </p>
      <Providers
        whose={{}}
        title={t`My language models`}
        about={t`For you alone, in every file you may open. Hosted or on a machine of your own, as far as this server may call it.`}
      />
      <Tokens />
      {operator && (
        <Providers
          whose={{ server: true }}
          title={t`Language models of this server`}
          about={t`For everybody whose subscription includes the copilot. They share what a person may use in a day.`}
        />
      )}
    </div>
  )
}
