import type { IncomingMessage } from 'node:http';
import { expect, test, vi } from 'vitest';
import { jsonAnswer } from '@/media-worker/kit/http/answer';
import { guardViewers } from './viewer-access';

const playbackId = 'abcd1234efgh5678';
const unreachable = () => expect.unreachable('no viewer may be admitted');
const guard = guardViewers({
  rulesCache: { find: () => Promise.resolve(null) },
  admission: { admit: unreachable, issuePathToken: unreachable, checkPathToken: unreachable },
  previews: { readMemberDigest: unreachable },
  countryOf: unreachable,
});
const requestOf = (url: string) => ({ url, headers: {} }) as IncomingMessage;

test('for an unknown object, the callback `absent` gets the URL without the path token, and its answer is sent', async () => {
  const absent = vi.fn((url: string) => Promise.resolve(jsonAnswer(404, { url })));
  const pathToken = `~${'Q'.repeat(60)}`;
  for (const path of [
    `/hls/${playbackId}/index.m3u8?probe`,
    `/hls/${playbackId}/${pathToken}/index.m3u8?probe`,
  ]) {
    expect((await guard(requestOf(path), '/hls', unreachable, absent)).status).toBe(404);
    expect(absent).toHaveBeenLastCalledWith(`/hls/${playbackId}/index.m3u8?probe`);
  }
});

test('without the callback `absent`, an unknown object is answered with 404', async () => {
  expect((await guard(requestOf(`/asset/${playbackId}/index.m3u8`), '/asset', unreachable)).status).toBe(404);
});
