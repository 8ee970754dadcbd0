import { defineConfig } from '@playwright/test';

/**
 * Runs against a service that is up: `npm test` starts one on free ports with a fresh DATA_DIR and
 * hands over its addresses (BASE_URL, CDN_URL, RTMP_URL, DATABASE_URL, DATA_DIR).
 */

/**
 * Tests that kill a process of the service, and tests that measure what it promises within seconds: `npm run test:full`
 * runs them last, when nothing else needs the service or the machine.
 */
const alone = /@alone/;

const executablePath = process.env.CHROMIUM_PATH;

export default defineConfig({
  testDir: 'e2e',
  outputDir: 'test-results',
  fullyParallel: false,
  // The service, PostgreSQL and the browser of one page keep two cores busy.
  workers: process.env.FULL ? 4 : 2,
  retries: 0,
  forbidOnly: true,
  // Bounds for a machine that has other work, not measures.
  timeout: 300_000,
  expect: { timeout: 120_000 },
  reporter: 'list',
  use: {
    baseURL: process.env.BASE_URL ?? 'http://localhost:3000',
    // It records every step of every test, and pictures of it: asked for where one is to be looked into.
    trace: process.env.PLAYWRIGHT_TRACE ? 'retain-on-failure' : 'off',
    screenshot: 'only-on-failure',
    // A button that is not there fails the test in two minutes instead of five.
    actionTimeout: 120_000,
    // What fades or turns is painted sixty times a second, by the processor; first-minutes.spec.ts has it all.
    contextOptions: { reducedMotion: 'reduce' },
    // Tests stand between a page and its server, where a service worker would be, too. outage.full.spec.ts allows it.
    serviceWorkers: 'block',
    launchOptions: {
      ...(executablePath ? { executablePath } : {}),
      // A closed network and a machine without GPU; autoplay as for a person who clicked before.
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
  // Streams take their time and pages take the processor, so both go on at once. Streams in one worker: what one of their
  // tests counts, such as the processes below live, must be its own.
  projects: [
    { name: 'api', testMatch: 'api/**/*.spec.ts', workers: 1 },
    { name: 'media', testMatch: 'media/**/*.spec.ts', grepInvert: alone, workers: 1 },
    // Minutes of watching, in which next to nothing happens on this machine.
    { name: 'watching', testMatch: 'watching/**/*.spec.ts', workers: 1 },
    { name: 'dashboard', testMatch: 'dashboard/**/*.spec.ts', workers: process.env.FULL ? 2 : 1 },
    {
      name: 'alone',
      testMatch: 'media/**/*.spec.ts',
      grep: alone,
      workers: 1,
      dependencies: ['api', 'media', 'watching', 'dashboard'],
    },
  ],
});
