import { expect, test } from 'vitest';
import { EndedStreams } from './ended-streams';

const playbackId = 'abcd1234efgh5678';

test('a stream has ended since a time before its end, and not since a later time', () => {
  let now = 100;
  const endedStreams = new EndedStreams({ monotonic: () => now });
  expect(endedStreams.endedSince(playbackId, 100)).toBe(false);
  endedStreams.recordEnd(playbackId);
  expect(endedStreams.endedSince(playbackId, 100)).toBe(true);
  expect(endedStreams.endedSince('0000000000000000', 100)).toBe(false);
  now = 101;
  expect(endedStreams.endedSince(playbackId, endedStreams.now())).toBe(false);
});

test('the answer to an announcement says for how long caches may still serve a playlist', async () => {
  let now = 100;
  const endedStreams = new EndedStreams({ monotonic: () => now });
  endedStreams.recordCacheable(playbackId);
  now = 600;
  const [[path, write] = []] = Object.entries(endedStreams.writes);
  expect(path).toBe('/ended-streams');
  const answer = await write?.(JSON.stringify([playbackId, '0000000000000000']));
  // Cached for 1,100 ms, 500 ms ago.
  expect(JSON.parse(Buffer.concat([...(answer?.body ?? [])]).toString())).toEqual({ keptMs: 600 });
  now = 5_000;
  expect(endedStreams.recordEnd(playbackId)).toBe(0);
});

test.each(['', '{}', '["../x"]', '[1]'])(
  'the body %j is rejected, because it is not a list of playback ids',
  async (body) => {
    const [write] = Object.values(new EndedStreams({ monotonic: () => 0 }).writes);
    expect(await write?.(body)).toMatchObject({ status: 400 });
  },
);
