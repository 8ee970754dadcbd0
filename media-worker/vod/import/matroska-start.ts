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
/**
 * Elements that are left out of a shifted copy: their byte positions and checksums would be wrong, and padding is not needed.
 * Chapters may keep their times, because the import reads chapters from the original file.
 */
const droppedElements: readonly number[] = [ids.seekHead, ids.cues, ids.crc, ids.void];
/** Elements of which a shifted copy gets a new header and the children: they are not copied as a whole, as other elements are. */
const enteredElements: readonly number[] = [ids.segment, ids.cluster];
/** The size "unknown" with eight bytes (RFC 8794 §6.2): a shifted copy is not measured before it is written. */
const UNKNOWN_SIZE = Buffer.from('01ffffffffffffff', 'hex');
/** Maximum number of blocks that are read to find the start. */
const MAX_BLOCKS = 2_000;
const COPY_BYTES = 1_048_576;
/**
 * Largest number of ticks by which a block is before its cluster: relative times have 16 bits. A cluster from this time on, and
 * all later ones, have no negative times.
 */
const MAX_EARLY_TICKS = 0x8000;

/** A Matroska element; positions are in bytes from the start of the file. */
interface Element {
  readonly id: number;
  readonly start: number;
  readonly dataStart: number;
  /** End of the element, at most the size of the file; null if the size of the element is unknown. */
  readonly end: number | null;
}

/**
 * Copies a Matroska file whose first frames have negative times, so that it starts at zero. ffmpeg reads such frames as if they
 * had no times, and would play them within an instant.
 * @returns the path of the copy; null if the file has no negative times, or cannot be read as Matroska
 */
export function shiftStartToZero(path: string, outputPath: string): Promise<string | null> {
  return withFile(path, async (source) => {
    const startTicks = await readStartTicks(source);
    if (startTicks >= 0) return null;
    await rm(outputPath, { force: true });
    const file = await open(outputPath, 'w');
    try {
      await writeShifted(source, -startTicks, async (data) => void (await file.write(data)));
    } finally {
      await file.close();
    }
    return outputPath;
  });
}

/** The lowest time of the first blocks in ticks of the file; 0 without blocks. */
async function readStartTicks(source: ByteSource): Promise<number> {
  let [startTicks, blockCount, clusterTicks] = [Infinity, 0, 0];
  for await (const element of readElements(source, [...enteredElements, ids.blockGroup])) {
    const { id, dataStart } = element;
    if (id === ids.timestamp) clusterTicks = await readUnsignedInteger(source, element);
    if (clusterTicks >= MAX_EARLY_TICKS || blockCount >= MAX_BLOCKS) break;
    if (id !== ids.simpleBlock && id !== ids.block) continue;
    blockCount += 1;
    // A block begins with its track number of 1 to 8 bytes, its time relative to the cluster (16 bits with a sign), and a byte
    // of flags: at most 11 bytes.
    const blockHead = await source.read(dataStart, 11);
    const trackBytes = vintLength(blockHead[0] ?? 0);
    if (blockHead.length < trackBytes + 2) break;
    startTicks = Math.min(startTicks, clusterTicks + blockHead.readInt16BE(trackBytes));
  }
  return Number.isFinite(startTicks) ? startTicks : 0;
}

/** Writes the file with `ticks` added to the times of all clusters. */
async function writeShifted(
  source: ByteSource,
  ticks: number,
  write: (data: Buffer) => Promise<void>,
): Promise<void> {
  for await (const element of readElements(source, enteredElements)) {
    const { id, start, end } = element;
    if (droppedElements.includes(id)) continue;
    // IDs of segments and clusters have four bytes.
    if (id === ids.segment || id === ids.cluster)
      await write(Buffer.concat([await source.read(start, 4), UNKNOWN_SIZE]));
    else if (id === ids.timestamp) {
      const timestampElement = Buffer.alloc(10);
      // The ID of a timestamp, and its size: eight bytes.
      timestampElement.writeUInt16BE(0xe788);
      timestampElement.writeBigUInt64BE(BigInt(ticks + (await readUnsignedInteger(source, element))), 2);
      await write(timestampElement);
    } else
      for (let copyStart = start; copyStart < (end ?? copyStart); copyStart += COPY_BYTES)
        await write(await source.read(copyStart, Math.min(COPY_BYTES, (end ?? copyStart) - copyStart)));
  }
}

/**
 * The elements of a file in their order, up to the first invalid one.
 * @param enteredIds IDs of elements whose children are yielded after them; the children of other elements are not yielded
 */
async function* readElements(source: ByteSource, enteredIds: readonly number[]): AsyncGenerator<Element> {
  for (let elementStart = 0; elementStart < source.size;) {
    const element = await readElement(source, elementStart);
    if (!element || (elementStart === 0 && element.id !== ids.ebml)) return;
    const isEntered = enteredIds.includes(element.id);
    if (!isEntered && element.end === null) return;
    yield element;
    elementStart = isEntered ? element.dataStart : (element.end ?? source.size);
  }
}

async function readElement(source: ByteSource, start: number): Promise<Element | null> {
  // An ID has up to 4 bytes, a size up to 8.
  const head = await source.read(start, 12);
  const idBytes = vintLength(head[0] ?? 0);
  const sizeBytes = vintLength(head[idBytes] ?? 0);
  if (idBytes > 4 || sizeBytes > 8 || head.length < idBytes + sizeBytes) return null;
  const dataStart = start + idBytes + sizeBytes;
  // The marker bit is part of an ID's value, but not of a size's. All other bits set to one mean that the size is unknown.
  const sizeHead = (head[idBytes] ?? 0) & (0xff >> sizeBytes);
  const tail = head.subarray(idBytes + 1, idBytes + sizeBytes);
  const isUnknownSize = sizeHead === 0xff >> sizeBytes && tail.every((byte) => byte === 0xff);
  const size = tail.reduce((sum, byte) => sum * 256 + byte, sizeHead);
  const end = isUnknownSize ? null : Math.min(dataStart + size, source.size);
  return { id: head.readUIntBE(0, idBytes), start, dataStart, end };
}

/**
 * Length in bytes of a variable-size integer (RFC 8794 §4) with this first byte: one more than the zero bits before its marker
 * bit; 9 for an invalid one.
 */
const vintLength = (firstByte: number): number => Math.clz32(firstByte) - 23;

async function readUnsignedInteger(source: ByteSource, { dataStart, end }: Element): Promise<number> {
  const data = await source.read(dataStart, Math.min(8, (end ?? dataStart) - dataStart));
  return data.reduce((sum, byte) => sum * 256 + byte, 0);
}
