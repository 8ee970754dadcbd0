import { expect, test } from 'vitest';
import { EndedStreams } from './ended-streams';

const playbackId = 'abcd1234efgh5678';

test('what was asked before the end is over, what is asked later is not', () => {
  let now = 100;
  const ended = new EndedStreams({ monotonic: () => now });
  expect(ended.endedSince(playbackId, 100)).toBe(false);
  ended.end(playbackId);
  expect(ended.endedSince(playbackId, 100)).toBe(true);
  expect(ended.endedSince('0000000000000000', 100)).toBe(false);
  now = 101;
  expect(ended.endedSince(playbackId, ended.now())).toBe(false);
});

test('caches in front keep a playlist for a second after they got it', async () => {
  let now = 100;
  const ended = new EndedStreams({ monotonic: () => now });
  ended.copied(playbackId);
  now = 600;
  const [[path, write] = []] = Object.entries(ended.writes);
  expect(path).toBe('/ended-streams');
  const answer = await write?.(JSON.stringify([playbackId, '0000000000000000']));
  expect(JSON.parse(Buffer.concat([...(answer?.body ?? [])]).toString())).toEqual({ keptMs: 600 });
  now = 5_000;
  expect(ended.end(playbackId)).toBe(0);
});

test.each(['', '{}', '["../x"]', '[1]'])('%s is no list of streams', async (body) => {
  const [write] = Object.values(new EndedStreams({ monotonic: () => 0 }).writes);
  expect(await write?.(body)).toMatchObject({ status: 400 });
});
