// A Redis for tests. A real one when there is one (`redis-server` in the path, or REDIS_SERVER names it); otherwise a small substitute that
// speaks as much of its protocol (RESP2) as publish and subscribe take. Its lines can be cut and its port taken up again.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, constants } from 'node:fs'
import { createServer } from 'node:net'
import type { AddressInfo, Server, Socket } from 'node:net'
import { delimiter, join } from 'node:path'

export type TestRedis = {
  url: string
  /** The server is gone, and comes back on the same port. */
  down(): Promise<void>
  up(): Promise<void>
  stop(): Promise<void>
}

export async function startRedis(): Promise<TestRedis> {
  const binary = redisBinary()
  return binary === null ? standIn() : realRedis(binary)
}

/** Where a real server is; null when there is none. */
export function redisBinary(): string | null {
  const named = process.env['REDIS_SERVER']
  if (named !== undefined && named !== '') return named
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    for (const name of ['redis-server', 'valkey-server']) {
      try {
        accessSync(join(folder, name), constants.X_OK)
        return join(folder, name)
      } catch {
        // Not here.
      }
    }
  }
  return null
}

async function realRedis(binary: string): Promise<TestRedis> {
  const port = await freePort()
  const start = async () => {
    const child = spawn(binary, ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await new Promise<void>((done, fail) => {
      child.stdout.on('data', (text: Buffer) => text.includes('Ready to accept connections') && done())
      child.on('error', fail)
      child.on('exit', code => fail(new Error(`${binary} ended with ${code}`)))
    })
    return child
  }
  let child = await start()
  const down = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, 'exit')
    child.kill('SIGKILL')
    await gone
  }
  return {
    url: `redis://127.0.0.1:${port}`,
    down,
    up: async () => {
      child = await start()
    },
    stop: down,
  }
}

async function standIn(): Promise<TestRedis> {
  const channels = new Map<string, Set<Socket>>()
  const sockets = new Set<Socket>()
  let server = listener(channels, sockets)
  await listen(server, 0)
  const { port } = server.address() as AddressInfo
  const down = async (): Promise<void> => {
    for (const socket of sockets) socket.destroy()
    if (server.listening) await new Promise(done => server.close(done))
  }
  return {
    url: `redis://127.0.0.1:${port}`,
    down,
    up: async () => {
      server = listener(channels, sockets)
      await listen(server, port)
    },
    stop: down,
  }
}

function listener(channels: Map<string, Set<Socket>>, sockets: Set<Socket>): Server {
  return createServer(socket => {
    sockets.add(socket)
    socket.setNoDelay(true)
    const mine = new Set<string>()
    const forget = (channel: string): void => {
      mine.delete(channel)
      channels.get(channel)?.delete(socket)
    }
    socket.on('error', () => socket.destroy())
    socket.on('close', () => {
      sockets.delete(socket)
      for (const channel of mine) forget(channel)
    })
    const confirm = (kind: string, channel: string): void => {
      socket.write(`*3\r\n${bulk(kind)}${bulk(channel)}:${mine.size}\r\n`)
    }
    const obey = ([name = Buffer.alloc(0), ...args]: Buffer[]): void => {
      const texts = args.map(String)
      switch (String(name).toUpperCase()) {
        case 'PING':
          socket.write(mine.size > 0 ? `*2\r\n${bulk('pong')}${bulk('')}` : '+PONG\r\n')
          break
        case 'CLIENT':
        case 'SELECT':
          socket.write('+OK\r\n')
          break
        case 'SUBSCRIBE':
          for (const channel of texts) {
            mine.add(channel)
            channels.set(channel, (channels.get(channel) ?? new Set()).add(socket))
            confirm('subscribe', channel)
          }
          break
        case 'UNSUBSCRIBE':
          for (const channel of texts) {
            forget(channel)
            confirm('unsubscribe', channel)
          }
          break
        case 'PUBLISH': {
          const [channel = '', body = Buffer.alloc(0)] = [texts[0], args[1]]
          const hearers = channels.get(channel) ?? new Set()
          const head = `*3\r\n${bulk('message')}${bulk(channel)}$${body.length}\r\n`
          for (const hearer of hearers) hearer.write(Buffer.concat([Buffer.from(head), body, Buffer.from('\r\n')]))
          socket.write(`:${hearers.size}\r\n`)
          break
        }
        default:
          socket.write(`-ERR unknown command '${String(name)}'\r\n`)
      }
    }
    let rest: Buffer = Buffer.alloc(0)
    socket.on('data', (data: Buffer) => {
      rest = Buffer.concat([rest, data])
      for (let read = readCommand(rest); read !== null; read = readCommand(rest)) {
        rest = rest.subarray(read.length)
        obey(read.command)
      }
    })
  })
}

const bulk = (text: string): string => `$${Buffer.byteLength(text)}\r\n${text}\r\n`

/** The first whole command, an array of bulk strings; null when there is none yet. */
function readCommand(bytes: Buffer): { command: Buffer[]; length: number } | null {
  let at = 0
  const number = (): number | null => {
    const end = bytes.indexOf('\r\n', at)
    if (end < 0) return null
    const value = Number(bytes.subarray(at + 1, end).toString())
    at = end + 2
    return value
  }
  const count = number()
  if (count === null) return null
  const command: Buffer[] = []
  for (let i = 0; i < count; i++) {
    const length = number()
    if (length === null || bytes.length < at + length + 2) return null
    command.push(Buffer.from(bytes.subarray(at, at + length)))
    at += length + 2
  }
  return { command, length: at }
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((done, fail) => {
    server.once('error', fail)
    server.listen(port, '127.0.0.1', done)
  })
}

export async function freePort(): Promise<number> {
  const server = createServer()
  await listen(server, 0)
  const { port } = server.address() as AddressInfo
  await new Promise(done => server.close(done))
  return port
}
