import { open, rm } from 'node:fs/promises';
import { type ByteSource, withFile } from '@/media-worker/vod/index/byte-source';

/** IDs of Matroska elements (RFC 9559 §5). */
const ids = {
  ebml: 0x1a45dfa3,
  segment: 0x18538067,
  seekHead: 0x114d9b74,
  cues: 0x1c53bb6b,
  cluster: 0x1f43b675,
  timestamp: 0xe7,
  simpleBlock: 0xa3,
  blockGroup: 0xa0,
  block: 0xa1,
  crc: 0xbf,
  void: 0xec,
} as const;
/** Elements that are left out of a shifted copy, because their positions or sums would be wrong. */
const positionElements: readonly number[] = [ids.seekHead, ids.cues, ids.crc, ids.void];
/** Elements whose children are listed instead of their content. */
const masters: readonly number[] = [ids.segment, ids.cluster];
const UNKNOWN_SIZE = Buffer.from('01ffffffffffffff', 'hex');
/** Maximum number of blocks that are read to find the start. */
const MAX_BLOCKS = 2_000;
const COPY_BYTES = 1_048_576;
/** Later clusters have no negative times, because blocks are at most this many ticks before their cluster. */
const MAX_EARLY_TICKS = 0x8000;

interface Element {
  readonly id: number;
  readonly start: number;
  readonly dataStart: number;
  /** End of the element; null if its size is unknown. */
  readonly end: number | null;
}

/**
 * Copies a Matroska file whose first frames have negative times, which ffmpeg ignores, so that it starts at zero.
 * @returns the path of the copy; null if the file has no negative times, or cannot be read as Matroska
 */
export function startAtZero(path: string, output: string): Promise<string | null> {
  return withFile(path, async (source) => {
    const start = await readStart(source);
    if (start >= 0) return null;
    await rm(output, { force: true });
    const file = await open(output, 'w');
    try {
      await writeShifted(source, -start, async (data) => void (await file.write(data)));
    } finally {
      await file.close();
    }
    return output;
  });
}

/** The lowest time of the first blocks in ticks of the file; 0 without blocks. */
async function readStart(source: ByteSource): Promise<number> {
  let [start, blocks, clusterTime] = [Infinity, 0, 0];
  for await (const element of elementsOf(source, [...masters, ids.blockGroup])) {
    const { id, dataStart } = element;
    if (id === ids.timestamp) clusterTime = await readNumber(source, element);
    if (clusterTime >= MAX_EARLY_TICKS || blocks >= MAX_BLOCKS) break;
    if (id !== ids.simpleBlock && id !== ids.block) continue;
    blocks += 1;
    const head = await source.read(dataStart, 11);
    const trackBytes = lengthOf(head[0] ?? 0);
    if (head.length < trackBytes + 2) break;
    start = Math.min(start, clusterTime + head.readInt16BE(trackBytes));
  }
  return Number.isFinite(start) ? start : 0;
}

/** Writes the file with `ticks` added to the times of all clusters. */
async function writeShifted(
  source: ByteSource,
  ticks: number,
  write: (data: Buffer) => Promise<void>,
): Promise<void> {
  for await (const element of elementsOf(source, masters)) {
    const { id, start, end } = element;
    if (positionElements.includes(id)) continue;
    if (id === ids.segment || id === ids.cluster)
      await write(Buffer.concat([await source.read(start, 4), UNKNOWN_SIZE]));
    else if (id === ids.timestamp) {
      const time = Buffer.alloc(10);
      time.writeUInt16BE(0xe788);
      time.writeBigUInt64BE(BigInt(ticks + (await readNumber(source, element))), 2);
      await write(time);
    } else
      for (let at = start; at < (end ?? at); at += COPY_BYTES)
        await write(await source.read(at, Math.min(COPY_BYTES, (end ?? at) - at)));
  }
}

/**
 * The elements of a file in their order, up to the first invalid one.
 * @param entered IDs of the elements that are followed by their children
 */
async function* elementsOf(source: ByteSource, entered: readonly number[]): AsyncGenerator<Element> {
  for (let at = 0; at < source.size;) {
    const element = await readElement(source, at);
    if (!element || (at === 0 && element.id !== ids.ebml)) return;
    const isMaster = entered.includes(element.id);
    if (!isMaster && element.end === null) return;
    yield element;
    at = isMaster ? element.dataStart : (element.end ?? source.size);
  }
}

async function readElement(source: ByteSource, start: number): Promise<Element | null> {
  const head = await source.read(start, 12);
  const idBytes = lengthOf(head[0] ?? 0);
  const sizeBytes = lengthOf(head[idBytes] ?? 0);
  if (idBytes > 4 || sizeBytes > 8 || head.length < idBytes + sizeBytes) return null;
  const dataStart = start + idBytes + sizeBytes;
  const sizeHead = (head[idBytes] ?? 0) & (0xff >> sizeBytes);
  const tail = head.subarray(idBytes + 1, idBytes + sizeBytes);
  const isUnknown = sizeHead === 0xff >> sizeBytes && tail.every((byte) => byte === 0xff);
  const size = tail.reduce((sum, byte) => sum * 256 + byte, sizeHead);
  const end = isUnknown ? null : Math.min(dataStart + size, source.size);
  return { id: head.readUIntBE(0, idBytes), start, dataStart, end };
}

/** Number of bytes of a variable-size integer with this first byte; 9 for an invalid one. */
const lengthOf = (first: number): number => Math.clz32(first) - 23;

async function readNumber(source: ByteSource, { dataStart, end }: Element): Promise<number> {
  const data = await source.read(dataStart, Math.min(8, (end ?? dataStart) - dataStart));
  return data.reduce((sum, byte) => sum * 256 + byte, 0);
}
