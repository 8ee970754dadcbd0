import { defineConfig } from 'vitest/config';

const alias = { '@': import.meta.dirname };

/**
 * How long a test waits for what will happen: bounds for a machine that has other work, not measures. What is promised
 * within some time says so itself.
 */
const patience = {
  testTimeout: 600_000,
  hookTimeout: 240_000,
  expect: { poll: { interval: 50, timeout: 90_000 } },
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
    projects: [
      {
        resolve: { alias },
        test: {
          ...patience,
          name: 'pure',
          include: [
            '{lib,media-worker,web,components,scripts,app,e2e/faults,e2e/cluster}/**/*.test.{ts,tsx}',
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
          include: ['{app,components}/**/*.dom.test.tsx'],
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
          globalSetup: ['scripts/testing/database.ts'],
        },
      },
    ],
  },
});
