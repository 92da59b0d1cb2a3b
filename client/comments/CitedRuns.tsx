// The runs behind an answer in a thread of comments. Each reader can repeat them, with tools apart from those of the reader's own conversation.
import { useLingui } from '@lingui/react/macro'
import type { CitedRun } from '../../sync-server/protocol.ts'
import type { Session } from '../session.ts'
import { RunAgain } from '../copilot/Evidence.tsx'
import { digestOfResult, runningTools } from '../copilot/figures.ts'
import { Toolbox } from '../copilot/toolbox.ts'
import { plainOf, wordsOfTool } from '../copilot/words.ts'

type Props = { runs: readonly CitedRun[]; by: string; session: Session }

export default function CitedRuns({ runs, by, session }: Props) {
  const { t } = useLingui()
  const again = async ({ tool, given }: CitedRun): Promise<string> => {
    const toolbox = new Toolbox(session)
    try {
      return (await toolbox.use(by, tool, given)).text
    } finally {
      toolbox.close()
    }
  }
  return (
    <ul className="h-cited-runs" aria-label={t`Runs`}>
      {runs
        // Nothing else is executed, whatever a comment says.
        .filter(({ tool }) => runningTools.has(tool))
        .map(run => (
          <li key={`${run.tool} ${run.given}`}>
            {wordsOfTool(run.tool, plainOf(run.given))}
            <RunAgain again={() => again(run)} isSame={text => digestOfResult(text) === run.digest} />
          </li>
        ))}
    </ul>
  )
}
