import { Trans } from '@lingui/react/macro'
import { TextPage } from './TextPage.tsx'

/** What changed for people, newest first. */
export function Changelog() {
  return (
    <TextPage>
      <h1>
        <Trans>What is new</Trans>
      </h1>
      <h2>0.1</h2>
      <ul>
        <li>
          <Trans>Build models of agents, cells, links and processes on one canvas, with formulas that are checked as you type.</Trans>
        </li>
        <li>
          <Trans>
            Run them in the browser: world view, charts, sliders, step by step or at full speed; the same seed gives the same run
            everywhere.
          </Trans>
        </li>
        <li>
          <Trans>Edit together, live. Without a network everything goes on working and is merged later.</Trans>
        </li>
        <li>
          <Trans>
            Experiments: exploration, Monte Carlo, optimisation and reinforcement learning, in the browser, on the server or on the command
            line.
          </Trans>
        </li>
        <li>
          <Trans>A guide beside the canvas that explains a model, finds what is wrong and mends it, also without a network.</Trans>
        </li>
        <li>
          <Trans>
            A copilot: connect a language model, hosted or your own; it reads, builds, runs and tests on a copy and suggests changes that
            you accept one by one.
          </Trans>
        </li>
        <li>
          <Trans>Charts and dashboards with sliders and live runs, shared by link or shown in other pages.</Trans>
        </li>
        <li>
          <Trans>Comments on the canvas, versions to compare and go back to, a debugger with breakpoints.</Trans>
        </li>
        <li>
          <Trans>Teams and organizations with roles, invitations, shared folders and links that can be closed and opened again.</Trans>
        </li>
        <li>
          <Trans>A store to publish work in, to follow authors and to talk.</Trans>
        </li>
        <li>
          <Trans>Sample models to open and change, in English and Chinese.</Trans>
        </li>
        <li>
          <Trans>A workspace on this device, without an account.</Trans>
        </li>
      </ul>
    </TextPage>
  )
}
