import { expect, test } from 'vitest';
import { RECORDS } from '../cmaf/testing/codec-records';
import type { MediaPacket } from '../ingest/media-packet';
import { Packager } from './packager';
import { Rendition, type TimedStretch } from './rendition';
import { StretchFeed } from './stretch-feed';
import { SteppedClock } from './testing/packaging';
import { audioConfig, steadyFrames, videoConfig } from './testing/synthetic-packets';
import { LiveWindow } from './window';

/** A publish and every stretch that came of it, with its packets. */
function open(startMs = 0) {
  const clock = new SteppedClock();
  const rendition = new Rendition('source', new LiveWindow({ clock }));
  const stretches: { stretch: TimedStretch; packets: MediaPacket[] }[] = [];
  rendition.onStretch((stretch) => {
    const packets: MediaPacket[] = [];
    stretches.push({ stretch, packets });
    stretch.bus.subscribe({ packet: (packet) => packets.push(packet), end: () => undefined });
  });
  const timed = new StretchFeed(rendition, (error) => expect(error).toBeUndefined());
  const packager = new Packager({ clock, startMs, timed, emit: () => undefined });
  const push = (packets: readonly MediaPacket[]) => {
    for (const packet of packets) {
      clock.ms += 20;
      packager.push(packet);
    }
  };
  const frames = (index: number) =>
    (stretches[index]?.packets ?? []).filter(({ role, kind }) => role === 'frame' && kind === 'video');
  return { rendition, packager, push, stretches, frames };
}

test('a stretch begins with its configurations, and its frames are on the media timeline', () => {
  const { push, stretches, frames } = open(10_000);
  push([videoConfig(), audioConfig(), ...steadyFrames({ fromMs: 777_000, untilMs: 779_000 })]);
  expect(stretches).toHaveLength(1);
  expect(stretches[0]?.packets.slice(0, 2).map(({ kind, role }) => [kind, role])).toEqual([
    ['video', 'config'],
    ['audio', 'config'],
  ]);
  expect(frames(0).map(({ dts }) => dts)).toEqual(Array.from({ length: 50 }, (_, n) => 10_000 + 40 * n));
  expect(stretches[0]?.stretch.tracks.audio).toBeDefined();
});

test('a jump of the clock and another picture begin a stretch each; the timeline goes on', () => {
  const { push, stretches, frames, packager } = open();
  push([videoConfig(), audioConfig(), ...steadyFrames({ untilMs: 2_000 })]);
  push(steadyFrames({ fromMs: 900_000, untilMs: 902_000 }));
  push([videoConfig(RECORDS.baseline360), ...steadyFrames({ fromMs: 902_000, untilMs: 904_000 })]);
  packager.finish();
  expect(stretches).toHaveLength(3);
  expect(stretches.map(({ stretch }) => stretch.bus.ended)).toEqual([true, true, true]);
  const starts = stretches.map((_, index) => frames(index)[0]?.dts ?? NaN);
  expect(starts[0]).toBe(0);
  // The sound of a stretch may reach a little past its picture.
  expect(Math.abs((starts[1] ?? 0) - 2_000)).toBeLessThan(30);
  expect(Math.abs((starts[2] ?? 0) - 4_000)).toBeLessThan(60);
  expect(stretches[2]?.stretch.tracks.video?.width).not.toBe(stretches[1]?.stretch.tracks.video?.width);
});

test('who listens later hears of the running stretch, and of none that has ended', () => {
  const { rendition, push, packager } = open();
  push([videoConfig(), audioConfig(), ...steadyFrames({ untilMs: 3_000 })]);
  const heard: TimedStretch[] = [];
  rendition.onStretch((stretch) => heard.push(stretch))();
  expect(heard).toHaveLength(1);
  packager.finish();
  rendition.onStretch((stretch) => heard.push(stretch));
  expect(heard).toHaveLength(1);
});
