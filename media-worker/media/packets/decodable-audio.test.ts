import { expect, it } from 'vitest';
import { configs, expectWatchable, playSent, steady } from '@/media-worker/media/packaging/testing/played';

it.each([
  ['is empty', ''],
  ['is all zeros', '0000'],
  ['has a reserved sample rate', '1690'],
])('the AAC configuration %s: an issue names it, and the audio is silent', (_name, record) => {
  const sent = [...configs(), ...steady()].flatMap(({ packet, atMs }) => {
    if (packet.kind === 'video' || packet.role === 'frame') return [{ packet, atMs }];
    return [{ packet: { ...packet, payload: Buffer.from(record, 'hex') }, atMs }];
  });
  const result = playSent(sent);
  expectWatchable(result);
  expect(result.periods).toHaveLength(1);
  expect(result.shownFrames.some(({ kind }) => kind === 'audio')).toBe(false);
  const issues = result.events.flatMap((event) => (event.type === 'issue' ? [event.message] : []));
  expect(issues).toEqual([expect.stringContaining('audio configuration is unusable')]);
});
