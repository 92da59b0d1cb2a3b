// Fields of requests that several routers of the store read.
import { z } from 'zod'
import { speakerOf } from '../../model-schema/languages/catalogues.ts'
import { MARKET, MOST_THANKS, appLicences, appTopics } from '../../model-schema/business/market.ts'
import { flag, id, params, query } from '../http.ts'

export const byId = params(z.object({ id }))
export const byPerson = params(z.object({ id: z.uuid() }))
export const ofDraft = query(z.object({ draft: flag.optional() }))

/** The first letters of a language that shipped samples may be translated into. */
export const language = z
  .string()
  .regex(/^[a-z]{2,3}$/)
  .refine(one => speakerOf(one) !== undefined)
  .optional()

/** A text of one line. */
export const lined = (length: number) =>
  z
    .string()
    .max(length)
    .transform(text => text.replaceAll(/\s+/g, ' ').trim())

export const topic = z.enum(appTopics)
export const licence = z.enum(appLicences)
export const tag = lined(MARKET.tagLength)

/** Coins given to an author. */
export const thanks = z.number().int().min(0).max(MOST_THANKS).default(0)
