import { expect, test } from 'vitest';
import type { WorkerContext } from '@/lib/domain/context';
import { runDeletions } from './delete-old-files';

test('a failed deletion does not stop later deletions, but fails the sweep', async () => {
  const lines: [string, object][] = [];
  const log = {
    info: (fields: object, message: string) => lines.push([message, fields]),
    warn: (fields: object, message: string) => lines.push([message, fields]),
  };
  const full = new Error('disk full');
  const sweep = runDeletions({ log } as unknown as WorkerContext, 'storage', {
    uploads: () => Promise.reject(full),
    logos: () => Promise.resolve(2),
    posters: () => Promise.resolve(0),
  });
  await expect(sweep).rejects.toBe(full);
  expect(lines).toEqual([
    ['old files not deleted', { sweep: 'storage', files: 'uploads', err: full }],
    ['old files deleted', { sweep: 'storage', files: 'logos', count: 2 }],
  ]);
});
