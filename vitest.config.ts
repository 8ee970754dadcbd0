import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

const pages = '{app,components}/**/*.dom.test.tsx';
/** A file that replaces a module must not share its modules with others. */
const replacing = ['app', 'components']
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

/**
 * How long a test waits for what will happen: bounds for a machine that has other work, not measures. What is promised
 * within some time says so itself.
 */
const patience = {
  testTimeout: 600_000,
  hookTimeout: 240_000,
  expect: { poll: { interval: 50, timeout: 240_000 } },
};

/**
 * `pure` needs nothing; `components` renders in a DOM without a browser; `socket` listens on loopback or starts a process; `media` runs the real ffmpeg; `db` has the
 * PostgreSQL that scripts/testing/database.ts starts for the run.
 *
 * Where `isolate` is false, the files of one worker share the modules they load: loading them takes longer than most
 * tests. What a test changes in its process it therefore puts back. `media` measures memory and
 * `components` replaces modules, so their files have their own.
 */
export default defineConfig({
  test: {
    // Compiled modules by their content: a run of all tests is a dozen processes that need the same ones.
    experimental: { fsModuleCache: true, fsModuleCachePath: join(import.meta.dirname, '.cache', 'vitest') },
    projects: [
      {
        resolve: { alias },
        test: {
          ...patience,
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
          ...patience,
          name: 'components',
          include: [pages],
          exclude: replacing,
          environment: 'happy-dom',
          setupFiles: ['components/testing/set-up.ts'],
          isolate: false,
        },
      },
      {
        resolve: { alias },
        test: {
          ...patience,
          name: 'replaced',
          include: replacing,
          environment: 'happy-dom',
          setupFiles: ['components/testing/set-up.ts'],
        },
      },
      {
        resolve: { alias },
        test: {
          ...patience,
          name: 'socket',
          include: ['{lib,media-worker,web,scripts}/**/*.socket.test.ts'],
          isolate: false,
        },
      },
      {
        resolve: { alias },
        test: {
          ...patience,
          name: 'media',
          include: ['media-worker/**/*.media.test.ts'],
        },
      },
      {
        resolve: { alias },
        test: {
          ...patience,
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
