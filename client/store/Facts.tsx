// The side of a publication's page: topic, tags, licence, price; the badge with the run behind it; the reasons for its rank.
import { SafetyCertificateFilled } from '@ant-design/icons'
import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { appLicenceLabels, appLicences } from '../../model-schema/business/market.ts'
import { useLocale, useWords } from '../i18n/locale.ts'
import { When } from '../ui/When.tsx'
import { isTopic, shelfOf, topicWords } from './area.ts'
import type { Area } from './area.ts'
import type { AppInfo } from './market.ts'
import style from './store.module.css'

export function Facts({ app, area }: { app: AppInfo; area: Area }) {
  const { t } = useLingui()
  const words = useWords()
  const licence = appLicences.find(one => one === app.licence)
  return (
    <aside className={style['facts']} aria-label={t`Facts`}>
      <OwnCopies app={app} />
      <section>
        <h3>
          <Trans>Facts</Trans>
        </h3>
        <dl>
          <dt>
            <Trans>Price</Trans>
          </dt>
          <dd>
            <Trans>Free</Trans>
          </dd>
          <dt>
            <Trans>Topic</Trans>
          </dt>
          <dd>
            <Link to={shelfOf(area)} search={isTopic(app.topic) ? { topic: app.topic } : {}}>
              {words(topicWords(app.topic))}
            </Link>
          </dd>
          <dt>
            <Trans>Licence</Trans>
          </dt>
          <dd>{licence === undefined ? app.licence : words(appLicenceLabels[licence])}</dd>
          <dt>
            <Trans>Version</Trans>
          </dt>
          <dd>
            {app.version}, <When at={app.at} />
          </dd>
        </dl>
        {app.tags.length === 0 ? null : (
          <ul className={style['tags']} aria-label={t`Tags`}>
            {app.tags.map(tag => (
              <li key={tag}>
                <Link to={shelfOf(area)} search={{ tag }}>
                  #{tag}
                </Link>
              </li>
            ))}
          </ul>
        )}
      </section>
      <Proof app={app} />
      <Standing app={app} />
    </aside>
  )
}

/** The recorded run, and what came of making it again. */
function Proof({ app: { proof } }: { app: AppInfo }) {
  const { run, state, at } = proof
  return (
    <section>
      <h3>
        <Trans>Verification</Trans>
      </h3>
      <p className={style['proof']} data-state={state}>
        {state === 'verified' ? (
          <>
            <SafetyCertificateFilled aria-hidden />{' '}
            <Trans>Verified: the recorded run was made again on the server, to the same result.</Trans>
          </>
        ) : state === 'waiting' ? (
          <Trans>The recorded run is being made again …</Trans>
        ) : state === 'different' ? (
          <Trans>Not verified: made again, the recorded run came to another result.</Trans>
        ) : state === 'failed' ? (
          <Trans>Not verified: the recorded run could not be made again.</Trans>
        ) : (
          <Trans>Not verified: no run was recorded.</Trans>
        )}
      </p>
      {run === null ? null : (
        <dl>
          <dt>
            <Trans>Seed</Trans>
          </dt>
          <dd className="h-num">{run.seed}</dd>
          <dt>
            <Trans>Ticks</Trans>
          </dt>
          <dd className="h-num">{run.ticks}</dd>
          {run.hash === null ? null : (
            <>
              <dt>
                <Trans>Fingerprint</Trans>
              </dt>
              <dd>
                <code title={run.hash}>{run.hash}</code>
              </dd>
            </>
          )}
          {at === null ? null : (
            <>
              <dt>
                <Trans>Checked</Trans>
              </dt>
              <dd>
                <When at={at} />
              </dd>
            </>
          )}
        </dl>
      )}
    </section>
  )
}

/** The parts of its rank, with the product's numbers. */
function Standing({ app: { rank, counts } }: { app: AppInfo }) {
  const locale = useLocale()
  const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 })
  const factor = new Intl.NumberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 })
  const days = Math.floor(rank.days)
  const { approval, use, proof, freshness } = rank
  const total = (0.1 + approval) * use * proof * freshness
  const liked = Math.max(counts.likes, counts.favourites)
  return (
    <section>
      <h3>
        <Trans>Why it stands where it stands</Trans>
      </h3>
      <dl className={style['rank']}>
        <dt>
          <Trans>
            Approval: {liked} of {counts.views} visits
          </Trans>
        </dt>
        <dd className="h-num">{percent.format(approval)}</dd>
        <dt>
          <Trans>Use: {counts.downloads} downloads</Trans>
        </dt>
        <dd className="h-num">× {factor.format(use)}</dd>
        <dt>
          <Trans>Proof</Trans>
        </dt>
        <dd className="h-num">× {factor.format(proof)}</dd>
        <dt>
          <Trans>Freshness: {days} days old</Trans>
        </dt>
        <dd className="h-num">× {factor.format(freshness)}</dd>
        <dt>
          <Trans>Rank: (10 % + approval) × the others</Trans>
        </dt>
        <dd className="h-num">
          <b>{factor.format(total)}</b>
        </dd>
      </dl>
    </section>
  )
}

/** The current user's copies of it. */
function OwnCopies({ app }: { app: AppInfo }) {
  if (app.copies.length === 0) return null
  return (
    <section>
      <h3>
        <Trans>Your copies</Trans>
      </h3>
      <ul className={style['copies']}>
        {app.copies.map(copy => (
          <li key={copy.id}>
            {copy.kind === 'project' || copy.kind === 'folder' ? (
              <Link to="/workspace/$teamCode/project/$pId" params={{ teamCode: copy.team, pId: copy.id }}>
                {copy.name}
              </Link>
            ) : (
              <Link
                to={copy.kind === 'model' ? '/modeling/$teamCode/$modelId' : '/file/$teamCode/$modelId'}
                params={{ teamCode: copy.team, modelId: copy.id }}
              >
                {copy.name}
              </Link>
            )}
            <small>
              <Trans>version {copy.version}</Trans> · <When at={copy.at} />
            </small>
          </li>
        ))}
      </ul>
    </section>
  )
}
