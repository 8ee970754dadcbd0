import { describe, expect, it } from 'vitest';
import { parseAacConfig } from '@/media-worker/media/cmaf/codec-config';
import { readRecordParameterSets } from '@/media-worker/media/cmaf/avc-parameter-sets';
import { CONFIG_RECORDS } from '@/media-worker/media/cmaf/testing/codec-records';
import type { MediaPacket } from '@/media-worker/media/packets/media-packet';
import { RenditionPackager } from './rendition-packager';
import { Packaging } from '@/media-worker/media/packaging/testing/packaging';
import {
  audioConfig,
  steadyFrames,
  videoConfig,
  videoFrame,
} from '@/media-worker/media/packaging/testing/synthetic-packets';
import { LiveWindow } from '@/media-worker/media/packaging/window';

const audio = parseAacConfig(CONFIG_RECORDS.aacStereo48);
const videoFrames = (span: Parameters<typeof steadyFrames>[0]) => steadyFrames({ ...span, audio: false });

/** Packages a source, whose segment boundaries its renditions follow. */
function packageSource(packets: readonly MediaPacket[]) {
  const packaging = new Packaging({ minListedCount: 100 });
  const packager = packaging.begin([videoConfig(), audioConfig(), ...packets]);
  const follow = (fromMsn = 0, window = new LiveWindow({ clock: packaging.clock, minListedCount: 100 })) => {
    const rendition = new RenditionPackager({ window, leader: packaging.window, audio, fromMsn });
    const push = (packets: readonly MediaPacket[]) => {
      rendition.push(videoConfig(CONFIG_RECORDS.baseline360));
      for (const packet of packets) rendition.push(packet);
    };
    return { rendition, window, push };
  };
  return { packaging, packager, follow };
}

const segmentTimes = (window: LiveWindow) =>
  window
    .view()
    .segments.map(({ msn, durationMs, discontinuity, wallClockMs }) => [
      msn,
      durationMs,
      discontinuity,
      wallClockMs,
    ]);

describe('a transcoded rendition', () => {
  const irregularFrames = [
    ...videoFrames({ untilMs: 2_600, gopMs: 2_600 }),
    ...videoFrames({ fromMs: 2_600, untilMs: 5_000, gopMs: 800 }),
    ...videoFrames({ fromMs: 5_000, untilMs: 12_000, gopMs: 3_000 }),
  ];

  it('has the segment boundaries, numbers and dates of the source', () => {
    const { packaging, follow } = packageSource(irregularFrames);
    const { push, window } = follow();
    push(irregularFrames);
    expect(segmentTimes(window)).toEqual(segmentTimes(packaging.window));
    expect(window.view().segments.map(({ init }) => init)).toContain(
      `init-1-${packaging.segments[0]?.msn}.mp4`,
    );
  });

  it('writes the parameter sets into every keyframe', () => {
    const frames = videoFrames({ untilMs: 9_000, gopMs: 2_000 });
    const { push, window } = packageSource(frames).follow();
    push(frames);
    const [sps = Buffer.alloc(0)] = readRecordParameterSets(CONFIG_RECORDS.baseline360).sps;
    const { segments } = window.view();
    expect(segments.length).toBeGreaterThan(2);
    for (const { msn } of segments)
      expect(Buffer.concat(window.findPart(msn, 0)?.data ?? []).includes(sps)).toBe(true);
  });

  it('follows a cut that the source had to make without a keyframe', () => {
    const framesOfOneGop = videoFrames({ untilMs: 13_000, gopMs: 1e9 });
    const { packaging, follow } = packageSource(framesOfOneGop);
    const { push, window } = follow();
    push(framesOfOneGop);
    expect(packaging.issues()).toContain('forced_cut');
    expect(segmentTimes(window)).toEqual(segmentTimes(packaging.window));
    expect(segmentTimes(window)).toHaveLength(1);
  });

  it('declares the target duration of the source, even if it starts late', () => {
    const framesWithLongGops = videoFrames({ untilMs: 20_000, gopMs: 4_000 });
    const { packaging, follow } = packageSource(framesWithLongGops);
    const { push, window } = follow();
    push(framesWithLongGops.filter(({ dts }) => dts >= 15_000));
    expect(packaging.window.view().targetDuration).toBe(4);
    expect(window.view().targetDuration).toBe(4);
  });

  it('is not cut at additional keyframes', () => {
    const { packaging, follow } = packageSource(irregularFrames);
    const { push, window } = follow();
    push(irregularFrames.map((packet) => (packet.kind === 'video' ? { ...packet, key: true } : packet)));
    expect(segmentTimes(window)).toEqual(segmentTimes(packaging.window));
  });

  it('that starts late begins with the next whole segment', () => {
    const { packaging, follow } = packageSource(irregularFrames);
    const { push, window } = follow();
    push(irregularFrames.filter(({ dts }) => dts >= 3_400));
    expect(segmentTimes(window)[0]?.[0]).toBe(packaging.segments[2]?.msn);
  });

  it('begins with the segment number from which it may publish, so that no number is reused', () => {
    const { packaging, follow } = packageSource(irregularFrames);
    const { push, window, rendition } = follow((packaging.segments[0]?.msn ?? 0) + 1);
    push(irregularFrames);
    expect(segmentTimes(window)).toEqual(segmentTimes(packaging.window).slice(1));
    expect(rendition.lastMsn).toBe(packaging.window.view().nextMsn - 1);
  });

  it('closes its open segment at the end', () => {
    const { packaging, packager, follow } = packageSource(irregularFrames);
    const { push, window, rendition } = follow();
    push(irregularFrames);
    packager.finish();
    rendition.finish();
    rendition.finish();
    expect(segmentTimes(window)).toEqual(segmentTimes(packaging.window));
  });

  it('that lost a segment starts again after it, without a gap in its list', () => {
    const { packaging, follow } = packageSource(irregularFrames);
    const { push, window } = follow();
    const [, second, third, fourth] = packaging.segments;
    push(irregularFrames.filter(({ dts }) => dts < (second?.startMs ?? 0) || dts >= (fourth?.startMs ?? 0)));
    expect(third).toBeDefined();
    expect(segmentTimes(window).map(([msn]) => msn)).toEqual(
      packaging.segments.slice(3).map(({ msn }) => msn),
    );
  });

  it('that lost a keyframe continues without a gap', () => {
    const framesWithShortGops = videoFrames({ untilMs: 12_000, gopMs: 1_000 });
    const { packaging, follow } = packageSource(framesWithShortGops);
    const { push, window } = follow();
    push(framesWithShortGops.map((packet) => (packet.dts === 4_000 ? videoFrame(4_000) : packet)));
    expect(segmentTimes(window).map(([msn]) => msn)).toEqual(packaging.segments.map(({ msn }) => msn));
    expect(segmentTimes(window).map(([, ms]) => ms)).toEqual([2_000, 3_000, 1_000, 2_000, 2_000]);
  });

  it('waits for a valid configuration', () => {
    const { follow, packaging } = packageSource(irregularFrames);
    const { rendition, window } = follow();
    for (const packet of irregularFrames) rendition.push(packet);
    rendition.push(videoConfig(Buffer.from('nonsense')));
    for (const packet of irregularFrames) rendition.push(packet);
    expect(window.isPlayable).toBe(false);
    expect(rendition.lastMsn).toBeUndefined();
    rendition.push(videoConfig());
    for (const packet of irregularFrames) rendition.push(packet);
    expect(segmentTimes(window)).toEqual(segmentTimes(packaging.window));
  });
});
