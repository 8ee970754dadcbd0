import {
  type AvcParameterSets,
  avcRecord,
  parameterSetsOfFrame,
  parameterSetsOfRecord,
} from '@/media-worker/media/cmaf/avc-parameter-sets';
import { CodecConfigError, parseAvcConfig } from '@/media-worker/media/cmaf/codec-config';
import type { MediaPacket, VideoPacket } from './media-packet';
import type { PublishSink } from './publish';

/** Of encoders that send no configuration. */
const USUAL_NAL_LENGTH_SIZE = 4;

/** A configuration as decoders have it. */
interface Announced extends AvcParameterSets {
  readonly nalLengthSize: number;
}

/**
 * The packets of one publish with a configuration before each keyframe whose own parameter sets are others, for everything
 * behind `sink`: some encoders change the picture without a new configuration, or send none. Repeated sets are no change.
 */
export function announceParameterSets(sink: PublishSink): PublishSink {
  let announced: Announced | null = null;
  /** The record that the encoder sent last: many repeat it, also when frames have replaced its sets. */
  let repeated: Buffer | null = null;

  const configured = (packet: VideoPacket): void => {
    if (repeated?.equals(packet.payload)) return;
    repeated = packet.payload;
    announced = announcedBy(packet.payload) ?? announced;
    sink.push(packet);
  };
  const announce = (frame: VideoPacket): void => {
    const change = changeBy(frame.payload, announced);
    if (!change) return;
    announced = change;
    const payload = avcRecord(change, change.nalLengthSize);
    sink.push({
      kind: 'video',
      codec: 'avc',
      role: 'config',
      key: false,
      dts: frame.dts,
      pts: frame.dts,
      payload,
    });
  };
  return {
    about: sink.about,
    announced: (tracks) => sink.announced?.(tracks),
    push: (packet: MediaPacket) => {
      const isVideo = packet.kind === 'video' && packet.codec === 'avc';
      if (isVideo && packet.role === 'config') {
        configured(packet);
        return;
      }
      if (isVideo && packet.key) announce(packet);
      sink.push(packet);
    },
    end: (reason) => sink.end(reason),
  };
}

function announcedBy(record: Buffer): Announced | null {
  return usable(() => {
    const { nalLengthSize } = parseAvcConfig(record);
    return { ...parameterSetsOfRecord(record), nalLengthSize };
  });
}

/** What a keyframe changes; null: nothing. */
function changeBy(frame: Buffer, before: Announced | null): Announced | null {
  const nalLengthSize = before?.nalLengthSize ?? USUAL_NAL_LENGTH_SIZE;
  const found = parameterSetsOfFrame(frame, nalLengthSize);
  const sps = found.sps.length > 0 ? found.sps : (before?.sps ?? []);
  const pps = found.pps.length > 0 ? found.pps : (before?.pps ?? []);
  if (sps.length === 0 || pps.length === 0) return null;
  const isKnown = (kind: 'sps' | 'pps') =>
    found[kind].every((set) => before?.[kind].some((known) => known.equals(set)));
  if (isKnown('sps') && isKnown('pps')) return null;
  const change = { sps, pps, nalLengthSize };
  return usable(() => {
    parseAvcConfig(avcRecord(change, nalLengthSize));
    return change;
  });
}

/** A decoder that cannot read the sets keeps the previous ones. */
function usable(read: () => Announced): Announced | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof CodecConfigError) return null;
    throw error;
  }
}
