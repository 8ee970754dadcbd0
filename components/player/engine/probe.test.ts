import { expect, test } from 'vitest';
import { probeUrl, readBroadcast, readRefusal } from './probe';

test('the reason why there is no playlist', () => {
  const endedBroadcast = {
    state: 'ended',
    endedAt: 1_767_225_600_000,
    startsAt: 1_767_229_200_000,
    recordingId: 'r',
  };
  expect(readBroadcast({ errors: ['…'], broadcast: endedBroadcast })).toEqual(endedBroadcast);
  expect(readBroadcast({ broadcast: { state: 'deleted', endedAt: 'soon' } })).toEqual({ state: 'deleted' });
});

test.each([
  null,
  'text',
  {},
  { broadcast: null },
  { broadcast: { state: 'paused' } },
  { errors: ['Not found.'] },
])('is undefined in %j', (body) => expect(readBroadcast(body)).toBeUndefined());

test('the reason why a viewer may not watch is a code', () => {
  expect(readRefusal({ errors: ['A token is required.'], refusal: 'token_required' })).toBe('token_required');
  for (const body of [undefined, null, {}, { refusal: 403 }]) expect(readRefusal(body)).toBeUndefined();
});

test('only the playlist of a stream is probed: the playlist of a video always exists', () => {
  const live = 'https://cdn.example/hls/abcd1234efgh5678/index.m3u8';
  expect(probeUrl(live)).toBe(`${live}?probe`);
  expect(probeUrl(`${live}?ll=0`)).toBe(`${live}?ll=0&probe`);
  const video = 'https://cdn.example/asset/abcd1234efgh5678/index.m3u8';
  expect(probeUrl(video)).toBe(video);
});
