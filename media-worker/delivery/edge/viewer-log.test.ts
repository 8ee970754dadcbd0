import { beforeEach, expect, test } from 'vitest';
import { MAX_REPORTED_VIEWERS, type ReportedViewer } from '@/media-worker/kit/http/edge-report';
import { ViewerLog } from './viewer-log';

const playbackId = 'abcd1234efgh5678';
const hashOf = (index: number) => String(index).padStart(43, '0');
const assetStarts = Array.from({ length: MAX_REPORTED_VIEWERS + 1 }, (_, index): ReportedViewer => [
  playbackId,
  hashOf(index),
  'asset',
]);

/** The status of each next request; null for an upstream that does not respond. */
let statuses: (number | null)[] = [];
let posts: ReportedViewer[][] = [];

beforeEach(() => {
  statuses = [];
  posts = [];
});

function openLog(maxViewers?: number): ViewerLog {
  const post = (_target: string, body: string) => {
    const status = statuses.shift();
    if (status === null) return Promise.reject(new Error('away'));
    posts.push(JSON.parse(body) as ReportedViewer[]);
    return Promise.resolve(status ?? 204);
  };
  return new ViewerLog({
    upstream: { post },
    via: '1.1 edge',
    addressOf: () => '192.0.2.1',
    ...(maxViewers === undefined ? {} : { maxViewers }),
  });
}

test.each([null, 503])(
  'starts of assets that a failed report (%s) did not deliver are in the next one',
  async (failureStatus) => {
    const log = openLog();
    log.receive(assetStarts, true);
    statuses = [204, failureStatus];
    await expect(log.report()).rejects.toThrow();
    posts = [];
    await log.report();
    expect(posts).toEqual([assetStarts.slice(MAX_REPORTED_VIEWERS)]);
  },
);

test('starts of assets that a failed report did not deliver are dropped beyond the limit of viewers', async () => {
  const log = openLog(3);
  log.receive(assetStarts.slice(0, 2), true);
  statuses = [null];
  const report = log.report();
  log.receive(assetStarts.slice(2, 4), true);
  await expect(report).rejects.toThrow();
  await log.report();
  expect(posts).toEqual([[assetStarts[2], assetStarts[3], assetStarts[0]]]);
});

test('viewers of a stream are not reported again after a failed report: those who left must not count later', async () => {
  const log = openLog();
  log.receive([[playbackId, hashOf(1)]], true);
  statuses = [null];
  await expect(log.report()).rejects.toThrow();
  await log.report();
  expect(posts).toEqual([]);
});

test('a report that the upstream cannot read is not repeated, so that later ones arrive', async () => {
  const log = openLog();
  log.receive(assetStarts, true);
  statuses = [400];
  await expect(log.report()).rejects.toThrow();
  posts = [];
  await log.report();
  expect(posts).toEqual([assetStarts.slice(MAX_REPORTED_VIEWERS)]);
});
