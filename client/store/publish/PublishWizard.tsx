// Publishing a file in five steps: description, pages, incentive, topic, and publication. The entries are stored until the file is published or
// the wizard closed; the last step prepares the version on the server, where its author can try it before it is public.
import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Alert, Button, Modal, Steps } from 'antd'
import { nanoid } from 'nanoid'
import { useEffect, useRef, useState } from 'react'
import { modelOfFile } from '../../../model-schema/file.ts'
import { PRICE, appLicences, appTopics, publishedAs } from '../../../model-schema/business/market.ts'
import { ApiError } from '../../api.ts'
import { readFile } from '../../local/files.ts'
import { PageLoading } from '../../ui/loading/PageLoading.tsx'
import { useMedia } from '../../ui/useMedia.ts'
import { wordsOfError } from '../../ui/notices.ts'
import { complain, say } from '../../ui/toast.ts'
import { usePlace } from '../../workspace/usePlace.ts'
import { Basic, IncentiveStep, Out, Pages, TICKS, Topic } from './PublishSteps.tsx'
import type { AlongModel, Draft, FoundModel, Source } from './PublishSteps.tsx'
import { market } from '../market.ts'
import type { VersionInput, AppInfo, RunWish } from '../market.ts'
import { linesOf, richOf } from '../lines.ts'
import { RecordError, recordRun } from './record.ts'
import style from '../store.module.css'

/** The current state of a file's publication: an existing one continues from there. */
export function PublishWizard({ file, close }: { file: Source; close: () => void }) {
  const { t } = useLingui()
  const found = useQuery({
    queryKey: ['market', 'wizard', file.id],
    queryFn: async () => {
      const { app: of, models } = await market.of(file.id)
      if (of === null) return { id: null, state: null, before: null, models }
      const before = await market.app(of.id, true).catch(() => market.app(of.id))
      return { id: of.id, state: of.state, before, models }
    },
    retry: false,
    gcTime: 0,
    staleTime: Infinity,
  })
  const frame = (children: React.ReactNode) => (
    <Modal open title={t`Publish “${file.name}”`} footer={null} width={720} onCancel={close} destroyOnHidden>
      {children}
    </Modal>
  )
  if (found.isPending) return frame(<PageLoading />)
  if (found.isError) return frame(<Alert type="error" showIcon title={wordsOfError(found.error)} />)
  const { id, state, before, models } = found.data
  if (state === 'off-shelf')
    return frame(
      <Alert
        type="warning"
        showIcon
        title={t`Off shelfed app cannot be updated. Put it back first.`}
        action={
          <Link to="/store/mine" onClick={close}>
            <Trans>My publications</Trans>
          </Link>
        }
      />,
    )
  return frame(<Wizard file={file} existing={id} published={state === 'published'} before={before} along={models} close={close} />)
}

type WizardProps = {
  file: Source
  existing: string | null
  published: boolean
  before: AppInfo | null
  along: readonly AlongModel[]
  close: () => void
}

