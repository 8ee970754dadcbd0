import { codingOf, isPackaged } from '@/media-worker/media/cmaf/codec-config';
import { prefixWithLengths, readNalUnits } from '@/media-worker/media/cmaf/nal-units';
import { parseOrNull } from '@/media-worker/media/cmaf/parse-or-null';
import { createParameterSetInserter } from '@/media-worker/media/packets/keyframe-parameter-sets';
import type { VideoPacket } from '@/media-worker/media/packets/media-packet';

/** Size of the length prefix of NAL units that the packetizers of the library expect. */
const LENGTH_BYTES = 4;

/**
 * Creates a function that converts the frames of one stream for packetizers. Parameter sets are added to
 * keyframes, because the SDP answer contains none. Call the function with every packet, in order.
 */
export function createFrameConverter(): (packet: VideoPacket) => VideoPacket {
  const withParameterSets = createParameterSetInserter();
  let lengthSize = LENGTH_BYTES;
  return (packet) => {
    const { codec, role, payload } = packet;
    const completeFrame = withParameterSets(packet);
    if (role === 'config') {
      const config = isPackaged(codec) ? parseOrNull(() => codingOf(codec).parse(payload)) : null;
      lengthSize = config?.nalLengthSize ?? LENGTH_BYTES;
      return packet;
    }
    if (completeFrame.kind !== 'video' || codec === 'av1' || lengthSize === LENGTH_BYTES)
      return completeFrame as VideoPacket;
    return {
      ...completeFrame,
      payload: prefixWithLengths([...readNalUnits(completeFrame.payload, lengthSize)], LENGTH_BYTES),
    };
  };
}
