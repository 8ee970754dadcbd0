import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { SystemContext } from '@/lib/domain/context';
import type { TargetReport } from '@/lib/domain/streams';
import { TargetReports } from './target-reports';

beforeAll(() => {
  vi.useFakeTimers();
});
afterAll(() => {
  vi.useRealTimers();
});
const warnings: unknown[] = [];
const ctx = { log: { warn: (...args: unknown[]) => warnings.push(args) } } as unknown as SystemContext;
const report = (bitrate: number): TargetReport => ({
  streamId: 's',
  targetId: 't',
  profile: 'source',
  nodeId: 'n',
  state: 'connected',
  bitrate,
});

test('reports are written in order, and retried until they succeed', async () => {
  const writtenBitrates: (number | undefined)[] = [];
  let isDatabaseAway = true;
  const reports = new TargetReports(ctx, ({ bitrate }) => {
    if (isDatabaseAway) return Promise.reject(new Error('the database is away'));
    writtenBitrates.push(bitrate);
    return Promise.resolve();
  });
  for (const bitrate of [1, 2, 3]) reports.add(report(bitrate));
  await vi.advanceTimersByTimeAsync(2_500);
  expect(writtenBitrates).toEqual([]);
  expect(warnings).toHaveLength(1);
  isDatabaseAway = false;
  await vi.advanceTimersByTimeAsync(1_000);
  expect(writtenBitrates).toEqual([1, 2, 3]);
});

test('only the newest reports of a long outage are kept', async () => {
  const writtenBitrates: (number | undefined)[] = [];
  let isDatabaseAway = true;
  const reports = new TargetReports(ctx, ({ bitrate }) => {
    if (isDatabaseAway) return Promise.reject(new Error('the database is away'));
    writtenBitrates.push(bitrate);
    return Promise.resolve();
  });
  for (let bitrate = 0; bitrate < 100; bitrate++) reports.add(report(bitrate));
  await vi.advanceTimersByTimeAsync(1_500);
  isDatabaseAway = false;
  await vi.advanceTimersByTimeAsync(2_000);
  expect(writtenBitrates.length).toBeLessThanOrEqual(8);
  expect(writtenBitrates.at(-1)).toBe(99);
});

test('after close, a failed write is not retried and no other report is written', async () => {
  const write = vi.fn(() => Promise.reject(new Error('away')));
  const reports = new TargetReports(ctx, write);
  reports.add(report(1));
  const closing = reports.close();
  reports.add(report(2));
  await vi.advanceTimersByTimeAsync(5_000);
  await closing;
  expect(write).toHaveBeenCalledTimes(1);
});
