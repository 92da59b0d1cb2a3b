// The data of an exported page, besides its program: the dashboard, its models, and its state at the export.
import type { HoloFile } from '../../../model-schema/file.ts'

export type PlayerData = {
  title: string
  locale: string
  page: HoloFile
  /** By the id that the dashboard calls them. */
  models: { [id: string]: HoloFile }
}

/** Id of the element that holds it, as JSON. */
export const dataId = 'holarchy-data'
