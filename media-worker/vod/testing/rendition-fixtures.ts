import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { VodRendition } from '@/lib/core/renditions/vod-ladder';
import { assetKey } from '@/lib/core/storage-keys';
import { createVideoSpec } from '@/lib/core/media/video-spec';
import { openLocalStorage } from '@/lib/infra/storage/local-driver';
import { acceptFile } from '@/media-worker/vod/import/accept-file';
import { encodeSegment } from '@/media-worker/vod/renditions/encode-segment';
import { listFilesBelow } from '@/media-worker/vod/import/files-below';
import { writeIndexedHls } from '@/media-worker/vod/index/testing/write-hls';
import { readRenditionSource, type RenditionSource } from '@/media-worker/vod/renditions/rendition-source';
import { openSubstitute } from '@/media-worker/vod/renditions/substitute-segment';

type LocalStorage = ReturnType<typeof openLocalStorage>;
const signal = new AbortController().signal;

/** ffmpeg arguments of a video input in which frame n has the brightness `20 + (53 n mod 200)`. */
export const numberedFrameArgs = (size: string, rate: string, seconds: number): string[] => [
  '-f',
  'lavfi',
  '-i',
  `nullsrc=s=${size}:r=${rate}:d=${seconds},geq=lum='20+mod(N*53\\,200)':cb=128:cr=128`,
];

/** The HLS of an MP4 in its own storage, as viewers get it. */
export async function storeHls(folder: string, path: string, assetId: string) {
  const storage = openLocalStorage(join(folder, 'storage'));
  const acceptance = await acceptFile(path, { isOwnFile: true }, signal);
  if (!acceptance.accepted) throw new Error(acceptance.reason);
  const hls = join(folder, `hls-${assetId}`);
  const video = createVideoSpec(acceptance.report).tracks.find((track) => track.type === 'video');
  const frameRate = video && 'fps' in video ? video.fps : undefined;
  await writeIndexedHls(path, hls, { frameRate, dataDir: folder });
  for (const file of await listFilesBelow(hls))
    await storage.putFile(assetKey(assetId, `hls/${file}`), join(hls, file), { keep: true });
  return { storage, source: await readRenditionSource(storage, assetId) };
}

/** Tells which segments of the rendition are replaced by those of the source. */
type IsSubstitute = (index: number) => boolean;

/**
 * Joins the init segment and all segments of a rendition in one file.
 * @returns the path of the file
 */
export async function joinRendition(
  folder: string,
  { storage, source }: { readonly storage: LocalStorage; readonly source: RenditionSource },
  rendition: VodRendition,
  isSubstitute: IsSubstitute = () => false,
): Promise<string> {
  const encodingOptions = { storage, dataDir: folder, threads: 1, signal };
  const { init } = await encodeSegment(encodingOptions, source, { rendition, index: 0, frames: 1 });
  const pieces: Buffer[] = [init];
  for (const [index, { uri }] of source.playlist.segments.entries()) {
    if (isSubstitute(index))
      pieces.push(await buffer(await (await openSubstitute(storage, source, uri)).open()));
    else pieces.push(...(await encodeSegment(encodingOptions, source, { rendition, index })).segment);
  }
  const path = join(folder, `${source.filesId}-${rendition.name}.mp4`);
  writeFileSync(path, Buffer.concat(pieces));
  return path;
}

/**
 * Encodes all renditions to a folder that any file server can serve: `index.m3u8` and a folder for each rendition.
 * @returns the path of the folder
 */
export async function encodeRenditions(
  folder: string,
  { storage, source }: { readonly storage: LocalStorage; readonly source: RenditionSource },
): Promise<string> {
  const { filesId, playlist, renditions, master } = source;
  const hls = join(folder, `hls-${filesId}`);
  writeFileSync(join(hls, 'index.m3u8'), master);
  const encodingOptions = { storage, dataDir: folder, threads: 1, signal };
  for (const rendition of renditions) {
    const renditionFolder = join(hls, rendition.name);
    mkdirSync(renditionFolder);
    copyFileSync(join(hls, 'source', 'index.m3u8'), join(renditionFolder, 'index.m3u8'));
    for (const [index, { uri }] of playlist.segments.entries()) {
      const { init, segment } = await encodeSegment(encodingOptions, source, { rendition, index });
      writeFileSync(join(renditionFolder, playlist.segments[index]?.init ?? ''), init);
      writeFileSync(join(renditionFolder, uri), Buffer.concat(segment));
    }
  }
  return hls;
}

/**
 * Joins the segments of the source in one file.
 * @returns the path of the file
 */
export function joinSource(folder: string, { filesId, playlist, periods }: RenditionSource): string {
  const hls = join(folder, `hls-${filesId}`, 'source');
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${filesId}-source.mp4`);
  writeFileSync(
    path,
    Buffer.concat([
      ...[...periods.values()].map(({ init }) => init),
      ...playlist.segments.map(({ uri }) => readFileSync(join(hls, uri))),
    ]),
  );
  return path;
}

const outputLines = (program: string, args: readonly string[]): string[] =>
  execFileSync(program, args, { maxBuffer: 2 ** 26, stdio: ['ignore', 'pipe', 'pipe'] })
    .toString()
    .trim()
    .split('\n');

/** Packets of one track from ffprobe, `pts,dts` or other fields, in file order. */
export const readPacketTimes = (path: string, track: 'v' | 'a', fields = 'pts,dts'): string[] =>
  outputLines('ffprobe', [
    ...['-v', 'error', '-ignore_editlist', '1', '-select_streams', track],
    ...['-show_entries', `packet=${fields}`, '-of', 'csv=p=0', path],
  ]).filter((line) => line !== '');

/** Time and brightness of each frame as it is shown. */
export function readPresentedFrames(path: string): { readonly pts: string; readonly luma: number }[] {
  return outputLines('ffprobe', [
    ...['-v', 'error', '-f', 'lavfi', '-i', `movie=${path},scale=64:36,signalstats`],
    ...['-show_entries', 'frame=pts_time:frame_tags=lavfi.signalstats.YAVG', '-of', 'csv=p=0'],
  ]).map((line) => {
    const [pts = '', luma = ''] = line.split(',');
    return { pts, luma: Number(luma) };
  });
}

/** ffmpeg's messages while it decodes a whole file. */
export function readDecodingErrors(path: string): string {
  const args = [
    '-v',
    'warning',
    '-xerror',
    '-i',
    path,
    '-fps_mode',
    'passthrough',
    '-enc_time_base',
    '1:90000',
    '-f',
    'null',
    '-',
  ];
  return execFileSync('sh', ['-c', 'exec ffmpeg "$@" 2>&1', 'sh', ...args]).toString();
}

/** Hash of the audio's packets. */
export const hashAudioPackets = (path: string): string =>
  outputLines('ffmpeg', ['-v', 'error', '-i', path, '-map', '0:a', '-c', 'copy', '-f', 'md5', '-']).join('');
