// What an exported page carries beside its program: the dashboard, the models it runs, and how it was when it was exported.
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
