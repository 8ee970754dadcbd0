import { codingOf, isPackaged } from '@/media-worker/media/cmaf/codec-config';
import { lengthPrefixed, unitsIn } from '@/media-worker/media/cmaf/nal-units';
import { readableOnly } from '@/media-worker/media/cmaf/readable-only';
import { keyframeParameterSets } from '@/media-worker/media/packets/keyframe-parameter-sets';
import type { VideoPacket } from '@/media-worker/media/packets/media-packet';

/** Length prefix of NAL units that packetizers of the library expect. */
const LENGTH_BYTES = 4;

/**
 * Creates a function that converts the frames of one stream for packetizers: keyframes carry their parameter sets, because an
 * SDP answer has none. Call the function with each packet in order.
 */
export function rtpFrames(): (packet: VideoPacket) => VideoPacket {
  const withSets = keyframeParameterSets();
  let lengthSize = LENGTH_BYTES;
  return (packet) => {
    const { codec, role, payload } = packet;
    const completeFrame = withSets(packet);
    if (role === 'config') {
      const config = isPackaged(codec) ? readableOnly(() => codingOf(codec).parse(payload)) : null;
      lengthSize = config?.nalLengthSize ?? LENGTH_BYTES;
      return packet;
    }
    if (completeFrame.kind !== 'video' || codec === 'av1' || lengthSize === LENGTH_BYTES)
      return completeFrame as VideoPacket;
    return {
      ...completeFrame,
      payload: lengthPrefixed([...unitsIn(completeFrame.payload, lengthSize)], LENGTH_BYTES),
    };
  };
}
