// A sketch of a large model: its state when its document was last closed or idle here, as plain data stored with the rows. Reading it takes
// a tenth of the time of reading the rows, so it is shown first. It is never edited, sent or merged.
import { plainModel, type Model } from '../../model-schema/model.ts'
import { readValue } from '../validate.ts'
import * as z from '../zod.ts'
import { keepBeside, readBeside } from './rows.ts'

/** Smaller models are there in no time. */
const minElements = 300
/** Milliseconds of rest after which it is kept. */
const restMs = 4000

// Another build may understand models otherwise: its code comes from another address.
const build = import.meta.url
const isModel = (value: unknown): value is Model => looseModel.safeParse(value).success
const looseModel = z.looseObject({ elements: z.instanceof(Map) })
/** Written here by the same build, which checked the rest of the model. */
const sketchSchema = z.object({ build: z.literal(build), model: z.custom<Model>(isModel) })

export class Sketch {
  readonly #name: string
  #timer: ReturnType<typeof setTimeout> | undefined
  /** The stored value; undefined while unknown. */
  #kept: Model | null | undefined

  constructor(name: string) {
    this.#name = name
  }

  /** The model as it was; null when there is none, or none of this build. */
  async read(): Promise<Model | null> {
    try {
      const kept = await readBeside(this.#name)
      if (kept === undefined) this.#kept = null
      return readValue(sketchSchema, kept)?.model ?? null
    } catch (error) {
      console.warn('the sketch of a model', error)
      return null
    }
  }

  /** Keeps this one once nothing changes any more. */
  soon(model: Model): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.#keep(model), restMs)
  }

  /** Keeps the last one now, when one waits. */
  async close(model: Model): Promise<void> {
    clearTimeout(this.#timer)
    if (this.#timer !== undefined) await this.#keep(model)
  }

  async #keep(model: Model): Promise<void> {
    this.#timer = undefined
    const wanted = model.elements.size >= minElements ? model : null
    if (wanted === this.#kept) return
    this.#kept = wanted
    try {
      await keepBeside(this.#name, wanted === null ? undefined : { build, model: plainModel(wanted) })
    } catch (error) {
      console.warn('the sketch of a model', error)
    }
  }
}
