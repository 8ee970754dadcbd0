import { defineConfig } from '@playwright/test';

/**
 * Runs against a running service: `npm test` starts one on free ports with an empty DATA_DIR and passes its settings
 * (BASE_URL, CDN_URL, RTMP_URL, DATABASE_URL, DATA_DIR).
 */

/**
 * Tests that kill a process of the service, and tests of latencies in seconds: `npm run test:full` runs them last, when
 * nothing else uses the service or the machine.
 */
const alone = /@alone/;

const executablePath = process.env.CHROMIUM_PATH;

export default defineConfig({
  testDir: 'e2e',
  outputDir: 'test-results',
  fullyParallel: false,
  // The service, PostgreSQL and the browser of one page keep two cores busy.
  workers: 2,
  retries: 0,
  forbidOnly: true,
  // Long timeouts for a busy machine; tests of latencies have their own limits.
  timeout: 300_000,
  expect: { timeout: 120_000, toPass: { timeout: 120_000 } },
  reporter: 'list',
  use: {
    baseURL: process.env.BASE_URL ?? 'http://localhost:3000',
    // A trace records every step of a test with screenshots, so it is only made to investigate a failure.
    trace: process.env.PLAYWRIGHT_TRACE ? 'retain-on-failure' : 'off',
    screenshot: 'only-on-failure',
    // A missing button fails the test after two minutes instead of five.
    actionTimeout: 120_000,
    // Animations are rendered sixty times a second on the CPU; only first-minutes.spec.ts enables them.
    contextOptions: { reducedMotion: 'reduce' },
    // Tests intercept requests of pages, which a service worker would handle first. Only outage.full.spec.ts allows it.
    serviceWorkers: 'block',
    launchOptions: {
      ...(executablePath ? { executablePath } : {}),
      // No background traffic, and no GPU.
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
  // Tests of streams mostly wait and tests of pages need CPU time, so both run concurrently. Tests of streams share one
  // worker, because they count things such as the child processes of live, which other tests would change.
  projects: [
    { name: 'api', testMatch: 'api/**/*.spec.ts', workers: 1 },
    { name: 'media', testMatch: 'media/**/*.spec.ts', grepInvert: alone, workers: 1 },
    // Tests that play for minutes, or in which a page encodes video. They count stalls and frames, so `npm run test:full`
    // runs them while nothing else is busy.
    { name: 'watching', testMatch: 'watching/**/*.spec.ts', workers: 1 },
    { name: 'dashboard', testMatch: 'dashboard/**/*.spec.ts', workers: 1 },
    {
      name: 'alone',
      testMatch: 'media/**/*.spec.ts',
      grep: alone,
      workers: 1,
      dependencies: ['api', 'media', 'watching', 'dashboard'],
    },
  ],
});
