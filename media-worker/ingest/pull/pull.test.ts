import { expect, test } from 'vitest';
import { systemClock } from '@/lib/infra/clock';
import { createLogger } from '@/lib/infra/logger';
import { Pull } from './pull';

test('an error of this machine, for example a full disk, is reported as a temporary interruption', async () => {
  const fullDisk = () => Promise.reject(new Error('ENOSPC: no space left on device'));
  let markFailed = (): void => undefined;
  const hasFailed = new Promise<void>((resolve) => (markFailed = resolve));
  const pull: Pull = new Pull({
    lease: {
      streamId: 'a-stream',
      version: '1',
      startedAt: Date.now(),
      streamKey: 'a-key',
      source: 'srt://media.example.com:9000',
      headers: {},
    },
    clients: {
      egress: { fetch: fullDisk, close: () => Promise.resolve() },
      sockets: { resolve: fullDisk, connect: fullDisk },
      isOwn: () => Promise.resolve(false),
    },
    admit: () => Promise.resolve(null),
    clock: systemClock,
    log: createLogger('test', 'silent'),
    onReport: () => {
      if (pull.takeReport()?.state === 'waiting') markFailed();
    },
    onExpired: () => undefined,
  });
  await hasFailed;
  // The callback has taken the report already.
  pull.keepReport();
  expect(pull.takeReport()?.error).toBe(
    'Pull: pulling from media.example.com was interrupted on this server. It restarts automatically.',
  );
  await expect(pull.stop('finished')).resolves.toBeUndefined();
});
