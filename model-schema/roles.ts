// Permissions by role, as one table that the server enforces and the client draws from. A role is held in a space (workspace) or on a
// single file; the caller passes the greatest of those that apply.
import { say, type Words } from './words.ts'

/** Roles, greatest first. Spaces use all but `commenter`, which a share of a single file may give. */
export const roles = ['owner', 'manager', 'editor', 'commenter', 'viewer'] as const
export type Role = (typeof roles)[number]

/** What the roles are called. */
export const roleLabels: Readonly<Record<Role, Words>> = {
  owner: say('Owner'),
  manager: say('Manager'),
  editor: say('Editor'),
  commenter: say('Commenter'),
  viewer: say('Viewer'),
}

/**
 * Restrictions that a manager of a file may put on one person there, and in a folder on everything in it; least strict first. `only-view`:
 * only viewing and running, no copies either. `cannot-view`: it does not exist for them. `cannot-view-or-remove`: nor may they remove a
 * folder that holds it.
 */
export const restrictions = ['only-view', 'cannot-view', 'cannot-view-or-remove'] as const
export type Restriction = (typeof restrictions)[number]

export const restrictionLabels: Readonly<Record<Restriction, Words>> = {
  'only-view': say('Only view'),
  'cannot-view': say('Cannot view'),
  'cannot-view-or-remove': say('Cannot view or remove'),
}

/** The role that is left of one. Managers and the owner can't be restricted: they would lift it. */
export function restrictedRole(role: Role | null, restriction: Restriction | null): Role | null {
  if (restriction === null || isAtLeast(role, 'manager')) return role
  return role !== null && restriction === 'only-view' ? 'viewer' : null
}

/** What may be done with a file, and what with a space. */
export type Action = keyof typeof least

/** The least role for each action; what else it takes is in `explain`. */
export const least = {
  // Files: models, experiments, charts, dashboards, folders, libraries.
  view: 'viewer',
  run: 'viewer',
  comment: 'commenter',
  edit: 'editor',
  rename: 'editor',
  tag: 'editor',
  move: 'editor',
  trash: 'editor',
  restore: 'editor',
  restoreVersion: 'editor',
  createVersion: 'editor',
  /** A copy inside the space. */
  copy: 'viewer',
  /** A copy into another space, or a download. */
  copyOut: 'viewer',
  /** A copy into one's own personal space. */
  copyToPersonal: 'viewer',
  /** Inviting collaborators and making links for people outside. */
  share: 'manager',
  embed: 'manager',
  publish: 'manager',
  publishDashboard: 'manager',
  /** Taking a publication off the shelf, whatever the space has switched off since. */
  unpublish: 'manager',
  deleteForever: 'manager',
  unlock: 'editor',
  // Spaces.
  viewMembers: 'viewer',
  auditLog: 'manager',
  createFile: 'editor',
  emptyTrash: 'manager',
  tagSets: 'editor',
  invite: 'manager',
  answerJoinRequest: 'manager',
  changeRole: 'manager',
  removeMember: 'manager',
  leave: 'viewer',
  settings: 'manager',
  changeType: 'owner',
  transfer: 'owner',
  deleteSpace: 'owner',
} as const satisfies Record<string, Role>

/** Switches of a team or organization that open it to the outside; each is on by default. */
/** Some switches of a space. */
export type SwitchChanges = { [S in keyof Switches]?: boolean | undefined }

export type Switches = {
  copyFiles: boolean
  shareFiles: boolean
  publishDashboard: boolean
  submitMarket: boolean
  copyBlocks: boolean
  copyLibraries: boolean
  copyEmbedLink: boolean
  /** For members, and for collaborators from outside. */
  copyToPersonal: boolean
  copyToPersonalCollaborators: boolean
  /** Collaborators from outside and share links reach files at all. */
  externalAccess: boolean
}

export const openSwitches: Switches = {
  copyFiles: true,
  shareFiles: true,
  publishDashboard: true,
  submitMarket: true,
  copyBlocks: true,
  copyLibraries: true,
  copyEmbedLink: true,
  copyToPersonal: true,
  copyToPersonalCollaborators: false,
  externalAccess: true,
}

const spaceTypes = ['personal', 'team', 'organization'] as const
export type SpaceType = (typeof spaceTypes)[number]

export type Actor = {
  /** The greatest role that applies here; null when none does. */
  role: Role | null
  /** A collaborator from outside the space. */
  external?: boolean
  /** What was taken from them here; `role` is what is left. */
  restriction?: Restriction | null
}

/** The subject of the action, as far as relevant. */
export type Subject = {
  /** The type of the space; a personal one has no switches and no members but its owner. */
  space?: SpaceType
  /** Switches of the space, for actions that lead out of it. */
  switches?: SwitchChanges
  /** The sort of file that is copied out. */
  file?: 'block' | 'library' | 'other'
  inTrash?: boolean
  /** Downloaded from the market: may not be published again. */
  fromMarket?: boolean
  /** The current role of the member to be changed or removed, and the new role. */
  member?: Role
  to?: Role
  /** The member is the acting user. */
  isSelf?: boolean
}

