import { defineConfig } from 'vitest/config';

const alias = { '@': import.meta.dirname };

/** `pure` needs nothing; `db` needs the PostgreSQL that vitest.db-setup.ts starts for the run. */
export default defineConfig({
  test: {
    projects: [
      {
        resolve: { alias },
        test: {
          name: 'pure',
          include: ['{lib,media-worker,web,components,scripts,app}/**/*.test.{ts,tsx}'],
          exclude: ['**/*.db.test.ts'],
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
