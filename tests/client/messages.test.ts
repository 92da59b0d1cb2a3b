// The messages people are shown when something is refused: each of the product's catalogue that belongs to accounts, workspaces,
// files and sharing has a code of the server, and words in both languages.
import { chinese } from '../help/languages.ts'
import { describe, expect, it } from 'vitest'
import { ApiError } from '../../client/api.ts'
import { setLocale } from '../../client/i18n/locale.ts'
import { offerFor, wordsOfError } from '../../client/ui/notices.ts'
import { assetLabels, assets } from '../../model-schema/business/coins.ts'
import { featureLabels, quantityLabels } from '../../model-schema/business/plans.ts'
import { refusals } from '../../model-schema/business/subscription.ts'
import { ERROR_CODES } from '../../sync-server/protocol.ts'
import type { ErrorCode } from '../../sync-server/protocol.ts'
import { english } from '../../model-schema/words.ts'

/** What is said, by code: the words that must be in it, in English and Chinese. */
const catalogue: readonly (readonly [ErrorCode | 'network', RegExp, RegExp])[] = [
  ['account-or-password', /Account or password error/, /账号或密码/],
  ['not-activated', /not activated.*email/i, /未激活.*邮箱/],
  ['registered-not-activated', /has been registered.*email/i, /已注册.*邮/],
  ['account-exists', /already exists/, /已存在/],
  ['nickname-taken', /has this nickname already/, /昵称/],
  ['account-locked', /locked/, /锁定/],
  ['invitation-invalid', /Invitation code is invalid/, /邀请码/],
  ['verification-invalid', /Verification code is invalid/, /验证码/],
  ['invalid-params', /Invalid params/, /参数/],
  ['unavailable', /busy.*later/i, /繁忙.*稍后/],
  ['unexpected', /later/, /稍后/],
  ['too-many-requests', /Wait/, /稍|等/],
  ['old-password-incorrect', /old password is incorrect/, /旧密码/],
  ['password-unchanged', /must differ/, /不能.*相同/],
  ['disclaimer-required', /disclaimer/, /免责声明/],
  ['activation-invalid', /empty or invalid/, /激活码/],
  ['activation-expired', /expired/, /过期/],
  ['already-activated', /already activated/i, /已激活/],
  ['user-not-registered', /not registered/, /未注册|没有注册/],
  ['already-member', /Already a member/, /已是成员|已经是成员/],
  ['already-collaborator', /Already a collaborator/, /已是协作者|已经是协作者/],
  ['no-permission', /No permission/, /没有.*权限|无权/],
  ['not-found', /does not exist/, /不存在/],
  ['network', /Network error; try again after restoring the network/, /网络.*恢复/],
  ['storage-full', /storage is full/, /存储空间已满|空间/],
  ['embed-closed', /closed/, /关闭/],
  ['embed-invalid', /Invalid embed code/, /嵌入.*无效|无效.*嵌入/],
  ['embed-limit', /limit of embed links is exceeded/, /嵌入.*上限|超/],
  ['invitation-answered', /already accepted or rejected/, /接受或拒绝/],
  ['invitation-closed', /not valid any more/, /失效|无效/],
  ['request-pending', /asked to join already/, /申请/],
  ['request-answered', /answered already/, /处理|答复/],
  ['name-taken', /already used/, /已.*使用|占用/],
  ['name-empty', /cannot be empty/, /不能为空/],
  ['name-mismatch', /does not match/, /不一致|不匹配|不符/],
  ['same-place', /already/, /已.*此|已在/],
  ['folder-invalid', /does not exist/, /不存在/],
  ['tag-invalid', /at most one tag/, /一个标签/],
  ['image-invalid', /JPEG or PNG.*5 MB/, /5 MB.*JPEG.*PNG/],
  ['model-in-use', /used by an experiment, dashboard or chart/, /实验.*仪表板/],
  ['model-linked', /cannot be changed/, /不能更改|无法更改/],
  ['share-invalid', /not valid/, /无效|关闭/],
  ['share-expired', /expired/, /过期/],
  ['share-password-wrong', /password/, /密码/],
  ['share-used-up', /as often as it may/, /次/],
]

async function inBoth(error: ApiError): Promise<{ en: string; zh: string }> {
  await setLocale('zh-CN')
  const zh = wordsOfError(error)
  await setLocale('en-US')
  return { en: wordsOfError(error), zh }
}

