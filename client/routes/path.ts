// Paths: which ones people may be sent back to, and where unknown ones lead.

/** A path of this app to go to, from outside; null when it isn't one (another site, a script, a sign-in page). */
export function safePath(value: unknown): string | null {
  if (typeof value !== 'string' || value.length > 2000) return null
  // `//host` and `/\host` leave the site in some browsers.
  if (!/^\/(?![/\\])/.test(value)) return null
  return /^\/(login|register|forgotpassword|activate_account)(\/|\?|$)/.test(value) ? null : value
}

/** The redirect for a path without a route: extra segments are dropped from routes that allow it, all else goes home. */
export function knownPath(path: string): string {
  if (path.startsWith('/login/')) return '/login'
  return /^\/(modeling|file|lib|star_block|experimenting)\/[^/]+\/[^/]+(?=\/)/.exec(path)?.[0] ?? '/'
}
