// The host names of a server without PUBLIC_URL. A page of a foreign site can make its own name point to this machine (DNS
// rebinding); it then is of the same origin as the server by that name, so a request for a foreign name is refused.
import { hostname } from 'node:os'
import { isIP } from 'node:net'

const LOOPBACK = /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|::1)$/

/**
 * Judges Host headers for a server that listens on `listensOn`. Names of this machine always pass; addresses pass when the server listens beyond
 * this machine, since a rebinding page is called by a name. Other programs may leave the header out.
 */
export function localHosts(listensOn: string): (host: string | undefined) => boolean {
  const own = listensOn.toLowerCase()
  const beyond = !LOOPBACK.test(own)
  const machine = hostname().toLowerCase()
  return host => {
    if (host === undefined) return true
    const name = /^(?:\[([\da-f:.]+)\]|([^:[\]]+))(?::\d{1,5})?$/i.exec(host)
    const asked = (name?.[1] ?? name?.[2])?.toLowerCase()
    if (asked === undefined) return false
    if (LOOPBACK.test(asked) || asked === own) return true
    return beyond && (isIP(asked) !== 0 || asked === machine || asked === `${machine}.local`)
  }
}
