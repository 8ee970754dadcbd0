import fc from 'fast-check';
import { expect, it } from 'vitest';
import { RECORDS } from '@/media-worker/media/cmaf/testing/codec-records';
import { Packaging } from './testing/packaging';
import { audioConfig, steadyFrames, videoConfig } from './testing/synthetic-packets';
import { trackTimes } from './testing/track-times';

/**
 * Browsers drop all video up to the next keyframe if a frame of any track starts more than two frame
 * durations after the frame before it (W3C Media Source Extensions §3.5.8). The audio of a new period starts
 * after its first keyframe, so the limit applies to it.
 */
it('audio of a new period starts within two frame durations, for any frame rate and any offset', () => {
  const property = fc.property(
    fc.integer({ min: 12, max: 100 }),
    fc.integer({ min: -90, max: 90 }),
    (frameMs, audioDelayMs) => {
      const changeMs = 100 * frameMs;
      const packets = steadyFrames({ untilMs: 2 * changeMs, frameMs, gopMs: 20 * frameMs })
        .map((packet) => (packet.kind === 'audio' ? { ...packet, dts: packet.dts + audioDelayMs } : packet))
        .toSorted((a, b) => a.dts - b.dts);
      const changeIndex = packets.findIndex(({ kind, dts }) => kind === 'video' && dts >= changeMs);
      const packaging = new Packaging({ minListedCount: 1_000 });
      packaging.run([
        ...[videoConfig(RECORDS.baseline360), audioConfig(), ...packets.slice(0, changeIndex)],
        ...[videoConfig(RECORDS.high320), ...packets.slice(changeIndex)],
      ]);
      expect(packaging.events.filter(({ type }) => type === 'init')).toHaveLength(2);
      const { audio } = trackTimes(packaging.segments);
      for (const [index, { ms }] of audio.entries()) {
        const previous = audio[index - 1];
        if (previous) expect(ms - previous.ms).toBeLessThanOrEqual(2 * previous.lastsMs);
      }
    },
  );
  fc.assert(property, {
    examples: [
      [61, -2],
      [17, 79],
    ],
  });
});
