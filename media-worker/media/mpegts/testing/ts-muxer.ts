import { crc32Mpeg2 } from '@/media-worker/media/mpegts/program-tables';

const PACKET_BYTES = 188;
export const VIDEO_PID = 0x100;
export const AUDIO_PID = 0x101;
const MAP_PID = 0x1000;

interface PesOptions {
  readonly pid: number;
  readonly data: Buffer;
  /** Presentation time in 90 kHz ticks, modulo 2^33; absent: the PES packet has no time stamps. */
  readonly pts?: number | undefined;
  readonly dts?: number;
  /** Whether the PES packet declares no length, as video may do. */
  readonly isOpen?: boolean;
}

/** Stream types of the tracks of a program, and descriptors for both. */
interface ProgramTracks {
  readonly video?: number;
  readonly audio?: number;
  readonly descriptors?: Buffer;
}

/** Writes an MPEG-TS stream with one program, with correct continuity counters. */
export class TsMuxer {
  readonly #counters = new Map<number, number>();

  /**
   * The tables of a program with one track of each kind.
   * @param isCurrent whether the program map applies already
   */
  tables({ video, audio, descriptors }: ProgramTracks, isCurrent = true): Buffer {
    const tracks = [
      ...(video === undefined ? [] : [buildProgramMapEntry(video, VIDEO_PID, descriptors)]),
      ...(audio === undefined ? [] : [buildProgramMapEntry(audio, AUDIO_PID, descriptors)]),
    ];
    const map = buildSection(2, Buffer.concat([Buffer.from([0xe1, 0, 0xf0, 0]), ...tracks]), isCurrent);
    const association = buildSection(0, Buffer.from([0, 1, 0xe0 | (MAP_PID >> 8), MAP_PID & 0xff]));
    return Buffer.concat([
      this.packets(0, Buffer.concat([Buffer.alloc(1), association]), 0xff),
      this.packets(MAP_PID, Buffer.concat([Buffer.alloc(1), map]), 0xff),
    ]);
  }

  /** The TS packets of one PES packet. */
  pes({ pid, data, pts, dts, isOpen = false }: PesOptions): Buffer {
    const stamps = [
      ...(pts === undefined ? [] : [writeTimestamp(dts === undefined ? 2 : 3, pts)]),
      ...(dts === undefined ? [] : [writeTimestamp(1, dts)]),
    ];
    const times = Buffer.concat(stamps);
    const head = Buffer.from([0, 0, 1, pid === VIDEO_PID ? 0xe0 : 0xc0, 0, 0, 0x80, 0, times.length]);
    head.writeUInt8([0, 0x80, 0xc0][stamps.length] ?? 0, 7);
    if (!isOpen) head.writeUInt16BE(3 + times.length + data.length, 4);
    return this.packets(pid, Buffer.concat([head, times, data]));
  }

  /**
   * The TS packets of a section or PES packet.
   * @param padding fills up sections; PES packets are padded in the adaptation field
   */
  packets(pid: number, content: Buffer, padding?: number): Buffer {
    const packets: Buffer[] = [];
    for (let offset = 0; offset < content.length;) {
      const part = content.subarray(offset, offset + PACKET_BYTES - 4);
      packets.push(this.#packet(pid, offset === 0, part, padding));
      offset += part.length;
    }
    return Buffer.concat(packets);
  }

  #packet(pid: number, isStart: boolean, part: Buffer, padding: number | undefined): Buffer {
    const counter = this.#counters.get(pid) ?? 0;
    this.#counters.set(pid, (counter + 1) & 0x0f);
    const packet = Buffer.alloc(PACKET_BYTES, padding ?? 0xff);
    packet.writeUInt8(0x47, 0);
    packet.writeUInt16BE((isStart ? 0x4000 : 0) | pid, 1);
    const paddingBytes = PACKET_BYTES - 4 - part.length;
    if (padding !== undefined || paddingBytes === 0) {
      packet.writeUInt8(0x10 | counter, 3);
      part.copy(packet, 4);
      return packet;
    }
    packet.writeUInt8(0x30 | counter, 3);
    packet.writeUInt8(paddingBytes - 1, 4);
    if (paddingBytes > 1) packet.writeUInt8(0, 5);
    part.copy(packet, 4 + paddingBytes);
    return packet;
  }
}

const buildProgramMapEntry = (
  streamType: number,
  pid: number,
  descriptors: Buffer = Buffer.alloc(0),
): Buffer =>
  Buffer.concat([
    Buffer.from([streamType, 0xe0 | (pid >> 8), pid & 0xff, 0xf0, descriptors.length]),
    descriptors,
  ]);

function buildSection(table: number, content: Buffer, isCurrent = true): Buffer {
  const length = 5 + content.length + 4;
  const head = Buffer.from([table, 0xb0 | (length >> 8), length & 0xff, 0, 1, isCurrent ? 0xc1 : 0xc0, 0, 0]);
  const bytes = Buffer.concat([head, content]);
  const crc = Buffer.alloc(4);
  crc.writeUInt32BE(crc32Mpeg2(bytes));
  return Buffer.concat([bytes, crc]);
}

function writeTimestamp(prefix: number, ticks: number): Buffer {
  const time = ((ticks % 2 ** 33) + 2 ** 33) % 2 ** 33;
  const high = Math.floor(time / 2 ** 30);
  const middle = Math.floor(time / 2 ** 15) & 0x7fff;
  const low = time & 0x7fff;
  const bytes = Buffer.alloc(5);
  bytes.writeUInt8((prefix << 4) | (high << 1) | 1, 0);
  bytes.writeUInt16BE((middle << 1) | 1, 1);
  bytes.writeUInt16BE((low << 1) | 1, 3);
  return bytes;
}

/** One ADTS frame of AAC-LC, 48 kHz, two channels. */
export function adtsFrame(unit: Buffer): Buffer {
  const length = 7 + unit.length;
  const head = Buffer.from([0xff, 0xf1, 0x4c, 0x80 | (length >> 11), (length >> 3) & 0xff, 0, 0xfc]);
  head.writeUInt8(((length & 7) << 5) | 0x1f, 5);
  return Buffer.concat([head, unit]);
}
