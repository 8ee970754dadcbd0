import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import type { ProbeReport } from '@/lib/core/media/media-probe';
import {
  type MediaRules,
  type Mp4Outline,
  type TopBox,
  brokenOutline,
  refusalOf,
} from '@/lib/core/media/media-rules';
import { probe } from '../ffmpeg/probe';

/** Computes the MD5 and SHA-256 of a file in one read. */
export async function hashFile(
  path: string,
  signal: AbortSignal,
): Promise<{ hash: string; algorithm: string }[]> {
  const hashes = { md5: createHash('md5'), sha256: createHash('sha256') };
  for await (const chunk of createReadStream(path, { highWaterMark: 1_048_576, signal })) {
    for (const hash of Object.values(hashes)) hash.update(chunk as Buffer);
  }
  return Object.entries(hashes).map(([algorithm, hash]) => ({ hash: hash.digest('hex'), algorithm }));
}

/** A fragmented file has two boxes per fragment, so this allows a day of one-second fragments. */
const maxBoxes = 200_000;
const headerBytes = 16;

/** Lists the top-level boxes of a file. Reads only their headers, so the size of the file does not matter. */
export async function readOutline(path: string): Promise<Mp4Outline> {
  const file = await open(path, 'r');
  try {
    const { size: fileSize } = await file.stat();
    const boxes: TopBox[] = [];
    let brand = '';
    for (let start = 0; fileSize - start >= 8 && boxes.length < maxBoxes;) {
      const header = await read(file, start);
      const box = { type: typeOf(header), start, size: sizeOf(header, fileSize - start) };
      if (boxes.length === 0) brand = header.subarray(8, 12).toString('latin1');
      boxes.push(box);
      start += box.size;
    }
    return { brand, boxes, fileSize };
  } finally {
    await file.close();
  }
}

async function read(file: FileHandle, position: number): Promise<Buffer> {
  const header = Buffer.alloc(headerBytes);
  await file.read(header, 0, headerBytes, position);
  return header;
}

function typeOf(header: Buffer): string {
  return header
    .subarray(4, 8)
    .toString('latin1')
    .replace(/[^A-Za-z0-9 _-]/g, '?');
}

/** Size 0 means "to the end of the file"; 1 means that a 64-bit size follows. An invalid size ends past the file. */
function sizeOf(header: Buffer, left: number): number {
  const short = header.readUInt32BE(0);
  if (short === 0) return left;
  const size = short === 1 ? Number(header.readBigUInt64BE(8)) : short;
  return size < 8 ? left + 1 : size;
}

export type Acceptance =
  | { readonly accepted: true; readonly report: ProbeReport; readonly outline: Mp4Outline }
  | { readonly accepted: false; readonly reason: string };

/**
 * Decides whether a file is accepted. Reads its boxes first because that is cheaper than ffprobe.
 * @returns the ffprobe report and box outline, or the reason to show the uploader
 * @throws ProbeFault or a file system error when the file could not be inspected
 */
export async function acceptFile(
  path: string,
  rules: MediaRules = {},
  signal?: AbortSignal,
): Promise<Acceptance> {
  const outline = await readOutline(path);
  const broken = brokenOutline(outline);
  if (broken) return { accepted: false, reason: broken };
  const probed = await probe(path, signal ? { signal } : {});
  if (!probed.ok) return { accepted: false, reason: probed.reason };
  const reason = refusalOf(probed.report, rules);
  return reason ? { accepted: false, reason } : { accepted: true, report: probed.report, outline };
}
