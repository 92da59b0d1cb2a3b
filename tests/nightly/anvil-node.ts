// Foundry's anvil as a child process: a node that runs revm, the machine of many real nodes. It listens on a free port of this machine.
import { execFileSync, spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Post } from '../../sim-engine/chain/fork/node.ts'

const version = '1.7.1'

/** Installs anvil into a folder of its own: it is no package of the project. Gives the path of the program. */
export function installAnvil(folder: string): string {
  execFileSync('npm', ['install', '--prefix', folder, '--no-save', '--no-audit', '--no-fund', `@foundry-rs/anvil@${version}`], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const packages = join(folder, 'node_modules', '@foundry-rs')
  const native = readdirSync(packages).find(name => name.startsWith('anvil-'))
  if (native === undefined) throw new Error(`there is no anvil for ${process.platform} on ${process.arch}`)
  return join(packages, native, 'bin', process.platform === 'win32' ? 'anvil.exe' : 'anvil')
}

export type Call = { readonly method: string; readonly params: readonly unknown[] }
type Answer = { readonly id: number; readonly result?: unknown; readonly error?: { readonly message: string } }

export class Refused extends Error {}

export class Anvil {
  readonly url: string
  readonly #child: ChildProcess

  private constructor(child: ChildProcess, url: string) {
    this.#child = child
    this.url = url
  }

  static async start(program: string, options: readonly string[]): Promise<Anvil> {
    const child = spawn(program, ['--port', '0', ...options], { stdio: ['ignore', 'pipe', 'inherit'] })
    child.on('error', error => console.error(`anvil: ${error.message}`))
    for await (const line of createInterface({ input: child.stdout! })) {
      const port = /Listening on 127\.0\.0\.1:(\d+)/.exec(line)?.[1]
      if (port === undefined) continue
      // What it says later is not read, but has to go somewhere.
      child.stdout!.resume()
      return new Anvil(child, `http://127.0.0.1:${port}/`)
    }
    throw new Error('anvil ended before it listened')
  }

  async #fetch(body: unknown): Promise<unknown> {
    const response = await fetch(this.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!response.ok) throw new Error(`anvil answered with status ${response.status}`)
    return response.json()
  }

  /** Requests together, in their order. Throws Refused where anvil does not do one. */
  async all(calls: readonly Call[]): Promise<unknown[]> {
    if (calls.length === 0) return []
    const answers = (await this.#fetch(calls.map((call, id) => ({ jsonrpc: '2.0', id, ...call })))) as Answer[]
    const byId = new Map(answers.map(answer => [answer.id, answer]))
    return calls.map(({ method }, id) => {
      const { error, result } = byId.get(id)!
      if (error) throw new Refused(`${method}: ${error.message}`)
      return result
    })
  }

  async ask(method: string, ...params: unknown[]): Promise<unknown> {
    return (await this.all([{ method, params }]))[0]
  }

  /** How a recording is read. */
  get post(): Post {
    return async body => {
      const response = await fetch(this.url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
      return { status: response.status, text: await response.text(), retryAfter: null }
    }
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return
    const ended = new Promise(done => this.#child.once('exit', done))
    this.#child.kill()
    await ended
  }
}
