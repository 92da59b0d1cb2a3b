// Roles, plans and limits: the rules the server enforces and the client shows.
import { chinese } from '../help/languages.ts'
import { describe, expect, it } from 'vitest'
import { IMAGE, PASSWORD, TOAST, VERSION_POLL_MS, CELL_COORDINATES_MAX, CHUNK_TIMEOUT_MS } from '../../model-schema/business/limits.ts'
import { allows, levels, payerOf, plans, planWith, quantityLabels, type Quantity } from '../../model-schema/business/plans.ts'
import { can, explain, greatest, least, isAtLeast, openSwitches, roles, type Action, type Role } from '../../model-schema/roles.ts'
import { english } from '../../model-schema/words.ts'

const may = (role: Role | null, action: Action): boolean => can({ role }, action)

describe('roles', () => {
  it('let each do what the next lower may, and nobody without a role anything', () => {
    const actions: Action[] = [
      'view',
      'run',
      'comment',
      'edit',
      'rename',
      'move',
      'trash',
      'share',
      'publish',
      'deleteForever',
      'createFile',
      'invite',
      'settings',
      'deleteSpace',
    ]
    for (const action of actions) {
      const allowed = roles.map(role => may(role, action))
      expect(allowed).toEqual(allowed.toSorted((a, b) => Number(b) - Number(a)))
      expect(may('owner', action)).toBe(true)
      expect(may(null, action)).toBe(false)
    }
  })

  it('draw the lines where they belong', () => {
    expect(
      ['view', 'comment', 'edit', 'share', 'deleteSpace'].map(action => roles.filter(role => may(role, action as Action)).length),
    ).toEqual([5, 4, 3, 2, 1])
  })

  it('let managers manage all but the owner, and give nobody more than they have', () => {
    const manager = { role: 'manager' as const }
    expect(can(manager, 'changeRole', { member: 'editor', to: 'manager' })).toBe(true)
    expect(can(manager, 'changeRole', { member: 'owner', to: 'viewer' })).toBe(false)
    expect(can({ role: 'owner' }, 'changeRole', { member: 'manager', to: 'owner' })).toBe(false)
    expect(can(manager, 'removeMember', { member: 'owner' })).toBe(false)
    expect(can(manager, 'removeMember', { member: 'manager' })).toBe(true)
    expect(can({ role: 'owner' }, 'leave')).toBe(false)
    expect(can({ role: 'viewer' }, 'leave')).toBe(true)
  })

  it('keep inside what a space has closed, and collaborators out of its affairs', () => {
    const owner = { role: 'owner' as const }
    const doors: [Action, keyof typeof openSwitches, object?][] = [
      ['copyOut', 'copyFiles'],
      ['copyOut', 'copyBlocks', { file: 'block' }],
      ['copyOut', 'copyLibraries', { file: 'library' }],
      ['share', 'shareFiles'],
      ['embed', 'copyEmbedLink'],
      ['publish', 'submitMarket'],
      ['publishDashboard', 'publishDashboard'],
      ['copyToPersonal', 'copyToPersonal'],
    ]
    for (const [action, name, subject] of doors) {
      expect(can(owner, action, { ...subject, switches: openSwitches })).toBe(true)
      expect(can(owner, action, { ...subject, switches: { ...openSwitches, [name]: false } })).toBe(false)
    }
    expect(can({ role: 'editor', external: true }, 'copyToPersonal')).toBe(false)
    expect(can({ role: 'manager', external: true }, 'invite')).toBe(false)
    expect(can({ role: 'manager', external: true }, 'edit')).toBe(true)
  })

  it('leave files in the trash and files from the market alone', () => {
    expect(can({ role: 'owner' }, 'edit', { inTrash: true })).toBe(false)
    expect(can({ role: 'editor' }, 'restore', { inTrash: true })).toBe(true)
    expect(can({ role: 'owner' }, 'publish', { fromMarket: true })).toBe(false)
  })

  it('say why, in both languages, and agree with what they allow', () => {
    expect(explain({ role: null }, 'view')).toMatchObject({ allowed: false, why: 'no-role' })
    expect(explain({ role: 'viewer' }, 'edit')).toMatchObject({ allowed: false, why: 'small-role', needs: 'editor' })
    expect(explain({ role: 'editor', external: true }, 'trash')).toMatchObject({ why: 'outsider' })
    expect(explain({ role: 'owner' }, 'edit', { inTrash: true })).toMatchObject({ why: 'in-trash' })
    expect(explain({ role: 'owner' }, 'share', { switches: { shareFiles: false } })).toMatchObject({ why: 'closed' })
    expect(explain({ role: 'owner' }, 'share', { switches: { shareFiles: false }, space: 'personal' }).allowed).toBe(true)
    expect(explain({ role: 'viewer', external: true }, 'view', { switches: { externalAccess: false } })).toMatchObject({ why: 'closed' })
    expect(explain({ role: 'owner' }, 'invite', { space: 'personal' })).toMatchObject({ why: 'personal' })
    expect(explain({ role: 'manager' }, 'changeRole', { member: 'owner' })).toMatchObject({ why: 'owner' })
    expect(explain({ role: 'manager' }, 'removeMember', { isSelf: true })).toMatchObject({ why: 'oneself' })
    expect(explain({ role: 'owner' }, 'leave')).toMatchObject({ why: 'owner' })
    for (const action of Object.keys(least) as Action[]) {
      for (const role of [null, ...roles]) {
        for (const external of [false, true]) {
          const { allowed, because } = explain({ role, external }, action)
          expect(can({ role, external }, action)).toBe(allowed)
          expect([english(because), chinese(because)].every(text => text.length > 3)).toBe(true)
        }
      }
    }
  })

  it('show what lies in the trash to those who may take it out', () => {
    expect(can({ role: 'editor' }, 'view', { inTrash: true })).toBe(true)
    expect(can({ role: 'viewer' }, 'view', { inTrash: true })).toBe(false)
    expect(can({ role: 'editor', external: true }, 'view', { inTrash: true })).toBe(false)
  })

  it('compare', () => {
    expect(greatest('viewer', 'manager')).toBe('manager')
    expect(greatest(null, 'viewer')).toBe('viewer')
    expect(greatest(null, null)).toBeNull()
    expect(isAtLeast('editor', 'commenter')).toBe(true)
    expect(isAtLeast(null, 'viewer')).toBe(false)
  })
})

