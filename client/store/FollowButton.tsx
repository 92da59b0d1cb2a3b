import { CheckOutlined, PlusOutlined } from '@ant-design/icons'
import { Trans } from '@lingui/react/macro'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Button } from 'antd'
import { useIdentity } from '../account/identity.ts'
import { complain } from '../ui/toast.ts'
import { market } from './market.ts'

/** Follows an author, or stops. A visitor is asked to sign in. */
export function FollowButton({ id, following, small = false }: { id: string; following: boolean; small?: boolean }) {
  const { me } = useIdentity()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const turn = useMutation({
    mutationFn: (on: boolean) => market.follow(id, on),
    onError: complain,
    onSettled: () => queries.invalidateQueries({ queryKey: ['market'] }),
  })
  const on = turn.isPending ? turn.variables : following
  const press = (): void => {
    if (me === null) void navigate({ to: '/login', search: { to: location.pathname } })
    else turn.mutate(!on)
  }
  return (
    <Button
      size={small ? 'small' : 'middle'}
      aria-pressed={on}
      icon={on ? <CheckOutlined aria-hidden /> : <PlusOutlined aria-hidden />}
      onClick={press}
    >
      {on ? <Trans>Following</Trans> : <Trans context="author">Follow</Trans>}
    </Button>
  )
}
