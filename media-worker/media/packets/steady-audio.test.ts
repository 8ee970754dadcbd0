import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  sentConfigs,
  expectWatchable,
  largestOffset,
  playSent,
  steadyPublish,
  withShift,
} from '@/media-worker/media/packaging/testing/played';

it('if audio timestamps jitter by up to 300 ms, every audio frame is played, and is less than 350 ms out of sync', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 300 }), { minLength: 600, maxLength: 600 }),
      fc.integer({ min: 0, max: 300 }),
      (jitter, maxJitterMs) => {
        const sent = steadyPublish().map((sentPacket, n) =>
          sentPacket.packet.kind === 'audio'
            ? withShift(sentPacket, Math.min(maxJitterMs, jitter[n % jitter.length] ?? 0))
            : sentPacket,
        );
        const result = playSent([...sentConfigs(), ...sent]);
        expectWatchable(result);
        const shownAudio = result.shownFrames.filter(({ kind }) => kind === 'audio');
        expect(shownAudio).toHaveLength(sent.filter(({ packet }) => packet.kind === 'audio').length);
        expect(largestOffset(result)).toBeLessThan(350);
      },
    ),
    { numRuns: 30 },
  );
});
