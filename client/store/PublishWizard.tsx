// Publishing a file in five steps: what it is, which pages, what for, where, and out. What is entered is kept until it is published or closed;
// the last step prepares the version on the server, where its author can try it before anybody else sees it.
import { SafetyCertificateOutlined, UploadOutlined } from '@ant-design/icons'
import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Alert, Button, Checkbox, Input, InputNumber, Modal, Radio, Select, Slider, Steps } from 'antd'
import { nanoid } from 'nanoid'
import { useEffect, useMemo, useRef, useState } from 'react'
import { modelOfFile } from '../../model-schema/file.ts'
import type { HoloFile } from '../../model-schema/file.ts'
import {
  MARKET,
  PRICE,
  appKindLabels,
  appLicenceLabels,
  appLicences,
  appTopicLabels,
  appTopics,
  publishedAs,
} from '../../model-schema/market.ts'
import type { AppKind, AppLicence, AppTopic } from '../../model-schema/market.ts'
import { useWords } from '../i18n/locale.ts'
import { readFile } from '../local/files.ts'
import { PageLoading } from '../ui/PageLoading.tsx'
import { useIsPhone } from './useIsPhone.ts'
import { wordsOfError } from '../ui/notices.ts'
import { complain, say } from '../ui/toast.ts'
import { PictureField } from '../workspace/PictureField.tsx'
import { usePlace } from '../workspace/usePlace.ts'
import { AppCover } from './AppCover.tsx'
import { market } from './market.ts'
import type { About, AppInfo, RunWish } from './market.ts'
import { linesOf, richOf } from './lines.ts'
import { RecordError, recordRun } from './record.ts'
import style from './store.module.css'

/** The file that is published. */
export type Source = { id: string; name: string; kind: string }

const COVER = { width: 1280, height: 800 }
const TICKS = 1000

