import { codingOf, isPackaged } from '@/media-worker/media/cmaf/codec-config';
import { parseOrNull } from '@/media-worker/media/cmaf/parse-or-null';
import type { MediaPacket } from './media-packet';

/**
 * Creates a function that inserts the parameter sets of the current configuration into the keyframes of a publish. The
 * function must get every packet, in order.
 */
export function createParameterSetInserter(): (packet: MediaPacket) => MediaPacket {
  let record: Buffer | null = null;
  return (packet) => {
    if (packet.kind !== 'video' || !isPackaged(packet.codec)) return packet;
    const coding = codingOf(packet.codec);
    // Frames after an unreadable record are unchanged.
    if (packet.role === 'config') record = parseOrNull(() => coding.parse(packet.payload).record);
    else if (packet.key && record)
      return { ...packet, payload: coding.addParameterSets(packet.payload, record) };
    return packet;
  };
}
