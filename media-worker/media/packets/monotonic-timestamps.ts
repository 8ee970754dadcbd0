import { TimestampCorrector } from '@/lib/core/media/timestamp-corrector';
import type { Clock } from '@/lib/infra/clock';
import type { MediaPacket } from './media-packet';
import type { PublishSink } from './publish';

/**
 * Largest plausible composition time, positive or negative: reordered frames are a few frames apart. A frame with a larger one
 * is shown at its decode time.
 */
const MAX_COMPOSITION_MS = 5_000;

/**
 * A sink that puts the packets of one publish on a monotonic timeline and forwards to `sink`. A configuration has no
 * time of its own and gets the time of the latest frame.
 */
export function withMonotonicTimestamps(sink: PublishSink, clock: Pick<Clock, 'monotonic'>): PublishSink {
  const corrector = new TimestampCorrector();
  const correctDts = ({ kind, role, dts }: MediaPacket): number => {
    if (role === 'frame') return corrector.correct({ kind, dts, arrivalMs: Math.round(clock.monotonic()) });
    const otherKind = kind === 'video' ? 'audio' : 'video';
    return corrector.lastTime(kind) ?? corrector.lastTime(otherKind) ?? dts;
  };
  return {
    ids: sink.ids,
    announce: (tracks) => sink.announce?.(tracks),
    push: (packet) => {
      const dts = correctDts(packet);
      const compositionMs = packet.pts - packet.dts;
      const isPlausible = Math.abs(compositionMs) <= MAX_COMPOSITION_MS;
      if (dts === packet.dts && isPlausible) sink.push(packet);
      else
        sink.push({ ...packet, dts, pts: isPlausible ? dts + compositionMs : dts, originalDts: packet.dts });
    },
    end: (reason) => sink.end(reason),
  };
}
