// Journeys: what people do, in a real Chromium against the real server with its own embedded database.
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'playwright/test'
import { nodePort, providerPort } from './app.ts'

const chromium = [
  process.env['CHROMIUM_PATH'],
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
].find(path => path !== undefined && existsSync(path))
const port = Number(process.env['JOURNEY_PORT'] ?? 4391)

export default defineConfig({
  testDir: '.',
  testMatch: '*.journey.ts',
  workers: 1,
  timeout: 300_000,
  expect: { timeout: 45_000 },
  reporter: [['list'], ['json']],
  outputDir: '../../test-results',
  use: {
    baseURL: `http://127.0.0.1:${port}`,
    // What never comes is reported before the whole journey's time is up.
    actionTimeout: 90_000,
    locale: 'en-US',
    viewport: { width: 1440, height: 900 },
    // It fetches all 22 MB of the app in each of the hundred profiles: only journeys that cut the network allow it.
    serviceWorkers: 'block',
    // A menu that still moves is already there for a test, but no longer where it was when the button goes up again.
    contextOptions: { reducedMotion: 'reduce' },
    screenshot: 'only-on-failure',
    // A trace of every step doubles the time of a journey: TRACE=1 asks for it.
    trace: process.env['TRACE'] === '1' ? 'retain-on-failure' : 'off',
    launchOptions: {
      ...(chromium === undefined ? {} : { executablePath: chromium }),
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
  webServer: {
    command: `"${process.execPath}" ../../sync-server/start.ts`,
    env: {
      PORT: String(port),
      RATE_LIMITS: '0',
      OPERATORS: 'demo@holarchy.local',
      OUTBOUND_LOCAL: `127.0.0.1:${providerPort},127.0.0.1:${nodePort}`,
      CHAIN_NODES: join(import.meta.dirname, 'nodes.json'),
      JOURNEY_NODE: `http://127.0.0.1:${nodePort}/`,
      HOLARCHY_DATA: join(tmpdir(), `holarchy-journey-${process.pid}`),
    },
    url: `http://127.0.0.1:${port}/version.json`,
    timeout: 300_000,
    reuseExistingServer: false,
    gracefulShutdown: { signal: 'SIGTERM', timeout: 15_000 },
  },
})