/** The greater of two roles; null is none at all. */
export function greatest(a: Role | null, b: Role | null): Role | null {
  if (a === null || b === null) return a ?? b
  return roles.indexOf(a) <= roles.indexOf(b) ? a : b
}

/** Whether `role` is `wanted` or greater. */
export const isAtLeast = (role: Role | null, wanted: Role): boolean => role !== null && roles.indexOf(role) <= roles.indexOf(wanted)

/** Why an action is refused. */
type Hindrance =
  | 'no-role'
  | 'small-role'
  | 'outsider'
  | 'in-trash'
  | 'closed'
  | 'from-market'
  | 'owner'
  | 'oneself'
  | 'too-great'
  | 'personal'
  | 'restricted'

/** What `explain` answers: whether, and why in a sentence. `needs` is the least role when the role is what is missing. */
export type Explanation =
  | { readonly allowed: true; readonly because: Words }
  | { readonly allowed: false; readonly why: Hindrance; readonly because: Words; readonly needs?: Role | undefined }

/** Whether the actor may do this. False when in doubt. */
export const can = (actor: Actor, action: Action, subject: Subject = {}): boolean => explain(actor, action, subject).allowed

/** Affairs of the space that are for its members only, files' places in it included. */
const inside: ReadonlySet<Action> = new Set<Action>([
  ...(['move', 'trash', 'restore', 'deleteForever'] as const),
  ...(['viewMembers', 'auditLog', 'createFile', 'emptyTrash', 'tagSets', 'invite', 'answerJoinRequest', 'changeRole'] as const),
  ...(['removeMember', 'leave', 'settings', 'changeType', 'transfer', 'deleteSpace'] as const),
])

/** What a personal space has no use for. */
const shared: ReadonlySet<Action> = new Set<Action>([
  'invite',
  'answerJoinRequest',
  'changeRole',
  'removeMember',
  'leave',
  'changeType',
  'transfer',
  'deleteSpace',
])

const copies: ReadonlySet<Action> = new Set<Action>(['copy', 'copyOut', 'copyToPersonal'])

const inTrash: ReadonlySet<Action> = new Set<Action>(['view', 'restore', 'deleteForever', 'emptyTrash'])

/** Whether the actor may do this, and why or why not: the one table behind every permission. */
export function explain(actor: Actor, action: Action, subject: Subject = {}): Explanation {
  const { role, external = false, restriction = null } = actor
  if (role !== null && restriction !== null && copies.has(action)) return onlyViewed
  if (role === null) return no('no-role', say('You have no role here.'))
  const needs = subject.inTrash && action === 'view' ? least.restore : least[action]
  if (!isAtLeast(role, needs)) {
    const because = say('This takes the role {roleLabel}; yours is {roleLabel2}.', {
      roleLabel: roleLabels[needs],
      roleLabel2: roleLabels[role],
    })
    return { ...no('small-role', because), needs }
  }
  const isOpen = (name: keyof Switches): boolean => subject.space === 'personal' || (subject.switches?.[name] ?? openSwitches[name])
  if (external && (inside.has(action) || (subject.inTrash && action === 'view')))
    return no('outsider', say('Only members of the space may do this.'))
  if (external && !isOpen('externalAccess')) return closed
  if (subject.inTrash && !inTrash.has(action)) return no('in-trash', say('It is in the trash. Restore it first.'))
  if (subject.space === 'personal' && shared.has(action)) return no('personal', say('A personal space has one member.'))
  const needed = switchFor(action, subject, external)
  if (needed !== null && !isOpen(needed)) return closed
  if ((action === 'publish' || action === 'publishDashboard') && subject.fromMarket)
    return no('from-market', say('Files downloaded from the market cannot be published again.'))
  if (action === 'changeRole' || action === 'removeMember') {
    if (subject.member === 'owner' || subject.to === 'owner') return no('owner', say('Nobody changes the owner; ownership is transferred.'))
    if (action === 'changeRole' && subject.to !== undefined && !isAtLeast(role, subject.to))
      return no('too-great', say('Nobody gives more than they have.'))
    if (action === 'removeMember' && subject.isSelf) return no('oneself', say('To go yourself, leave the space.'))
  }
  if (action === 'leave' && role === 'owner') return no('owner', say('The owner transfers the space first.'))
  return { allowed: true, because: say('Your role is {roleLabel}.', { roleLabel: roleLabels[role] }) }
}

/** The switch that must be on for an action that leads out of the space; null when none matters. */
function switchFor(action: Action, subject: Subject, external: boolean): keyof Switches | null {
  switch (action) {
    case 'copyOut':
      return subject.file === 'block' ? 'copyBlocks' : subject.file === 'library' ? 'copyLibraries' : 'copyFiles'
    case 'copyToPersonal':
      return external ? 'copyToPersonalCollaborators' : 'copyToPersonal'
    case 'share':
      return 'shareFiles'
    case 'embed':
      return 'copyEmbedLink'
    case 'publish':
      return 'submitMarket'
    case 'publishDashboard':
      return 'publishDashboard'
    default:
      return null
  }
}

const no = (why: Hindrance, because: Words) => ({ allowed: false, why, because }) as const

const onlyViewed = no('restricted', say('You may only view this.'))

const closed = no('closed', say('The space has switched this off.'))