/** What a publication of this file looks like so far: one that exists goes on where it stands. */
export function PublishWizard({ file, close }: { file: Source; close: () => void }) {
  const { t } = useLingui()
  const found = useQuery({
    queryKey: ['market', 'wizard', file.id],
    queryFn: async () => {
      const of = await market.of(file.id)
      if (of === null) return { id: null, state: null, before: null }
      const before = await market.app(of.id, true).catch(() => market.app(of.id))
      return { id: of.id, state: of.state, before }
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
  const { id, state, before } = found.data
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
  return frame(<Wizard file={file} existing={id} published={state === 'published'} before={before} close={close} />)
}

type Draft = Omit<About, 'description' | 'run'> & { kind: AppKind; description: string; cover: Blob | null; proof: Proof }
type Proof = { on: boolean; file: string | null; scenario: string | null; seed: number; ticks: number }

type WizardProps = { file: Source; existing: string | null; published: boolean; before: AppInfo | null; close: () => void }

function Wizard({ file, existing, published, before, close }: WizardProps) {
  const { t } = useLingui()
  const phone = useIsPhone()
  const queries = useQueryClient()
  const [step, setStep] = useState(0)
  const [draft, setDraft] = useState<Draft>(() => begun(file, before))
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
  const last = step === 4

  /** Records the run, and brings everything to the server; nobody else sees it yet. */
  const prepare = async (): Promise<AppInfo> => {
    stop.current = new AbortController()
    setBusy('record')
    const run = await recorded(draft, models.data ?? [], stop.current.signal)
    setBusy('send')
    const { kind, cover, proof: _, description, ...rest } = draft
    const about: About = { ...rest, name: rest.name.trim(), description: richOf(description), run }
    const info = published ? await market.update(id, about) : await market.prepare(id, file.id, kind, about)
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
    if (prepared === null) await prepare()
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
        onChange={next => (next < step || (missing === null && noPages === null)) && setStep(next)}
      />
      <div className={style['form']} role="group" aria-label={titles[step] ?? ''}>
        {step === 0 ? <Basic draft={draft} change={edit} file={file} before={before} fixed={published} /> : null}
        {step === 1 ? <Pages draft={draft} change={edit} file={file} models={models.data} /> : null}
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
      {step === 1 && noPages !== null ? <p className={style['hint']}>{noPages}</p> : null}
      <footer className={style['wizardFoot']}>
        {step === 0 ? <Button onClick={close}>{t`Cancel`}</Button> : <Button onClick={() => setStep(step - 1)}>{t`Back`}</Button>}
        {last ? (
          <>
            <Button loading={busy !== null} disabled={prepared !== null} onClick={() => attempt(async () => setPrepared(await prepare()))}>
              {busy === 'record' ? t`Recording the run …` : prepared === null ? t`Prepare and test` : t`Prepared`}
            </Button>
            <Button type="primary" disabled={!agreed} loading={busy !== null} onClick={() => attempt(publish)}>
              {published ? t`Publish the new version` : t`Publish`}
            </Button>
          </>
        ) : (
          <Button
            type="primary"
            disabled={(step === 0 && missing !== null) || (step === 1 && noPages !== null)}
            onClick={() => setStep(step + 1)}
          >
            {t`Next`}
          </Button>
        )}
      </footer>
    </div>
  )
}

function begun(file: Source, before: AppInfo | null): Draft {
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
    proof: { on: true, file: run?.file ?? null, scenario: run?.scenario ?? null, seed: run?.seed ?? 1, ticks: run?.ticks ?? TICKS },
  }
}

type FoundModel = { id: string; name: string; file: HoloFile; scenarios: { id: string; name: string }[] }

/** The models whose run can be recorded: the file itself, or those it brought along before. */
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

type StepProps = { draft: Draft; change: (part: Partial<Draft>) => void }

function Basic({ draft, change, file, before, fixed }: StepProps & { file: Source; before: AppInfo | null; fixed: boolean }) {
  const { t } = useLingui()
  const words = useWords()
  const kinds = publishedAs[file.kind] ?? []
  const shown = useMemo(() => (draft.cover === null ? null : URL.createObjectURL(draft.cover)), [draft.cover])
  useEffect(() => () => void (shown !== null && URL.revokeObjectURL(shown)), [shown])
  const notes: Record<AppKind, string> = {
    model: t`People run it here, look into it and take copies.`,
    dashboard: t`People use it here, with its models, and take copies.`,
    project: t`All files of the folder together.`,
    app: t`A page to be used: shown and run, without a way inside.`,
  }
  return (
    <>
      {kinds.length < 2 ? null : (
        <Radio.Group
          aria-label={t`Published as`}
          value={draft.kind}
          disabled={fixed}
          onChange={event => {
            const kind = kinds.find(one => one === event.target.value) ?? draft.kind
            change({ kind, pages: { ...draft.pages, copies: kind !== 'app' } })
          }}
          options={kinds.map(value => ({ value, label: words(appKindLabels[value]) }))}
        />
      )}
      <p className={style['hint']}>{notes[draft.kind]}</p>
      <label>
        <Trans>Name</Trans>
        <Input value={draft.name} maxLength={MARKET.nameLength} onChange={event => change({ name: event.target.value })} />
      </label>
      <label>
        <Trans>In one sentence</Trans>
        <Input
          value={draft.summary}
          maxLength={MARKET.summaryLength}
          showCount
          placeholder={t`What it shows, and what to try`}
          onChange={event => change({ summary: event.target.value })}
        />
      </label>
      <label>
        <Trans>Description</Trans>
        <Input.TextArea
          value={draft.description}
          maxLength={8000}
          autoSize={{ minRows: 4, maxRows: 12 }}
          placeholder={t`What is in it, where it comes from, how to read it. An empty line begins a paragraph.`}
          onChange={event => change({ description: event.target.value })}
        />
      </label>
      <div className={style['coverField']}>
        <span className={style['coverShown']}>
          {shown === null ? (
            <AppCover
              app={{ id: before?.id ?? file.id, cover: before?.cover ?? null, topic: draft.topic, version: before?.version ?? 1 }}
              draft={before !== null && before.state === 'publishing'}
            />
          ) : (
            <img src={shown} alt={t`Cover`} className={style['coverImage']} />
          )}
        </span>
        <div>
          <PictureField label={t`Choose a cover`} icon={<UploadOutlined aria-hidden />} shape={COVER} chosen={cover => change({ cover })} />
          <p className={style['hint']}>
            <Trans>JPEG or PNG, at most 5 MB. Without one the file’s cover is taken, or a picture of the topic.</Trans>
          </p>
        </div>
      </div>
    </>
  )
}

function Pages({ draft, change, file, models }: StepProps & { file: Source; models: FoundModel[] | undefined }) {
  const { t } = useLingui()
  const scenarios = file.kind === 'model' ? (models?.[0]?.scenarios ?? []) : []
  const { pages } = draft
  const all = pages.scenarios === null
  return (
    <>
      {file.kind === 'model' ? (
        <>
          <Radio.Group
            vertical
            aria-label={t`Scenarios`}
            value={all ? 'all' : 'some'}
            onChange={event =>
              change({ pages: { ...pages, scenarios: event.target.value === 'all' ? null : scenarios.map(one => one.id) } })
            }
            options={[
              { value: 'all', label: t`All scenarios` },
              { value: 'some', label: t`Only some: the others are left out, with all that is in them` },
            ]}
          />
          {all ? null : (
            <Checkbox.Group
              className={style['indent'] ?? ''}
              value={pages.scenarios ?? []}
              options={scenarios.map(one => ({ value: one.id, label: one.name }))}
              onChange={chosen => change({ pages: { ...pages, scenarios: chosen } })}
            />
          )}
        </>
      ) : (
        <p>
          {file.kind === 'dashboard' ? (
            <Trans>The dashboard and the models it runs are published together, as they are now.</Trans>
          ) : (
            <Trans>Everything in the folder is published together, as it is now.</Trans>
          )}
        </p>
      )}
      <Checkbox
        checked={pages.copies}
        disabled={draft.kind === 'app'}
        onChange={event => change({ pages: { ...pages, copies: event.target.checked } })}
      >
        <Trans>People may take copies into their workspaces</Trans>
      </Checkbox>
      <p className={style['hint']}>
        <Trans>What is published never changes. The history of the file, deleted parts and comments stay with you.</Trans>
      </p>
    </>
  )
}

function IncentiveStep({ draft, change }: StepProps) {
  const { t } = useLingui()
  const { incentive } = draft
  return (
    <>
      <label>
        <Trans>Price</Trans>
        <InputNumber value={PRICE} disabled aria-label={t`Price`} suffix={t`coins`} />
      </label>
      <Alert type="info" showIcon title={t`Store does not support charge mode.`} description={t`Everything in it is free for now.`} />
      <label>
        <Trans>Referral reward coefficient: {incentive.referral} %</Trans>
        <Slider
          min={0}
          max={MARKET.referral}
          step={1}
          value={incentive.referral}
          tooltip={{ formatter: value => `${value ?? 0} %` }}
          aria-label={t`Referral reward coefficient`}
          onChange={referral => change({ incentive: { price: PRICE, referral } })}
        />
      </label>
      <p className={style['hint']}>
        <Trans>
          The share of what you earn with it that goes to whoever brought the person. It is recorded now, and counts once there are prices.
        </Trans>
      </p>
    </>
  )
}

function Topic({ draft, change }: StepProps) {
  const { t } = useLingui()
  const words = useWords()
  return (
    <>
      <label>
        <Trans>Topic</Trans>
        <Select
          value={draft.topic}
          aria-label={t`Topic`}
          virtual={false}
          options={appTopics.map(value => ({ value, label: words(appTopicLabels[value]) }))}
          onChange={(topic: AppTopic) => change({ topic })}
        />
      </label>
      <label>
        <Trans>Tags</Trans>
        <Select
          mode="tags"
          value={draft.tags}
          aria-label={t`Tags`}
          maxCount={MARKET.tags}
          tokenSeparators={[',', '，', ';']}
          placeholder={t`Words people search for`}
          open={false}
          suffixIcon={null}
          onChange={(tags: string[]) => change({ tags: tags.map(tag => tag.trim().slice(0, MARKET.tagLength)).filter(tag => tag !== '') })}
        />
      </label>
      <label>
        <Trans>Licence</Trans>
        <Select
          value={draft.licence}
          aria-label={t`Licence`}
          options={appLicences.map(value => ({ value, label: words(appLicenceLabels[value]) }))}
          onChange={(licence: AppLicence) => change({ licence })}
        />
      </label>
      <p className={style['hint']}>
        {draft.kind === 'dashboard' ? (
          <Trans>It comes up in the store and among the dashboards.</Trans>
        ) : (
          <Trans>It comes up in the store.</Trans>
        )}
      </p>
    </>
  )
}

type OutProps = StepProps & {
  models: FoundModel[] | undefined
  published: boolean
  prepared: AppInfo | null
  agreed: boolean
  agree: (on: boolean) => void
}

function Out({ draft, change, models, published, prepared, agreed, agree }: OutProps) {
  const { t } = useLingui()
  const { proof } = draft
  const model = models?.find(one => one.id === proof.file) ?? models?.[0]
  const open = (model?.scenarios ?? []).filter(one => draft.pages.scenarios === null || draft.pages.scenarios.includes(one.id))
  const set = (part: Partial<Proof>): void => change({ proof: { ...proof, ...part } })
  return (
    <>
      {published ? (
        <label>
          <Trans>What is new in this version</Trans>
          <Input.TextArea
            value={draft.notes}
            maxLength={MARKET.notesLength}
            rows={2}
            onChange={event => change({ notes: event.target.value })}
          />
        </label>
      ) : null}
      {model === undefined ? null : (
        <fieldset className={style['field']}>
          <legend>
            <Checkbox checked={proof.on} onChange={event => set({ on: event.target.checked })}>
              <SafetyCertificateOutlined aria-hidden /> <Trans>Record a run, for the badge “Verified”</Trans>
            </Checkbox>
          </legend>
          {proof.on ? (
            <>
              <p className={style['hint']}>
                <Trans>
                  It is run once in this browser; the server makes it again and gives the badge when both end in the same world.
                </Trans>
              </p>
              <div className={style['choices']}>
                <label>
                  <Trans>Scenario</Trans>
                  <Select
                    value={(open.find(one => one.id === proof.scenario) ?? open[0])?.id}
                    aria-label={t`Scenario`}
                    popupMatchSelectWidth={false}
                    options={open.map(({ id, name }) => ({ value: id, label: name }))}
                    onChange={(scenario: string) => set({ scenario, file: model.id })}
                  />
                </label>
                <label>
                  <Trans>Seed</Trans>
                  <InputNumber
                    value={proof.seed}
                    min={0}
                    max={0xffff_ffff}
                    precision={0}
                    aria-label={t`Seed`}
                    onChange={seed => set({ seed: seed ?? 1 })}
                  />
                </label>
                <label>
                  <Trans>Ticks</Trans>
                  <InputNumber
                    value={proof.ticks}
                    min={1}
                    max={MARKET.proofTicks}
                    precision={0}
                    aria-label={t`Ticks`}
                    onChange={ticks => set({ ticks: ticks ?? TICKS })}
                  />
                </label>
              </div>
            </>
          ) : null}
        </fieldset>
      )}
      {prepared === null ? null : (
        <Alert
          type="success"
          showIcon
          title={t`Prepared: only you see it.`}
          action={
            <a href={`/embed_test_marketapp/${prepared.id}`} target="_blank" rel="noreferrer">
              <Trans>Test it</Trans>
            </a>
          }
        />
      )}
      <Checkbox checked={agreed} onChange={event => agree(event.target.checked)}>
        <Trans>It is mine to publish, under the licence I chose, and it breaks nobody’s rights.</Trans>
      </Checkbox>
    </>
  )
}
