import { ascii, box, bytes, fullBox, u16, u32 } from '@/media-worker/media/cmaf/boxes';
import type { ByteSource } from '@/media-worker/vod/index/byte-source';
import { CONFIG_RECORDS } from '@/media-worker/media/cmaf/testing/codec-records';

const matrix = u32(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000);

/** An `stbl` of a video with eight frames in two chunks, with some boxes replaced. */
function sampleTable(mediaAt: number, boxOverrides: Readonly<Record<string, Buffer>> = {}): Buffer {
  const avc1 = box(
    'avc1',
    ...[u32(0, 1), u32(0, 0, 0, 0), u16(320, 180), u32(0x480000, 0x480000, 0), u16(1), Buffer.alloc(32)],
    ...[u16(24, 0xffff), box('avcC', CONFIG_RECORDS.high320)],
  );
  const boxes: Record<string, Buffer> = {
    stsd: fullBox('stsd', 0, 0, u32(1), avc1),
    stts: fullBox('stts', 0, 0, u32(2, 6, 100, 2, 50)),
    ctts: fullBox('ctts', 0, 0, u32(2, 4, 200, 4, 100)),
    stss: fullBox('stss', 0, 0, u32(2, 1, 5)),
    stsc: fullBox('stsc', 0, 0, u32(2, 1, 3, 1, 2, 5, 1)),
    stsz: fullBox('stsz', 0, 0, u32(0, 8, 10, 11, 12, 13, 14, 15, 16, 17)),
    stco: fullBox('stco', 0, 0, u32(2, mediaAt, mediaAt + 40)),
    ...boxOverrides,
  };
  return box('stbl', ...Object.values(boxes));
}

interface MovieOptions {
  readonly edits?: Buffer;
  readonly fragments?: readonly Buffer[];
  readonly mdhd?: Buffer;
}

const shortHeader = fullBox('mdhd', 0, 0, u32(0, 0, 1000, 700), u16(0x55c4, 0));

/** A movie with one track. `ftyp` takes 16 bytes, and `mdat` with 200 bytes of media follows it. */
export function movieFile(
  boxOverrides: Readonly<Record<string, Buffer>> = {},
  { edits, fragments = [], mdhd = shortHeader }: MovieOptions = {},
): Buffer {
  const mediaAt = 24;
  const trak = box(
    'trak',
    fullBox('tkhd', 0, 3, u32(0, 0, 1, 0, 0, 0, 0), u16(0, 0, 0, 0), matrix, u32(320 << 16, 180 << 16)),
    ...(edits ? [box('edts', edits)] : []),
    box(
      'mdia',
      mdhd,
      fullBox('hdlr', 0, 0, u32(0), ascii('vide'), u32(0, 0, 0), bytes(0)),
      box(
        'minf',
        box('dinf', fullBox('dref', 0, 0, u32(1), fullBox('url ', 0, 1))),
        sampleTable(mediaAt, boxOverrides),
      ),
    ),
  );
  const mvhd = fullBox(
    'mvhd',
    0,
    0,
    u32(0, 0, 1000, 700, 0x10000),
    u16(0x100, 0),
    u32(0, 0),
    matrix,
    Buffer.alloc(28),
  );
  const mvex = box('mvex', fullBox('trex', 0, 0, u32(1, 1, 100, 5, 0)));
  return Buffer.concat([
    box('ftyp', ascii('isom'), u32(1)),
    box('mdat', Buffer.alloc(200, 0x5a)),
    box('moov', mvhd, trak, ...(fragments.length > 0 ? [mvex] : [])),
    ...fragments,
  ]);
}

/** A file in memory. `reads` records its reads. */
export function memorySource(
  file: Buffer,
): ByteSource & { readonly reads: { count: number; bytes: number } } {
  const reads = { count: 0, bytes: 0 };
  return {
    size: file.length,
    reads,
    read: (offset, length) => {
      reads.count += 1;
      reads.bytes += length;
      return Promise.resolve(file.subarray(offset, offset + length));
    },
  };
}