describe('plans', () => {
  it('allow more the higher they are', () => {
    const quantities = Object.keys(quantityLabels).filter((key): key is Quantity => key in plans.free)
    for (const quantity of quantities) {
      const values = levels.map(level => plans[level][quantity] ?? Infinity)
      expect({ quantity, values }).toEqual({ quantity, values: values.toSorted((a, b) => a - b) })
    }
    const numbers = Object.entries(plans.free).filter(([, value]) => typeof value === 'number')
    expect(numbers.map(([key]) => key).toSorted()).toEqual([...quantities].toSorted())
    for (const [i, level] of levels.entries())
      for (const feature of plans[levels[i - 1] ?? level].features) expect(plans[level].features).toContain(feature)
  })

  it('know which one to ask for', () => {
    expect(allows(plans.free, 'files', 30)).toBe(true)
    expect(allows(plans.free, 'files', 31)).toBe(false)
    expect(allows(plans.unlimited, 'files', 1e9)).toBe(true)
    expect(planWith('learning')?.level).toBe('plus')
    expect(planWith({ quantity: 'files', wanted: 31 })?.level).toBe('basic')
    expect(planWith({ quantity: 'storageGB', wanted: 1e9 })?.level).toBe('custom')
  })
})

describe('who pays', () => {
  it('is the owner of an organization; elsewhere the owner for storage and seats, each member for the rest', () => {
    expect(payerOf('organization', 'files')).toBe('owner')
    expect(payerOf('team', 'files')).toBe('actor')
    expect(payerOf('team', 'storageGB')).toBe('owner')
    expect(payerOf('team', 'teamMembers')).toBe('owner')
    expect(payerOf('personal', 'cloudHoursPerYear')).toBe('actor')
  })
})

describe('limits', () => {
  it('are those of the product', () => {
    expect([
      PASSWORD.min,
      PASSWORD.max,
      IMAGE.maxBytes,
      CELL_COORDINATES_MAX,
      TOAST.messageMs,
      TOAST.notificationMs,
      VERSION_POLL_MS,
      CHUNK_TIMEOUT_MS,
    ]).toEqual([6, 128, 5 * 2 ** 20, 500, 3000, 4500, 30_000, 120_000])
  })
})
