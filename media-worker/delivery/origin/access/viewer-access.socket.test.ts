import type { IncomingMessage } from 'node:http';
import { expect, test, vi } from 'vitest';
import { jsonAnswer } from '@/media-worker/kit/http/answer';
import { guardViewers } from './viewer-access';

const id = 'abcd1234efgh5678';
const unreachable = () => expect.unreachable('no viewer may be admitted');
const guard = guardViewers({
  rulesCache: { find: () => Promise.resolve(null) },
  admission: { admit: unreachable, issuePathToken: unreachable, checkPathToken: unreachable },
  previews: { readMemberDigest: unreachable },
  countryOf: unreachable,
});
const request = (url: string) => ({ url, headers: {} }) as IncomingMessage;

test('the page shows why an object is missing, suspended or deleted, even with an old token', async () => {
  const absent = vi.fn((url: string) => Promise.resolve(jsonAnswer(404, { url })));
  const token = `~${'Q'.repeat(60)}`;
  for (const path of [`/hls/${id}/index.m3u8?probe`, `/hls/${id}/${token}/index.m3u8?probe`]) {
    expect((await guard(request(path), '/hls', unreachable, absent)).status).toBe(404);
    expect(absent).toHaveBeenLastCalledWith(`/hls/${id}/index.m3u8?probe`);
  }
});

test('without an explanation, the object is not found', async () => {
  expect((await guard(request(`/asset/${id}/index.m3u8`), '/asset', unreachable)).status).toBe(404);
});
