import { Readable } from 'node:stream';
import { beforeEach, expect, test } from 'vitest';
import { UpstreamError } from '@/media-worker/delivery/origin/live/upstream-error';
import { KnownRestrictions, contentFolderOf } from './known-restrictions';
import type { OpenedResponse } from './upstream';

const folder = '/asset/abcd1234efgh5678';
const segment = `${folder}/1.m4s`;
let status: number | null = 200;
let requests: string[] = [];
let nowMs = 0;

function openRestrictions(): KnownRestrictions {
  const respond = (target: string, method = 'GET') => {
    requests.push(`${method} ${target}`);
    if (status === null) return Promise.reject(new UpstreamError('unreachable'));
    return Promise.resolve({ status, headers: {}, body: Readable.from([]) as OpenedResponse['body'] });
  };
  return new KnownRestrictions({
    upstream: {
      open: (target, { method }) => respond(target, method),
      fetch: async (target) => ({ ...(await respond(target)), body: Buffer.alloc(0) }),
    },
    via: '1.1 edge',
    clock: { monotonic: () => nowMs },
  });
}

beforeEach(() => {
  status = 200;
  requests = [];
});

test.each([
  ['/hls/abcd1234efgh5678/source/7.m4s', '/hls/abcd1234efgh5678'],
  ['/asset/abcd1234efgh5678/video?download', folder],
  ['/recordings/01234567/source.mp4', '/recordings/01234567'],
  ['/ipfs/bafkqaaa/a', null],
  ['/brand/logo.png', null],
  ['/hls/abcd1234efgh5678', null],
])('the content folder of %s is %s', (target, expected) => {
  expect(contentFolderOf(target)).toBe(expected);
});

test.each([
  [200, false],
  [404, false],
  [403, true],
])('after an answer with status %s, content is restricted: %s', async (answerStatus, isRestricted) => {
  const restrictions = openRestrictions();
  expect(await restrictions.isRestricted(folder)).toBe(false);
  status = answerStatus;
  await restrictions.upstream.fetch(segment, { headers: {} });
  expect(await restrictions.isRestricted(folder)).toBe(isRestricted);
  expect(requests).toEqual([`GET ${segment}`]);
});

test('more than four seconds after the last answer, the upstream is asked once for all viewers', async () => {
  const restrictions = openRestrictions();
  await restrictions.upstream.open(segment, { headers: {} });
  nowMs += 4_001;
  status = 403;
  const results = await Promise.all(Array.from({ length: 100 }, () => restrictions.isRestricted(folder)));
  expect(new Set(results)).toEqual(new Set([true]));
  expect(await restrictions.isRestricted(folder)).toBe(true);
  expect(requests).toEqual([`GET ${segment}`, `HEAD ${folder}/index.m3u8`]);
});

test.each([
  ['does not respond', null],
  ['fails', 503],
])('while the upstream %s, the previous result is used', async (_when, failureStatus) => {
  for (const [answerStatus, isRestricted] of [
    [200, false],
    [403, true],
  ] as const) {
    const restrictions = openRestrictions();
    status = answerStatus;
    await restrictions.upstream.open(segment, { headers: {} });
    nowMs += 60_000;
    status = failureStatus;
    expect(await restrictions.isRestricted(folder)).toBe(isRestricted);
  }
});
