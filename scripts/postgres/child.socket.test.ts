import { spawnSync } from 'node:child_process';
import { afterEach, expect, test, vi } from 'vitest';
import { killWithParent, withoutSettings } from './child';

afterEach(() => void vi.unstubAllEnvs());

test('PostgreSQL does not get the settings of the service', () => {
  vi.stubEnv('APP_SECRET', 'sesame');
  vi.stubEnv('S3_SECRET_ACCESS_KEY', 'sesame');
  const { command, args } = killWithParent(withoutSettings({ command: 'env', args: [] }));
  const { stdout } = spawnSync(command, args, { encoding: 'utf8' });
  expect(stdout).toContain('PATH=');
  expect(stdout).not.toMatch(/sesame|APP_SECRET|DATABASE_URL/);
});
