// Who may do what, as one table that the server enforces and the client draws from. A role is held in a space (workspace) or on a single file;
// the caller passes the greatest of those that apply.

/** Roles, greatest first. Spaces use all but `commenter`, which a share of a single file may give. */
export const roles = ['owner', 'manager', 'editor', 'commenter', 'viewer'] as const
export type Role = (typeof roles)[number]

/** What may be done with a file, and what with a space. */
export type Action = keyof typeof least

// The least role for each action.
const least = {
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
  deleteForever: 'manager',
  unlock: 'editor',
  // Spaces.
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

/** Switches of a team or organization that open it to the outside; each is on unless somebody turned it off. */
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
}

export type Actor = {
  /** The greatest role that applies here; null when none does. */
  role: Role | null
  /** A collaborator from outside the space. */
  external?: boolean
}

/** What the action is about, as far as it matters. */
export type Subject = {
  /** Switches of the space, for actions that lead out of it. */
  switches?: Partial<Switches>
  /** The sort of file that is copied out. */
  file?: 'block' | 'library' | 'other'
  inTrash?: boolean
  /** Downloaded from the market: may not be published again. */
  fromMarket?: boolean
  /** The role of the member whose role is changed or who is removed, and the one to be given. */
  member?: Role
  to?: Role
  /** The member is whoever acts. */
  isSelf?: boolean
}

/** The greater of two roles; null is none at all. */
export function greatest(a: Role | null, b: Role | null): Role | null {
  if (a === null || b === null) return a ?? b
  return roles.indexOf(a) <= roles.indexOf(b) ? a : b
}

/** Whether `role` is `wanted` or greater. */
export const isAtLeast = (role: Role | null, wanted: Role): boolean => role !== null && roles.indexOf(role) <= roles.indexOf(wanted)

/** Whether the actor may do this. False when in doubt. */
export function can(actor: Actor, action: Action, subject: Subject = {}): boolean {
  if (!isAtLeast(actor.role, least[action])) return false
  if (subject.inTrash && !['view', 'restore', 'deleteForever', 'emptyTrash'].includes(action)) return false
  const on = (name: keyof Switches): boolean => subject.switches?.[name] ?? openSwitches[name]
  switch (action) {
    case 'copyOut':
      return on(subject.file === 'block' ? 'copyBlocks' : subject.file === 'library' ? 'copyLibraries' : 'copyFiles')
    case 'copyToPersonal':
      return on(actor.external ? 'copyToPersonalCollaborators' : 'copyToPersonal')
    case 'share':
      return on('shareFiles')
    case 'embed':
      return on('copyEmbedLink')
    case 'publish':
      return on('submitMarket') && !subject.fromMarket
    case 'publishDashboard':
      return on('publishDashboard') && !subject.fromMarket
    // Members only; nobody acts on the owner, and nobody gives more than they have.
    case 'changeRole':
      return (
        !actor.external &&
        subject.member !== 'owner' &&
        subject.to !== 'owner' &&
        (subject.to === undefined || isAtLeast(actor.role, subject.to))
      )
    case 'removeMember':
      return !actor.external && subject.member !== 'owner' && !subject.isSelf
    // The owner transfers the space first.
    case 'leave':
      return actor.role !== 'owner'
    case 'createFile':
    case 'emptyTrash':
    case 'tagSets':
    case 'invite':
    case 'answerJoinRequest':
    case 'settings':
    case 'changeType':
    case 'transfer':
    case 'deleteSpace':
      return !actor.external
    default:
      return true
  }
}
