import { setTimeout as delay } from 'node:timers/promises';
import { beforeEach, expect, test, vi } from 'vitest';
import type { SystemContext } from '@/lib/domain/context';
import { createLogger } from '@/lib/infra/logger';
import * as streams from '@/lib/domain/streams';
import { LiveRecord } from './live-record';

vi.mock('@/lib/domain/streams', () => ({ markActive: vi.fn(), markIdle: vi.fn(), reportIssues: vi.fn() }));

const publish = {
  streamId: 's',
  playbackId: 'p',
  sessionId: 'x',
  publishNumber: 3,
  publishedAt: new Date(0),
  settings: { version: 0, profiles: [], record: false },
};
const writes: string[] = [];
let away = false;
const write = (name: string) => () => {
  if (away) return Promise.reject(new Error('away'));
  writes.push(name);
  return Promise.resolve(true);
};

beforeEach(() => {
  writes.length = 0;
  away = false;
  vi.mocked(streams.markActive).mockImplementation(write('active'));
  vi.mocked(streams.markIdle).mockImplementation(write('idle'));
  vi.mocked(streams.reportIssues).mockImplementation(write('issues') as never);
});

function record(signal = new AbortController().signal): LiveRecord {
  const log = createLogger('test', 'silent');
  return new LiveRecord({ log } as unknown as SystemContext, 'node', signal);
}

test('writes are in order, and only for the current publish', async () => {
  const live = record();
  live.active(publish, ['slow']);
  live.issues(publish, []);
  await live.idle(publish);
  expect(writes).toEqual(['active', 'issues', 'idle']);
  expect(vi.mocked(streams.markActive).mock.lastCall?.[1]).toEqual({
    streamId: 's',
    nodeId: 'node',
    publishNumber: 3,
    issues: ['slow'],
  });
});

test('active and idle are retried until they are written, issues are written once', async () => {
  away = true;
  const live = record();
  live.active(publish, []);
  live.issues(publish, ['slow']);
  const idle = live.idle(publish);
  await delay(50);
  expect(writes).toEqual([]);
  away = false;
  await idle;
  expect(writes).toEqual(['active', 'issues', 'idle']);
});

test('issues do not accumulate while the database is unavailable', async () => {
  away = true;
  const live = record();
  live.active(publish, []);
  for (let i = 0; i < 1_000; i++) live.issues(publish, [`${i}`]);
  away = false;
  await live.idle(publish);
  expect(writes.at(-1)).toBe('idle');
  expect(writes.length).toBeLessThan(40);
});

test('retries end with the process', async () => {
  away = true;
  const exiting = new AbortController();
  const live = record(exiting.signal);
  const idle = live.idle(publish);
  await delay(50);
  exiting.abort();
  await idle;
  expect(writes).toEqual([]);
});