describe('messages', () => {
  it.each(catalogue)('%s', async (code, english, chinese) => {
    const { en, zh } = await inBoth(new ApiError(code, code === 'network' ? 0 : ERROR_CODES[code]))
    expect(en).toMatch(english)
    expect(zh).toMatch(chinese)
  })

  it('exist in Chinese for every code of the server', async () => {
    for (const code of Object.keys(ERROR_CODES) as ErrorCode[]) {
      const { en, zh } = await inBoth(new ApiError(code, ERROR_CODES[code]))
      expect(zh, code).toMatch(/[\u4e00-\u9fff]/)
      expect(zh, code).not.toBe(en)
    }
  })

  it('name the limit that is reached, how much it is, and the plan with more', async () => {
    for (const [quantity, label] of Object.entries(quantityLabels)) {
      const { en, zh } = await inBoth(new ApiError('limit-reached', 402, '', { limit: { quantity, allowed: 3 } }))
      expect(en).toContain(english(label))
      expect(en).toMatch(/limit of the subscription \(3\) is reached/)
      expect(en).toMatch(/Upgrade to \w+/)
      expect(zh).toContain(chinese(label))
    }
    const of = async (limit: { quantity: string; allowed: number }) =>
      english(await inBoth(new ApiError('limit-reached', 402, '', { limit })))
    // What has the same bound on every plan is not sold.
    expect(await of({ quantity: 'links', allowed: 100 })).toMatch(/room for 100 here/)
    expect(offerFor(new ApiError('limit-reached', 402, '', { limit: { quantity: 'links', allowed: 100 } }))).toBeNull()
    expect(await of({ quantity: 'files', allowed: 30 })).toMatch(/Files.*30.*Basic/)
  })

  it('say whose limit it is, which feature is missing and which plan has it', async () => {
    const owners = new ApiError('limit-reached', 402, '', { limit: { quantity: 'externalEditors', allowed: 2, isOwners: true } })
    expect(english(await inBoth(owners))).toMatch(/External editor seats.*owner.*2/)
    expect(offerFor(owners)).toBeNull()
    for (const [feature, label] of Object.entries(featureLabels)) {
      const { en, zh } = await inBoth(new ApiError('plan-lacks-feature', 402, '', { feature }))
      expect(en).toContain(english(label))
      expect(en).toMatch(/Upgrade to \w+/)
      expect(zh).toContain(chinese(label))
    }
  })

  it('say what is missing, for each asset, and lead to where it can be had', async () => {
    for (const asset of assets) {
      const code = asset === 'coins' ? 'not-enough-coins' : 'not-enough-items'
      const error = new ApiError(code, 402, '', { missing: { asset, needed: 7, has: 2 } })
      const { en, zh } = await inBoth(error)
      expect(en).toMatch(
        asset === 'coins' ? /Not enough coins: 7 .* 2/ : new RegExp(`Not enough items .${english(assetLabels[asset])}.: 7 .* 2`),
      )
      expect(zh).toContain(chinese(assetLabels[asset]))
      expect(offerFor(error)?.to).toBe('/account/shop')
    }
    expect(english(await inBoth(new ApiError('owner-lacks-coins', 402, '', { missing: { asset: 'coins', needed: 7, has: 2 } })))).toMatch(
      /owner of the workspace lacks coins: 7/,
    )
    expect(english(await inBoth(new ApiError('unavailable', 503)))).toMatch(/^System busy/)
    for (const code of ['limit-reached', 'plan-lacks-feature', 'embed-limit', 'storage-full'] as const)
      expect(offerFor(new ApiError(code, 402))?.to).toBe('/account/subscription')
    expect(offerFor(new ApiError('not-found', 404))).toBeNull()
  })

  it('say why a subscription does not support a change', async () => {
    for (const [why, words] of Object.entries(refusals)) {
      const { en, zh } = await inBoth(new ApiError('change-unsupported', 409, '', { why }))
      expect(en).toBe(`The subscription does not support this change. ${english(words)}`)
      expect(zh).toContain(chinese(words))
    }
  })

  it('name the addresses that are none, and the workspaces in the way', async () => {
    const bad = new ApiError('addresses-invalid', 400, '', { named: ['ann', '@x'] })
    expect(english(await inBoth(bad))).toContain('ann, @x')
    expect(chinese(await inBoth(new ApiError('owns-workspaces', 409, '', { named: ['Lab'] })))).toContain('Lab')
    expect(english(await inBoth(new ApiError('addresses-empty', 400)))).toMatch(/at least one/)
  })
})
