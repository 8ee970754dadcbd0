import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

const pages = '{app,components}/**/*.dom.test.tsx';
/** Test files that replace a module, which must not share modules with other files. */
const filesWithMocks = ['app', 'components']
  .flatMap((folder) =>
    readdirSync(join(import.meta.dirname, folder), { recursive: true, encoding: 'utf8' }).map(
      (path) => `${folder}/${path}`,
    ),
  )
  .filter(
    (path) =>
      path.endsWith('.dom.test.tsx') &&
      readFileSync(join(import.meta.dirname, path), 'utf8').includes('vi.mock('),
  );

const alias = { '@': import.meta.dirname };

/** Timeouts for a busy machine. Tests of latencies have their own limits. */
const timeouts = {
  testTimeout: 600_000,
  hookTimeout: 240_000,
  expect: { poll: { interval: 50, timeout: 240_000 } },
};

/**
 * `pure` needs nothing; `components` renders in a DOM without a browser, and so does `replaced`, whose tests replace
 * modules; `socket` listens on loopback or starts a process; `media` runs the real ffmpeg; `db` uses the PostgreSQL that
 * scripts/testing/database.ts starts for the run.
 *
 * If `isolate` is false, the files of one worker share loaded modules, because loading them takes longer than most tests.
 * A test must therefore undo its changes to the process. The files of `media`, which measures memory, and of `replaced` are
 * isolated.
 */
export default defineConfig({
  test: {
    // Cache of compiled modules by content: a run of all tests has a dozen processes that need the same modules.
    experimental: { fsModuleCache: true, fsModuleCachePath: join(import.meta.dirname, '.cache', 'vitest') },
    projects: [
      {
        resolve: { alias },
        test: {
          ...timeouts,
          name: 'pure',
          include: [
            '{lib,media-worker,messages,web,components,scripts,app,e2e/faults,e2e/cluster}/**/*.test.{ts,tsx}',
          ],
          exclude: ['**/*.{db,media,socket}.test.ts', '**/*.dom.test.tsx'],
          isolate: false,
        },
      },
      {
        resolve: { alias },
        test: {
          ...timeouts,
          name: 'components',
          include: [pages],
          exclude: filesWithMocks,
          environment: 'happy-dom',
          setupFiles: ['components/testing/set-up.ts'],
          isolate: false,
        },
      },
      {
        resolve: { alias },
        test: {
          ...timeouts,
          name: 'replaced',
          include: filesWithMocks,
          environment: 'happy-dom',
          setupFiles: ['components/testing/set-up.ts'],
        },
      },
      {
        resolve: { alias },
        test: {
          ...timeouts,
          name: 'socket',
          include: ['{lib,media-worker,web,scripts}/**/*.socket.test.ts'],
          isolate: false,
        },
      },
      {
        resolve: { alias },
        test: {
          ...timeouts,
          name: 'media',
          include: ['media-worker/**/*.media.test.ts'],
        },
      },
      {
        resolve: { alias },
        test: {
          ...timeouts,
          name: 'db',
          include: ['{lib,media-worker,scripts,app}/**/*.db.test.ts'],
          isolate: false,
          provide: { full: process.env.FULL === '1' },
          globalSetup: ['scripts/testing/database.ts'],
          // Vitest 4.1 reads cached modules of the global setup as bytes, and then fails on every stack trace in it. The
          // setup has something to do only where no run of all tests has started the server.
          experimental: { fsModuleCache: process.env.TEST_SERVER_URL !== undefined },
        },
      },
    ],
  },
});
