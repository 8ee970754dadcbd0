import { expect, it } from 'vitest';
import {
  sentConfigs,
  expectWatchable,
  playSent,
  steadyPublish,
} from '@/media-worker/media/packaging/testing/played';

it.each([
  ['is empty', ''],
  ['is all zeros', '0000'],
  ['has a reserved sample rate', '1690'],
])('if the AAC configuration %s, the audio is silent, and an issue is reported', (_name, record) => {
  const sent = [...sentConfigs(), ...steadyPublish()].flatMap(({ packet, atMs }) => {
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
