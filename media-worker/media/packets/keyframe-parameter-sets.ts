import {
  type AvcParameterSets,
  parameterSetsOfRecord,
  withParameterSets,
} from '@/media-worker/media/cmaf/avc-parameter-sets';
import { CodecConfigError, parseAvcConfig } from '@/media-worker/media/cmaf/codec-config';
import type { MediaPacket } from './media-packet';

type Sets = AvcParameterSets & { readonly nalLengthSize: number };

/**
 * The packets of one publish, whose keyframes carry the parameter sets of the configuration before them. Call it with each
 * packet in order.
 */
export function keyframeParameterSets(): (packet: MediaPacket) => MediaPacket {
  let sets: Sets | null = null;
  return (packet) => {
    if (packet.kind !== 'video' || packet.codec !== 'avc') return packet;
    if (packet.role === 'config') sets = setsOf(packet.payload);
    else if (packet.key && sets)
      return { ...packet, payload: withParameterSets(packet.payload, sets, sets.nalLengthSize) };
    return packet;
  };
}

/** Null for a record that cannot be read: its frames stay as they are. */
function setsOf(record: Buffer): Sets | null {
  try {
    return { ...parameterSetsOfRecord(record), nalLengthSize: parseAvcConfig(record).nalLengthSize };
  } catch (error) {
    if (error instanceof CodecConfigError) return null;
    throw error;
  }
}
