import { expect, test } from 'vitest';
import { readRows } from '@/lib/infra/db';
import { readSettings } from '@/lib/infra/env';
import { createLogger } from '@/lib/infra/logger';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { createWorkerContext } from './worker-context';

test('a process opens as many connections as DATABASE_POOL_SIZE allows', async () => {
  const { db } = createWorkerContext(
    readSettings({
      DATABASE_URL: await createTestDatabase(),
      DATABASE_POOL_SIZE: '4',
      DATA_DIR: '/nonexistent',
      APP_SECRET: 'secret'.repeat(6),
    }),
    createLogger('test', 'silent'),
  );
  try {
    const text = 'select pg_backend_pid() as "pid" from pg_sleep(0.1)';
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => readRows<{ pid: number }>(db, { text, values: [] })),
    );
    expect(new Set(answers.map(([row]) => row?.pid)).size).toBe(4);
  } finally {
    await db.$disconnect();
  }
});
