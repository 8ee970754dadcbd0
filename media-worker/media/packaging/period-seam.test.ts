import fc from 'fast-check';
import { expect, it } from 'vitest';
import { CONFIG_RECORDS } from '@/media-worker/media/cmaf/testing/codec-records';
import { Packaging } from './testing/packaging';
import { audioConfig, steadyFrames, videoConfig } from './testing/synthetic-packets';
import { trackTimes } from './testing/track-times';

/**
 * Browsers drop all video up to the next keyframe if a frame of any track starts more than two frame
 * durations after the frame before it (W3C Media Source Extensions §3.5.8). Players append the audio of a new period
 * after its first video keyframe, so a gap in the audio would drop the video again.
 */
it('at the boundary of two periods, no audio frame starts more than two frame durations after the previous one', () => {
  const property = fc.property(
    // From 10 to 83 video frames per second.
    fc.integer({ min: 12, max: 100 }),
    // Audio that is earlier or later than the video.
    fc.integer({ min: -90, max: 90 }),
    (frameMs, audioOffsetMs) => {
      const secondPeriodMs = 100 * frameMs;
      const packets = steadyFrames({ untilMs: 2 * secondPeriodMs, frameMs, gopMs: 20 * frameMs })
        .map((packet) => (packet.kind === 'audio' ? { ...packet, dts: packet.dts + audioOffsetMs } : packet))
        .toSorted((a, b) => a.dts - b.dts);
      const secondPeriodIndex = packets.findIndex(
        ({ kind, dts }) => kind === 'video' && dts >= secondPeriodMs,
      );
      // The window keeps all segments.
      const packaging = new Packaging({ minListedCount: 1_000 });
      packaging.run([
        ...[videoConfig(CONFIG_RECORDS.baseline360), audioConfig(), ...packets.slice(0, secondPeriodIndex)],
        ...[videoConfig(CONFIG_RECORDS.high320), ...packets.slice(secondPeriodIndex)],
      ]);
      expect(packaging.events.filter(({ type }) => type === 'init')).toHaveLength(2);
      const { audio } = trackTimes(packaging.segments);
      for (const [index, { ms }] of audio.entries()) {
        const previous = audio[index - 1];
        if (previous) expect(ms - previous.ms).toBeLessThanOrEqual(2 * previous.durationMs);
      }
    },
  );
  fc.assert(property, {
    examples: [
      // Counterexamples that were found before audio lasted until the end of its period.
      [61, -2],
      [17, 79],
    ],
  });
});
