// The five steps of publishing, each a form over the draft.
import { SafetyCertificateOutlined, UploadOutlined } from '@ant-design/icons'
import { Trans, useLingui } from '@lingui/react/macro'
import { Alert, Checkbox, Input, InputNumber, Radio, Select, Slider } from 'antd'
import { useEffect, useMemo } from 'react'
import type { HoloFile } from '../../../model-schema/file.ts'
import {
  MARKET,
  PRICE,
  appKindLabels,
  appLicenceLabels,
  appLicences,
  appTopicLabels,
  appTopics,
  publishedAs,
} from '../../../model-schema/business/market.ts'
import type { AppKind, AppLicence, AppTopic } from '../../../model-schema/business/market.ts'
import { useWords } from '../../i18n/locale.ts'
import { PictureField } from '../../workspace/picture/PictureField.tsx'
import { Alike } from './Alike.tsx'
import { AppCover } from '../AppCover.tsx'
import type { VersionInput, AppInfo } from '../market.ts'
import style from '../store.module.css'
import { defined } from '../../ui/defined.ts'

/** The file that is published. */
export type Source = { id: string; name: string; kind: string }

/** What is entered. */
export type Draft = Omit<VersionInput, 'description' | 'run'> & {
  kind: AppKind
  description: string
  cover: Blob | null
  proof: Proof
  /** Models outside of the file that are published along. */
  models: string[]
}
/** A model outside of the file that something in it runs. */
export type AlongModel = { id: string; name: string; elsewhere: boolean }
/** The run to be recorded. */
type Proof = { on: boolean; file: string | null; scenario: string | null; seed: number; ticks: number }

export type FoundModel = { id: string; name: string; file: HoloFile; scenarios: { id: string; name: string }[] }

const COVER = { width: 1280, height: 800 }
/** Ticks of the recorded run, unless changed. */
export const TICKS = 1000

type StepProps = { draft: Draft; change: (part: Partial<Draft>) => void }

export function Basic({ draft, change, file, before, fixed }: StepProps & { file: Source; before: AppInfo | null; fixed: boolean }) {
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

type PagesProps = StepProps & { file: Source; models: FoundModel[] | undefined; along: readonly AlongModel[] }

export function Pages({ draft, change, file, models, along }: PagesProps) {
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
      {along.length === 0 ? null : (
        <fieldset className={style['field']}>
          <legend>
            <Trans>Models that are published along with it</Trans>
          </legend>
          <p className={style['hint']}>
            <Trans>Anybody who edits the file can name a model in it. Tick each one that you want everybody to see.</Trans>
          </p>
          <Checkbox.Group
            className={style['indent'] ?? ''}
            value={draft.models}
            options={along.map(({ id, name, elsewhere }) => ({ value: id, label: elsewhere ? t`${name} (in another workspace)` : name }))}
            onChange={chosen => change({ models: chosen })}
          />
        </fieldset>
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

export function IncentiveStep({ draft, change }: StepProps) {
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

export function Topic({ draft, change }: StepProps) {
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

export function Out({ draft, change, models, published, prepared, agreed, agree }: OutProps) {
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
                    {...defined({ value: (open.find(one => one.id === proof.scenario) ?? open[0])?.id })}
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
      {prepared?.like ? <Alike app={prepared} like={prepared.like} /> : null}
      <Checkbox checked={agreed} onChange={event => agree(event.target.checked)}>
        <Trans>It is mine to publish, under the licence I chose, and it breaks nobody’s rights.</Trans>
      </Checkbox>
    </>
  )
}
