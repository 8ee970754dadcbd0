import { buildAvcRecord } from '@/media-worker/media/cmaf/avc-parameter-sets';
import { codingOf } from '@/media-worker/media/cmaf/codec-config';
import { splitAnnexB, prefixWithLengths } from '@/media-worker/media/cmaf/nal-units';
import { parseOrNull } from '@/media-worker/media/cmaf/parse-or-null';
import { DEFAULT_NAL_LENGTH_SIZE } from '@/media-worker/media/cmaf/video-coding';
import type { AudioPacket, MediaPacket, VideoPacket } from './media-packet';
import type { PublishSink } from './publish';

/** A start code of four bytes as a number. */
const START_CODE = 1;
/** NAL unit types of H.264. */
const SPS = 7;
const PPS = 8;
const ADTS_HEADER_BYTES = 7;
const ADTS_CRC_BYTES = 2;

/**
 * A sink that removes the framing of byte streams and forwards to `sink`. Some hardware encoders leave it in RTMP: start codes
 * instead of the lengths of NAL units, and ADTS headers before AAC frames.
 */
export function withoutStreamFraming(sink: PublishSink): PublishSink {
  let nalLengthSize = DEFAULT_NAL_LENGTH_SIZE;
  const convertVideo = (packet: VideoPacket): VideoPacket => {
    const { codec, role } = packet;
    if (codec !== 'avc' && codec !== 'hevc') return packet;
    const payload = role === 'config' ? recordOf(packet) : withNalLengths(packet.payload, nalLengthSize);
    if (role === 'config')
      nalLengthSize = parseOrNull(() => codingOf(codec).parse(payload).nalLengthSize) ?? nalLengthSize;
    return payload === packet.payload ? packet : { ...packet, payload };
  };
  const convert = (packet: MediaPacket): MediaPacket =>
    packet.kind === 'video' ? convertVideo(packet) : withoutAdtsHeader(packet);
  return {
    ids: sink.ids,
    announce: (tracks) => sink.announce?.(tracks),
    push: (packet) => sink.push(convert(packet)),
    end: (reason) => sink.end(reason),
  };
}

/** The decoder configuration record of a configuration; unchanged if it has no start codes. */
function recordOf({ codec, payload }: VideoPacket): Buffer {
  if (codec !== 'avc' || !hasStartCode(payload)) return payload;
  const units = splitAnnexB(payload);
  const setsOf = (type: number) => units.filter((unit) => ((unit[0] ?? 0) & 0x1f) === type);
  const [sps, pps] = [setsOf(SPS), setsOf(PPS)];
  if (sps.length === 0 || pps.length === 0) return payload;
  return parseOrNull(() => buildAvcRecord({ sps, pps }, DEFAULT_NAL_LENGTH_SIZE)) ?? payload;
}

/** A frame with lengths instead of start codes; unchanged if it has no start codes. */
const withNalLengths = (payload: Buffer, nalLengthSize: number): Buffer =>
  hasStartCode(payload) ? prefixWithLengths(splitAnnexB(payload), nalLengthSize) : payload;

/** Whether the bytes begin with a start code. As a length, it would be that of an impossible NAL unit of one byte. */
const hasStartCode = (bytes: Buffer): boolean => bytes.length > 4 && bytes.readUInt32BE(0) === START_CODE;

/** The packet without its ADTS header; unchanged if there is none. */
function withoutAdtsHeader(packet: AudioPacket): AudioPacket {
  const { codec, role, payload } = packet;
  if (codec !== 'aac' || role !== 'frame' || payload.length <= ADTS_HEADER_BYTES) return packet;
  // The sync word of 12 ones, and the layer, which is 0. The bit between them, the MPEG version, may have both values.
  const isSync = (payload.readUInt16BE(0) & 0xff_f6) === 0xff_f0;
  // The frame length has 13 bits from bit 30 on, and includes the header.
  const frameBytes = (payload.readUIntBE(3, 3) >> 5) & 0x1fff;
  if (!isSync || frameBytes !== payload.length) return packet;
  const hasCrc = (payload.readUInt8(1) & 1) === 0;
  return { ...packet, payload: payload.subarray(ADTS_HEADER_BYTES + (hasCrc ? ADTS_CRC_BYTES : 0)) };
}
