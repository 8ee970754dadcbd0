import { parseFlvTag } from '@/media-worker/media/packets/flv-tag';
import type { MediaPacket } from '@/media-worker/media/packets/media-packet';

const FILE_HEADER_BYTES = 9 + 4;
const TAG_HEADER_BYTES = 11;
const TAG_TRAILER_BYTES = 4;

/** The media packets of an FLV file, in the order of the file. */
export function demuxFlv(file: Buffer): MediaPacket[] {
  const packets: MediaPacket[] = [];
  for (let offset = FILE_HEADER_BYTES; offset + TAG_HEADER_BYTES <= file.length;) {
    const type = file.readUInt8(offset);
    const size = file.readUIntBE(offset + 1, 3);
    const dts = file.readUIntBE(offset + 4, 3) + file.readUInt8(offset + 7) * 2 ** 24;
    const body = file.subarray(offset + TAG_HEADER_BYTES, offset + TAG_HEADER_BYTES + size);
    const packet = type === 8 || type === 9 ? parseFlvTag(type, dts, body) : null;
    if (packet) packets.push(packet);
    offset += TAG_HEADER_BYTES + size + TAG_TRAILER_BYTES;
  }
  return packets;
}
