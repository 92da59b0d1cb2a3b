// Publications for tests: files with content, and the wizard's answers.
import * as Y from 'yjs'
import { loadFile, newDocument } from '../../../model-schema/document.ts'
import { parseFile } from '../../../model-schema/file.ts'
import { newId } from './company.ts'
import type { Person } from '../server.ts'
import { english } from '../../../model-schema/words.ts'

export async function write(who: Person, file: string, doc: Y.Doc): Promise<void> {
  const epoch = (await who.call('GET', `/api/docs/${file}/state`)).headers.get('x-epoch') ?? ''
  await who.must('POST', `/api/docs/${file}/updates`, Y.encodeStateAsUpdate(doc), { 'x-epoch': epoch })
}

/** A model with one empty scenario. */
export async function modelOf(who: Person, name: string, more: Record<string, unknown> = {}): Promise<string> {
  const file = await who.file(name, more)
  await write(who, file, newDocument(name))
  return file
}

/** A model from the text of a `.holo` file, as a person imports it. */
export async function upload(who: Person, name: string, text: string, more: Record<string, unknown> = {}): Promise<string> {
  const read = parseFile(text)
  if ('problems' in read) throw new Error(english(read.problems[0]?.words))
  const file = await who.file(name, more)
  const doc = new Y.Doc()
  loadFile(doc, read.file)
  await write(who, file, doc)
  return file
}

export const aboutOf = (name: string, more: Record<string, unknown> = {}) => ({
  name,
  summary: 'What it is',
  description: '',
  notes: '',
  tags: ['Queue', 'queue', ' teaching '],
  topic: 'economy',
  licence: 'CC-BY-4.0',
  pages: { scenarios: null, copies: true },
  incentive: { price: 0, referral: 10 },
  run: null,
  ...more,
})

/** Puts a file on the shelf; answers the publication's id. */
export async function shelved(who: Person, source: string, name: string, more: Record<string, unknown> = {}): Promise<string> {
  const id = newId()
  const { kind = 'model', models = [], ...rest } = more
  await who.must('POST', '/api/market/apps', { id, source, kind, models, about: aboutOf(name, rest) })
  await who.must('POST', `/api/market/apps/${id}/publish`)
  return id
}

export const said = (text: string): string =>
  JSON.stringify({ type: 'doc', content: [{ type: 'paragraph', content: [{ type: 'text', text }] }] })