function Wizard({ file, existing, published, before, along, close }: WizardProps) {
  const { t } = useLingui()
  const phone = useMedia('(max-width: 719px)')
  const queries = useQueryClient()
  const [step, setStep] = useState(0)
  const [draft, setDraft] = useState<Draft>(() => begun(file, before, along))
  const [agreed, setAgreed] = useState(false)
  const [busy, setBusy] = useState<'record' | 'send' | null>(null)
  const [prepared, setPrepared] = useState<AppInfo | null>(null)
  const [id] = useState(() => existing ?? nanoid())
  const change = (part: Partial<Draft>): void => setDraft(now => ({ ...now, ...part }))
  const models = useModels(file, before)
  const stop = useRef<AbortController | null>(null)
  useEffect(() => () => stop.current?.abort(), [])

  const missing = draft.name.trim() === '' ? t`A name is needed.` : draft.summary.trim() === '' ? t`One sentence about it is needed.` : null
  const noPages = draft.pages.scenarios !== null && draft.pages.scenarios.length === 0 ? t`Choose at least one scenario.` : null
  const unchosen = along.some(model => !draft.models.includes(model.id))
    ? t`Agree to the models first, or take them out of the file.`
    : null
  const pagesMissing = noPages ?? unchosen
  const last = step === 4

  /** Records the run, and uploads everything to the server; nothing is public yet. */
  const prepare = async (): Promise<AppInfo> => {
    stop.current = new AbortController()
    setBusy('record')
    const run = await recorded(draft, models.data ?? [], stop.current.signal)
    setBusy('send')
    const { kind, cover, proof: _, description, models: chosen, ...rest } = draft
    const about: VersionInput = { ...rest, name: rest.name.trim(), description: richOf(description), run }
    const info = published ? await market.update(id, about, chosen) : await market.prepare(id, file.id, kind, about, chosen)
    if (cover !== null) await market.setCover(id, cover)
    await queries.invalidateQueries({ queryKey: ['market'] })
    return info
  }
  const attempt = (work: () => Promise<void>): void => {
    work()
      .catch((error: unknown) =>
        complain(
          error instanceof RecordError ? t`The run to be recorded failed: see the model’s problems, or publish without one.` : error,
        ),
      )
      .finally(() => setBusy(null))
  }
  const publish = async (): Promise<void> => {
    const info = prepared ?? (await prepare())
    if (info.like !== null) {
      setPrepared(info)
      throw new ApiError('market-similar', 409)
    }
    await market.publish(id)
    await queries.invalidateQueries({ queryKey: ['market'] })
    say(t`“${draft.name}” is published.`)
    close()
  }
  const titles = [t`Basic`, t`Page range`, t`Incentive settings`, t`Topic and store`, t`Publish file`]
  const edit = (part: Partial<Draft>): void => {
    setPrepared(null)
    change(part)
  }
  return (
    <div className={style['wizard']}>
      <Steps
        size="small"
        current={step}
        type={phone ? 'dot' : 'default'}
        items={titles.map(title => ({ title }))}
        onChange={next => (next < step || (missing === null && pagesMissing === null)) && setStep(next)}
      />
      <div className={style['form']} role="group" aria-label={titles[step] ?? ''}>
        {step === 0 ? <Basic draft={draft} change={edit} file={file} before={before} fixed={published} /> : null}
        {step === 1 ? <Pages draft={draft} change={edit} file={file} models={models.data} along={along} /> : null}
        {step === 2 ? <IncentiveStep draft={draft} change={edit} /> : null}
        {step === 3 ? <Topic draft={draft} change={edit} /> : null}
        {last ? (
          <Out
            draft={draft}
            change={edit}
            models={models.data}
            published={published}
            prepared={prepared}
            agreed={agreed}
            agree={setAgreed}
          />
        ) : null}
      </div>
      {step === 0 && missing !== null ? <p className={style['hint']}>{missing}</p> : null}
      {step === 1 && pagesMissing !== null ? <p className={style['hint']}>{pagesMissing}</p> : null}
      <footer className={style['wizardFoot']}>
        {step === 0 ? <Button onClick={close}>{t`Cancel`}</Button> : <Button onClick={() => setStep(step - 1)}>{t`Back`}</Button>}
        {last ? (
          <>
            <Button loading={busy !== null} disabled={prepared !== null} onClick={() => attempt(async () => setPrepared(await prepare()))}>
              {busy === 'record' ? t`Recording the run …` : prepared === null ? t`Prepare and test` : t`Prepared`}
            </Button>
            <Button
              type="primary"
              disabled={!agreed || (prepared !== null && prepared.like !== null)}
              loading={busy !== null}
              onClick={() => attempt(publish)}
            >
              {published ? t`Publish the new version` : t`Publish`}
            </Button>
          </>
        ) : (
          <Button
            type="primary"
            disabled={(step === 0 && missing !== null) || (step === 1 && pagesMissing !== null)}
            onClick={() => setStep(step + 1)}
          >
            {t`Next`}
          </Button>
        )}
      </footer>
    </div>
  )
}

function begun(file: Source, before: AppInfo | null, along: readonly AlongModel[]): Draft {
  const run = before?.proof.run ?? null
  return {
    kind: before?.kind ?? publishedAs[file.kind]?.[0] ?? 'model',
    name: before?.name ?? file.name,
    summary: before?.summary ?? '',
    description: linesOf(before?.description ?? ''),
    notes: '',
    tags: before?.tags ?? [],
    topic: appTopics.find(one => one === before?.topic) ?? 'other',
    licence: appLicences.find(one => one === before?.licence) ?? 'CC-BY-4.0',
    pages: before?.pages ?? { scenarios: null, copies: true },
    incentive: before?.incentive ?? { price: PRICE, referral: 0 },
    cover: null,
    // What was published along before is agreed to already.
    models: along.filter(model => before?.files.some(one => one.id === model.id)).map(model => model.id),
    proof: { on: true, file: run?.file ?? null, scenario: run?.scenario ?? null, seed: run?.seed ?? 1, ticks: run?.ticks ?? TICKS },
  }
}

/** The models with a run that can be recorded: the file itself, or those published with it before. */
function useModels(file: Source, before: AppInfo | null) {
  const place = usePlace()
  const others = (before?.files ?? []).filter(one => one.kind === 'model' && one.id !== file.id)
  const wanted = file.kind === 'model' ? [{ id: file.id, name: file.name }] : others
  return useQuery({
    queryKey: ['market', 'models', ...wanted.map(one => one.id)],
    queryFn: async (): Promise<FoundModel[]> => {
      if (place === null) return []
      return Promise.all(
        wanted.map(async one => {
          const content = await readFile(place, one.id)
          const model = modelOfFile(content)
          const scenarios = model.scenarios.map(id => {
            const name = model.elements.get(id)?.fields.name
            return { id, name: typeof name === 'string' ? name : '' }
          })
          return { ...one, file: content, scenarios }
        }),
      )
    },
    enabled: place !== null,
    gcTime: 0,
  })
}

async function recorded({ proof, pages }: Draft, models: readonly FoundModel[], signal: AbortSignal): Promise<RunWish | null> {
  if (!proof.on) return null
  const model = models.find(one => one.id === proof.file) ?? models[0]
  if (model === undefined) return null
  const open = model.scenarios.filter(one => pages.scenarios === null || pages.scenarios.includes(one.id))
  const scenario = (open.find(one => one.id === proof.scenario) ?? open[0])?.id
  if (scenario === undefined) return null
  const { seed, ticks } = proof
  return { file: model.id, scenario, seed, ticks, hash: await recordRun(model.file, { scenario, seed, ticks }, signal) }
}
