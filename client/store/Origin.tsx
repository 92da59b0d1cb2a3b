// The origin of a copy: its publication, its version, and whether there is a newer one.
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { market } from './market.ts'

/** A line of a list of facts; nothing for files of one's own making. */
export function Origin({ file }: { file: string }) {
  const { data } = useQuery({ queryKey: ['market', 'origin', file], queryFn: () => market.origin(file), retry: false, staleTime: 60_000 })
  if (data === undefined || data === null) return null
  const { name, author, version, newest } = data
  return (
    <>
      <dt>
        <Trans>From the store</Trans>
      </dt>
      <dd>
        <Link to="/store/recommend/app/$appId" params={{ appId: data.app }}>
          {name}
        </Link>
        {author === null ? null : (
          <>
            {' · '}
            <Link to="/store/author/$profileId" params={{ profileId: author.id }}>
              {author.name}
            </Link>
          </>
        )}
        {' · '}
        {newest > version ? (
          <Trans>
            version {version}; there is version {newest}
          </Trans>
        ) : (
          <Trans>version {version}</Trans>
        )}
      </dd>
    </>
  )
}
