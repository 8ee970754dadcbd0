import type { IncomingMessage } from 'node:http';
import { expect, test, vi } from 'vitest';
import { jsonAnswer } from '@/media-worker/kit/http/answer';
import { guardViewers } from './viewer-gate';

const id = 'abcd1234efgh5678';
const unused = () => expect.unreachable('nobody may be let in');
const guard = guardViewers({
  gates: { find: () => Promise.resolve(null) },
  admission: { admit: unused, pathToken: unused, refusalOfPath: unused },
  previews: { memberOf: unused },
  countryOf: unused,
});
const request = (url: string) => ({ url, headers: {} }) as IncomingMessage;

test('of what is not there, suspended or deleted, the page is told why, with an old token, too', async () => {
  const absent = vi.fn((url: string) => Promise.resolve(jsonAnswer(404, { url })));
  const token = `~${'Q'.repeat(60)}`;
  for (const path of [`/hls/${id}/index.m3u8?probe`, `/hls/${id}/${token}/index.m3u8?probe`]) {
    expect((await guard(request(path), '/hls', unused, absent)).status).toBe(404);
    expect(absent).toHaveBeenLastCalledWith(`/hls/${id}/index.m3u8?probe`);
  }
});

test('where nobody says why, it is not found', async () => {
  expect((await guard(request(`/asset/${id}/index.m3u8`), '/asset', unused)).status).toBe(404);
});
