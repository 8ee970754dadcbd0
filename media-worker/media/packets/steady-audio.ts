import { SampleClock } from '@/lib/core/media/sample-clock';
import type { Clock } from '@/lib/infra/clock';
import { parseAacConfig } from '@/media-worker/media/cmaf/codec-config';
import { parseOrNull } from '@/media-worker/media/cmaf/parse-or-null';
import type { AudioPacket } from './media-packet';
import type { PublishSink } from './publish';

/**
 * A sink that places AAC frames by their sample count and forwards to `sink`. Timestamps that jitter then neither drop
 * frames nor insert silence; gaps and a drifting clock are followed.
 */
export function withSteadyAudio(sink: PublishSink, clock: Pick<Clock, 'monotonic'>): PublishSink {
  let record: Buffer | null = null;
  let sampleClock: SampleClock | null = null;

  const configure = (packet: AudioPacket): void => {
    if (record?.equals(packet.payload)) return;
    record = packet.payload;
    const config = parseOrNull(() => parseAacConfig(packet.payload));
    sampleClock = config && new SampleClock((config.samplesPerFrame * 1_000) / config.timescale);
  };
  const place = (packet: AudioPacket): AudioPacket => {
    const ms = sampleClock?.place(packet.dts, clock.monotonic()) ?? packet.dts;
    return ms === packet.dts
      ? packet
      : { ...packet, dts: ms, pts: ms, originalDts: packet.originalDts ?? packet.dts };
  };
  return {
    ids: sink.ids,
    announce: (tracks) => sink.announce?.(tracks),
    push: (packet) => {
      if (packet.kind === 'audio' && packet.codec === 'aac') {
        if (packet.role === 'config') configure(packet);
        sink.push(packet.role === 'config' ? packet : place(packet));
      } else sink.push(packet);
    },
    end: (reason) => sink.end(reason),
  };
}
