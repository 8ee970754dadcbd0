import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import {
  apng,
  type Container,
  CONTAINER_HEAD_BYTES,
  detectContainer,
  mp4,
  tagBytes,
} from '@/lib/core/media/container';
import { notMediaMessage } from '@/lib/core/media/not-media';
import {
  type FileHandling,
  type ProbedFile,
  chooseHandling,
  unknownContainerMessage,
} from '@/lib/core/media/conversion';
import { type MediaRules, type Mp4Outline, type TopBox, mp4OutlineFault } from '@/lib/core/media/media-rules';
import {
  type ProbeReport,
  findPlayedTracks,
  videoDuration,
  withProbedSeconds,
} from '@/lib/core/media/media-probe';
import { probe } from '@/media-worker/media/ffmpeg/probe';
import { withFile } from '@/media-worker/vod/index/byte-source';
import { findHiddenVideo } from '@/media-worker/vod/index/played-tracks';
import { detectAnimation, readApngSeconds } from './animated-picture';
import { hasEncryptedTrack } from './encrypted-track';

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
const MAX_BOXES = 200_000;
const HEADER_BYTES = 16;

/** Lists the top-level boxes of a file. Reads only their headers, so the size of the file does not matter. */
export async function readOutline(path: string): Promise<Mp4Outline> {
  const file = await open(path, 'r');
  try {
    const { size: fileSize } = await file.stat();
    const boxes: TopBox[] = [];
    let brand = '';
    for (let start = 0; fileSize - start >= 8 && boxes.length < MAX_BOXES;) {
      const header = await readHeader(file, start);
      const box = { type: readBoxType(header), start, size: readBoxSize(header, fileSize - start) };
      if (boxes.length === 0) brand = header.subarray(8, 12).toString('latin1');
      boxes.push(box);
      start += box.size;
    }
    return { brand, boxes, fileSize };
  } finally {
    await file.close();
  }
}

async function readHeader(file: FileHandle, position: number): Promise<Buffer> {
  const header = Buffer.alloc(HEADER_BYTES);
  await file.read(header, 0, HEADER_BYTES, position);
  return header;
}

function readBoxType(header: Buffer): string {
  return header
    .subarray(4, 8)
    .toString('latin1')
    .replace(/[^A-Za-z0-9 _-]/g, '?');
}

/**
 * Size of a box. The value 0 means that the box lasts to the end of the file, and 1 that a 64-bit size follows. A
 * box with an invalid size ends after the file, so that the outline is rejected.
 */
function readBoxSize(header: Buffer, bytesLeft: number): number {
  const size32 = header.readUInt32BE(0);
  if (size32 === 0) return bytesLeft;
  const size = size32 === 1 ? Number(header.readBigUInt64BE(8)) : size32;
  return size < 8 ? bytesLeft + 1 : size;
}

async function readHead(path: string, start = 0): Promise<Uint8Array> {
  const file = await open(path, 'r');
  try {
    const head = Buffer.alloc(CONTAINER_HEAD_BYTES);
    const { bytesRead } = await file.read(head, 0, head.length, start);
    return head.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

export interface AcceptedFile extends ProbedFile {
  readonly accepted: true;
  readonly handling: Exclude<FileHandling, { kind: 'reject' }>;
}
export type Acceptance = AcceptedFile | { readonly accepted: false; readonly reason: string };

const encryptedReason = 'the file is encrypted (DRM); only files without encryption are accepted';
const rejection = (reason: string): Acceptance => ({ accepted: false, reason });

/**
 * Decides whether a file is accepted and how it is processed. Its boxes are read first, because that costs less than
 * ffprobe.
 * @returns the ffprobe report, the container and the decision, or the reason of the rejection for the uploader
 * @throws ProbeFault or a file system error if the file could not be inspected
 */
export async function acceptFile(
  path: string,
  rules: MediaRules = {},
  signal?: AbortSignal,
): Promise<Acceptance> {
  const inspection = await inspectBoxes(path, rules);
  if (typeof inspection === 'string') return rejection(inspection);
  const probeResult = await probeTracks(path, inspection.container, signal);
  if (!probeResult.ok) return rejection(probeResult.reason);
  const file = { ...inspection, report: probeResult.report };
  const handling = chooseHandling(file, rules);
  if (handling.kind !== 'reject') return { accepted: true, ...file, handling };
  if (inspection.container.demuxer !== mp4.demuxer) return rejection(handling.reason);
  const hiddenVideo = await withFile(path, findHiddenVideo);
  if (hiddenVideo === 'none') return rejection(handling.reason);
  return (hiddenVideo === 'with-audio' && acceptAudio(file, rules)) || rejection(hiddenVideoReason);
}

/**
 * Accepts the audio of a file whose edit list hides all of its video.
 * @returns null if the rules require video
 */
function acceptAudio(file: ProbedFile, rules: MediaRules): Acceptance | null {
  const streams = file.report.streams.filter(({ codec_type }) => codec_type !== 'video');
  const audioFile = { ...file, report: { ...file.report, streams } };
  const handling = chooseHandling(audioFile, rules);
  if (handling.kind === 'reject') return null;
  // Players of the unchanged file would show its video.
  return { accepted: true, ...audioFile, handling: handling.kind === 'play' ? { kind: 'remux' } : handling };
}

const hiddenVideoReason = 'no frame of the video is shown: its edit list has only empty edits';

/**
 * Probes a file. An MP4 without a duration is probed again without its edit lists: an edit without a duration lasts to the
 * end of the media, but ffprobe reads it as a track of no duration, or rejects the file. ffprobe does not report the duration
 * of an APNG.
 */
async function probeTracks(path: string, container: Container, signal: AbortSignal | undefined) {
  const probeResult = await probe(path, { signal, container });
  if (probeResult.ok && container === apng) {
    const seconds = await withFile(path, readApngSeconds);
    return { ...probeResult, report: withProbedSeconds(probeResult.report, seconds) };
  }
  return container.demuxer !== mp4.demuxer || (probeResult.ok && hasDuration(probeResult.report))
    ? probeResult
    : probe(path, { signal, container, ignoresEdits: true });
}

const hasDuration = (report: ProbeReport): boolean =>
  !findPlayedTracks(report).video || videoDuration(report) > 0;

/** @returns the reason if the file is rejected */
async function inspectBoxes(
  path: string,
  { accept }: MediaRules,
): Promise<{ readonly container: Container; readonly outline: Mp4Outline } | string> {
  const head = await readHead(path);
  const animation = await withFile(path, detectAnimation);
  if (typeof animation === 'string') return animation;
  const notMediaReason = animation ? null : notMediaMessage(head);
  if (notMediaReason) return notMediaReason;
  const detectedContainer = animation ?? detectContainer(head, await readHead(path, tagBytes(head)));
  if (accept !== 'any' && detectedContainer && detectedContainer.demuxer !== mp4.demuxer)
    return `the container is ${detectedContainer.label}; MP4 is accepted`;
  const container = accept === 'any' ? detectedContainer : mp4;
  if (container?.demuxer === mp4.demuxer) {
    const outline = await readOutline(path);
    const outlineFault = mp4OutlineFault(outline, accept);
    if (outlineFault) return outlineFault;
    return (await hasEncryptedTrack(path, outline)) ? encryptedReason : { container, outline };
  }
  const { size: fileSize } = await stat(path);
  if (fileSize === 0) return 'the file is empty';
  return container ? { container, outline: { brand: '', boxes: [], fileSize } } : unknownContainerMessage();
}
