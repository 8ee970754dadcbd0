import { defineConfig } from 'vitest/config';

const alias = { '@': import.meta.dirname };

/**
 * `pure` needs nothing, and its files share the modules they load; `socket` listens on loopback or starts a process;
 * `media` runs the real ffmpeg; `db` has the PostgreSQL that scripts/testing/database.ts starts for the run.
 */
export default defineConfig({
  test: {
    projects: [
      {
        resolve: { alias },
        test: {
          name: 'pure',
          include: ['{lib,media-worker,web,components,scripts,app}/**/*.test.{ts,tsx}'],
          exclude: ['**/*.{db,media,socket}.test.ts'],
          isolate: false,
        },
      },
      {
        resolve: { alias },
        test: {
          name: 'socket',
          include: ['{lib,media-worker,web,scripts}/**/*.socket.test.ts'],
        },
      },
      {
        resolve: { alias },
        test: {
          name: 'media',
          include: ['media-worker/**/*.media.test.ts'],
          testTimeout: 30_000,
        },
      },
      {
        resolve: { alias },
        test: {
          name: 'db',
          include: ['{lib,media-worker,scripts,app}/**/*.db.test.ts'],
          globalSetup: ['scripts/testing/database.ts'],
          testTimeout: 30_000,
        },
      },
    ],
  },
});
