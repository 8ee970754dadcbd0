import { buildAv1Sample } from '@/media-worker/media/cmaf/av1-config';
import { codingOf, isPackaged } from '@/media-worker/media/cmaf/codec-config';
import { parseOrNull } from '@/media-worker/media/cmaf/parse-or-null';
import { DEFAULT_NAL_LENGTH_SIZE } from '@/media-worker/media/cmaf/video-coding';
import type { MediaPacket, VideoPacket } from './media-packet';
import type { PublishSink } from './publish';

/**
 * A sink that marks keyframes by their coded data instead of the encoder's flag, because players can only start at
 * real keyframes. AV1 frames become MP4 samples.
 */
export function withCodedFrames(sink: PublishSink): PublishSink {
  let nalLengthSize = DEFAULT_NAL_LENGTH_SIZE;
  const withCodedFrame = (packet: VideoPacket): VideoPacket => {
    if (!isPackaged(packet.codec)) return packet;
    const coding = codingOf(packet.codec);
    if (packet.role === 'config') {
      nalLengthSize = parseOrNull(() => coding.parse(packet.payload).nalLengthSize) ?? nalLengthSize;
      return packet;
    }
    const payload = packet.codec === 'av1' ? buildAv1Sample(packet.payload) : packet.payload;
    const key = coding.isKeyframe(payload, nalLengthSize) ?? packet.key;
    return key === packet.key && payload === packet.payload ? packet : { ...packet, key, payload };
  };
  return {
    ids: sink.ids,
    announce: (tracks) => sink.announce?.(tracks),
    push: (packet: MediaPacket) => sink.push(packet.kind === 'video' ? withCodedFrame(packet) : packet),
    end: (reason) => sink.end(reason),
  };
}
