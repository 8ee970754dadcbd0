import { codingOf, isPackaged, type VideoCodingName } from '@/media-worker/media/cmaf/codec-config';
import { readableOnly } from '@/media-worker/media/cmaf/readable-only';
import type { MediaPacket, VideoPacket } from './media-packet';
import type { PublishSink } from './publish';

/** The record that decoders have. */
interface Announced {
  readonly codec: VideoCodingName;
  readonly record: Buffer;
}

/**
 * The packets of one publish with a configuration before each keyframe whose own parameter sets are others, for everything
 * behind `sink`: some encoders change the picture without a new configuration, or send none. Repeated sets are no change.
 */
export function announceParameterSets(sink: PublishSink): PublishSink {
  let announced: Announced | null = null;
  /** The record that the encoder sent last: many repeat it, also when frames have replaced its sets. */
  let repeated: Buffer | null = null;

  const configured = (packet: VideoPacket, codec: VideoCodingName): void => {
    if (repeated?.equals(packet.payload) && announced?.codec === codec) return;
    repeated = packet.payload;
    const isReadable = readableOnly(() => codingOf(codec).parse(packet.payload)) !== null;
    if (isReadable) announced = { codec, record: packet.payload };
    sink.push(packet);
  };
  const announce = ({ dts, payload: frame }: VideoPacket, codec: VideoCodingName): void => {
    const before = announced?.codec === codec ? announced.record : null;
    const payload = codingOf(codec).recordFor(frame, before);
    if (!payload) return;
    announced = { codec, record: payload };
    sink.push({ kind: 'video', codec, role: 'config', key: false, dts, pts: dts, payload });
  };
  return {
    about: sink.about,
    announced: (tracks) => sink.announced?.(tracks),
    push: (packet: MediaPacket) => {
      if (packet.kind !== 'video' || !isPackaged(packet.codec)) sink.push(packet);
      else if (packet.role === 'config') configured(packet, packet.codec);
      else {
        if (packet.key) announce(packet, packet.codec);
        sink.push(packet);
      }
    },
    end: (reason) => sink.end(reason),
  };
}
