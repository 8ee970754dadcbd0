import { expect, test } from 'vitest';
import { CONFIG_RECORDS } from '@/media-worker/media/cmaf/testing/codec-records';
import type { MediaPacket } from '@/media-worker/media/packets/media-packet';
import { Packager } from './packager';
import { Rendition, type TimedPeriod } from './rendition';
import { PeriodFeed } from './period-feed';
import { SteppedClock } from './testing/packaging';
import { audioConfig, steadyFrames, videoConfig, videoFrame } from './testing/synthetic-packets';
import { LiveWindow } from './window';

/** Starts a publish, and collects all of its periods with their packets. */
function openPublish(startMs = 0) {
  const clock = new SteppedClock();
  const rendition = new Rendition('source', new LiveWindow({ clock }));
  const periods: { period: TimedPeriod; packets: MediaPacket[] }[] = [];
  rendition.onPeriod((period) => {
    const packets: MediaPacket[] = [];
    periods.push({ period, packets });
    period.bus.subscribe({ packet: (packet) => packets.push(packet), end: () => undefined });
  });
  const feed = new PeriodFeed(rendition, (error) => expect(error).toBeUndefined());
  const packager = new Packager({ clock, startMs, encoderInput: feed, emit: () => undefined });
  const push = (packets: readonly MediaPacket[]) => {
    for (const packet of packets) {
      clock.ms += 20;
      packager.push(packet);
    }
  };
  /** Video frames of a period. */
  const frames = (index: number) =>
    (periods[index]?.packets ?? []).filter(({ role, kind }) => role === 'frame' && kind === 'video');
  return { rendition, packager, push, periods, frames };
}

test('a period begins with its configurations, and its frames are on the media timeline', () => {
  const { push, periods, frames } = openPublish(10_000);
  push([videoConfig(), audioConfig(), ...steadyFrames({ fromMs: 777_000, untilMs: 779_000 })]);
  expect(periods).toHaveLength(1);
  expect(periods[0]?.packets.slice(0, 2).map(({ kind, role }) => [kind, role])).toEqual([
    ['video', 'config'],
    ['audio', 'config'],
  ]);
  expect(frames(0).map(({ dts }) => dts)).toEqual(Array.from({ length: 50 }, (_, n) => 10_000 + 40 * n));
  expect(periods[0]?.period.tracks.audio).toBeDefined();
});

test('a clock jump and a change of the video each begin a period on the same timeline', () => {
  const { push, periods, frames, packager } = openPublish();
  push([videoConfig(), audioConfig(), ...steadyFrames({ untilMs: 2_000 })]);
  push(steadyFrames({ fromMs: 900_000, untilMs: 902_000 }));
  push([videoConfig(CONFIG_RECORDS.baseline360), ...steadyFrames({ fromMs: 902_000, untilMs: 904_000 })]);
  packager.finish();
  expect(periods).toHaveLength(3);
  expect(periods.map(({ period }) => period.bus.ended)).toEqual([true, true, true]);
  const starts = periods.map((_, index) => frames(index)[0]?.dts ?? NaN);
  expect(starts[0]).toBe(0);
  // The audio of a period may slightly exceed its video.
  expect(Math.abs((starts[1] ?? 0) - 2_000)).toBeLessThan(30);
  expect(Math.abs((starts[2] ?? 0) - 4_000)).toBeLessThan(60);
  expect(periods[2]?.period.tracks.video?.width).not.toBe(periods[1]?.period.tracks.video?.width);
});

test('a late subscriber receives the current period, and no period that has ended', () => {
  const { rendition, push, packager } = openPublish();
  push([videoConfig(), audioConfig(), ...steadyFrames({ untilMs: 3_000 })]);
  const receivedPeriods: TimedPeriod[] = [];
  rendition.onPeriod((period) => receivedPeriods.push(period))();
  expect(receivedPeriods).toHaveLength(1);
  packager.finish();
  rendition.onPeriod((period) => receivedPeriods.push(period));
  expect(receivedPeriods).toHaveLength(1);
});

test('the first frame of a period is displayed after all reordered frames of the previous period', () => {
  const { push, frames, packager } = openPublish();
  const reorderedFrames = Array.from({ length: 60 }, (_, index) =>
    videoFrame(40 * index, { key: index === 0, compositionMs: index === 59 ? 120 : 80 }),
  );
  push([videoConfig(), audioConfig(), ...reorderedFrames, videoConfig(CONFIG_RECORDS.baseline360)]);
  push(steadyFrames({ fromMs: 2_400, untilMs: 4_000, audio: false }));
  packager.finish();
  // The last of 60 frames is decoded at 2,360 ms, displayed 120 ms later, and lasts 40 ms.
  expect(Math.max(...frames(0).map(({ pts }) => pts))).toBe(2_480);
  expect(frames(1)[0]).toMatchObject({ dts: 2_520, pts: 2_520 });
});
