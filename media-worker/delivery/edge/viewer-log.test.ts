import { beforeEach, expect, test } from 'vitest';
import { MAX_REPORTED_VIEWERS, type ReportedViewer } from '@/media-worker/kit/http/edge-report';
import { ViewerLog } from './viewer-log';

const id = 'abcd1234efgh5678';
const hash = (count: number) => String(count).padStart(43, '0');
const starts = Array.from({ length: MAX_REPORTED_VIEWERS + 1 }, (_, count): ReportedViewer => [
  id,
  hash(count),
  'asset',
]);

/** The status of each next request; null for an upstream that is away. */
let answers: (number | null)[] = [];
let posts: ReportedViewer[][] = [];

beforeEach(() => {
  answers = [];
  posts = [];
});

function openLog(max?: number): ViewerLog {
  const post = (_target: string, body: string) => {
    const status = answers.shift();
    if (status === null) return Promise.reject(new Error('away'));
    posts.push(JSON.parse(body) as ReportedViewer[]);
    return Promise.resolve(status ?? 204);
  };
  return new ViewerLog({
    upstream: { post },
    via: '1.1 edge',
    addressOf: () => '192.0.2.1',
    ...(max === undefined ? {} : { max }),
  });
}

test.each([null, 503])(
  'starts of assets that a failed report (%s) did not deliver are in the next one',
  async (answer) => {
    const log = openLog();
    log.receive(starts, true);
    answers = [204, answer];
    await expect(log.report()).rejects.toThrow();
    posts = [];
    await log.report();
    expect(posts).toEqual([starts.slice(MAX_REPORTED_VIEWERS)]);
  },
);

test('starts of assets are kept up to the limit of viewers', async () => {
  const log = openLog(3);
  log.receive(starts.slice(0, 2), true);
  answers = [null];
  const report = log.report();
  log.receive(starts.slice(2, 4), true);
  await expect(report).rejects.toThrow();
  await log.report();
  expect(posts).toEqual([[starts[2], starts[3], starts[0]]]);
});

test('viewers of a stream are not kept: those who left must not count later', async () => {
  const log = openLog();
  log.receive([[id, hash(1)]], true);
  answers = [null];
  await expect(log.report()).rejects.toThrow();
  await log.report();
  expect(posts).toEqual([]);
});

test('a report that the upstream cannot read is not repeated, so that later ones arrive', async () => {
  const log = openLog();
  log.receive(starts, true);
  answers = [400];
  await expect(log.report()).rejects.toThrow();
  posts = [];
  await log.report();
  expect(posts).toEqual([starts.slice(MAX_REPORTED_VIEWERS)]);
});
