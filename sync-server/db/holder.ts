// Shows that a process is running on a data folder: a local socket that it listens on for as long as it runs, whatever its database does. The
// operating system closes it with the process, so a left-over file accepts no connection and is replaced.
import { createHash } from 'node:crypto'
import { chmod, lstat, mkdir, rm } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { join, resolve } from 'node:path'

const ANSWER_MS = 1000

function nameOf(dataFolder: string): string {
  return `holarchy-${createHash('sha256').update(resolve(dataFolder)).digest('hex').slice(0, 16)}-server`
}

async function addressOf(dataFolder: string): Promise<string> {
  if (process.platform === 'win32') return `\\\\.\\pipe\\${nameOf(dataFolder)}`
  // A socket path has at most 107 bytes, so it is not inside the data folder.
  const folder = `/tmp/${nameOf(dataFolder)}`
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const { uid } = await lstat(folder)
  if (uid !== process.getuid?.()) throw new Error(`${folder} belongs to somebody else; remove it`)
  await chmod(folder, 0o700)
  return join(folder, 'alive')
}

/** The description of the process that runs on the folder; null when there is none. */
export async function holderOf(dataFolder: string): Promise<string | null> {
  const address = await addressOf(dataFolder)
  return new Promise(done => {
    const socket = connect(address)
    let said = ''
    socket.setTimeout(ANSWER_MS)
    socket.on('data', (chunk: Buffer) => void (said += chunk.toString()))
    socket.on('end', () => done(said))
    // It has the socket and is too busy to answer: it lives.
    socket.on('timeout', () => {
      socket.destroy()
      done(said === '' ? 'holarchy, busy' : said)
    })
    socket.on('error', () => done(null))
  })
}

/** Answers connections, until `end`. To be called by the process that has claimed the folder's database: only one does at a time. */
export async function sayHolding(dataFolder: string, describe: () => string): Promise<{ end(): Promise<void> }> {
  const address = await addressOf(dataFolder)
  if (process.platform !== 'win32') await rm(address, { force: true })
  const server = createServer(socket => {
    socket.on('error', () => {})
    socket.end(describe())
  })
  await new Promise<void>((done, fail) => {
    server.once('error', fail)
    server.listen(address, done)
  })
  server.unref()
  return {
    end: async () => {
      await new Promise<void>(done => server.close(() => done()))
    },
  }
}
