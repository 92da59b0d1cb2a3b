// The editor of each kind of file: one row a kind. A kind without a row is created, listed, moved and shared like the others, and opens a
// notice that its editor does not exist yet.
import type { ReactNode } from 'react'
import type { ComponentType } from 'react'
import type { FileKind } from '../local/device.ts'
import type { Session } from '../session.ts'
import { framed } from '../ui/framed.tsx'
import { importedPart } from '../ui/loading/updates.ts'
import type { Words } from '../../model-schema/words.ts'

/** What every editor is given. */
export type EditorProps = {
  session: Session
  title: string
  teamCode: string
  /** Absent when the person may not rename. */
  onRename?: ((title: string) => void) | undefined
  backTo: string
  /** A button that shares the file. */
  share?: ReactNode
  /** Why it may not be copied; true or nothing where it may. */
  mayCopy?: true | Words | undefined
}

// It brings Ant Design itself, after the canvas.
export const ModelEditor = importedPart(
  () => import('../editor/ModelEditor.tsx'),
  module => module.ModelEditor,
)

const ExperimentEditor = framed(async () => (await import('../experiments/ExperimentEditor.tsx')).ExperimentEditor)

const DashboardEditor = framed(async () => (await import('../dashboards/DashboardEditor.tsx')).DashboardEditor)

const ChartEditor = framed(async () => (await import('../charts/ChartEditor.tsx')).ChartEditor)

export const editors: Readonly<Partial<Record<FileKind, ComponentType<EditorProps>>>> = {
  model: ModelEditor,
  // A block is a part of a model: the same canvas.
  block: ModelEditor,
  experiment: ExperimentEditor,
  dashboard: DashboardEditor,
  chart: ChartEditor,
}
