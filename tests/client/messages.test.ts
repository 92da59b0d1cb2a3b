// The messages people are shown when something is refused: each of the product's catalogue that belongs to accounts, workspaces,
// files and sharing has a code of the server, and words in both languages.
import { describe, expect, it } from 'vitest'
import { ApiError } from '../../client/api.ts'
import { setLocale } from '../../client/i18n/locale.ts'
import { wordsOfError } from '../../client/ui/notices.ts'
import { quantityLabels } from '../../model-schema/plans.ts'
import { ERROR_CODES } from '../../sync-server/protocol.ts'
import type { ErrorCode } from '../../sync-server/protocol.ts'

/** What is said, by code: the words that must be in it, in English and Chinese. */
const catalogue: readonly (readonly [ErrorCode | 'network', RegExp, RegExp])[] = [
  ['account-or-password', /Account or password error/, /账号或密码/],
  ['not-activated', /not activated.*email/i, /未激活.*邮箱/],
  ['registered-not-activated', /has been registered.*email/i, /已注册.*邮/],
  ['account-exists', /already exists/, /已存在/],
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
      expect(en).toContain(label.en)
      expect(en).toMatch(/limit of the subscription \(3\) is reached/)
      expect(en).toMatch(/Upgrade to \w+/)
      expect(zh).toContain(label.zh)
    }
    const of = async (limit: { quantity: string; allowed: number }) => (await inBoth(new ApiError('limit-reached', 402, '', { limit }))).en
    expect(await of({ quantity: 'links', allowed: 100 })).toMatch(/limit/)
    expect(await of({ quantity: 'files', allowed: 30 })).toMatch(/Files.*30.*Basic/)
  })

  it('name the addresses that are none, and the workspaces in the way', async () => {
    const bad = new ApiError('addresses-invalid', 400, '', { named: ['ann', '@x'] })
    expect((await inBoth(bad)).en).toContain('ann, @x')
    expect((await inBoth(new ApiError('owns-workspaces', 409, '', { named: ['Lab'] }))).zh).toContain('Lab')
    expect((await inBoth(new ApiError('addresses-empty', 400))).en).toMatch(/at least one/)
  })
})
