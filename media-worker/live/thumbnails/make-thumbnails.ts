import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { scratchFolder } from '@/media-worker/kit/process/scratch-folder';
import type { Renditions } from '@/media-worker/media/packaging/rendition';
import type { LiveWindow } from '@/media-worker/media/packaging/window';
import { runFfmpeg } from '@/media-worker/media/ffmpeg/run';
import { planThumbnails, thumbnailSize } from '@/media-worker/media/ffmpeg/thumbnail-args';

/** The input of one thumbnail. */
export interface ThumbnailSource {
  /** Name of the segment, which changes with every segment. */
  readonly name: string;
  /** An init segment followed by a part that starts with a keyframe. */
  readonly bytes: readonly Buffer[];
  readonly width: number;
  readonly height: number;
}

/** Minimum width and height of a rendition for thumbnails; smaller renditions give poor thumbnails. */
const MIN_SIDE = 180;

/** Finds the newest keyframe of the rendition that is cheapest to decode; null without video. */
export function findThumbnailSource({ all, source }: Renditions): ThumbnailSource | null {
  const pixels = (window: LiveWindow) => {
    const { width = 0, height = 0 } = window.measure()?.resolution ?? {};
    return Math.min(width, height) >= MIN_SIDE ? width * height : Infinity;
  };
  const smallest = all.reduce(
    (best, candidate) => (pixels(candidate.window) < pixels(best.window) ? candidate : best),
    source,
  );
  return newestKeyframeOf(smallest.window) ?? newestKeyframeOf(source.window);
}

function newestKeyframeOf(window: LiveWindow): ThumbnailSource | null {
  const resolution = window.measure()?.resolution;
  if (!resolution) return null;
  const { open, segments } = window.view();
  const newest = [open, ...segments.toReversed()].find(
    (segment) => segment?.independent && segment.parts.length > 0,
  );
  if (!newest) return null;
  const [init, part] = [window.findInit(newest.init), window.findPart(newest.msn, 0)?.data];
  if (!init || !part) return null;
  return { name: `${newest.init} ${newest.msn}`, bytes: [init, ...part], ...thumbnailSize(resolution) };
}

const TIMEOUT_MS = 10_000;
/** Thirty decoders of 1080p together need a third of this memory. */
const sandbox = { memory: 2_000_000_000, fileSize: 1_048_576, cpuSeconds: 30 };
/** A larger JPEG is discarded. */
const MAX_BYTES = 524_288;

/**
 * Makes one JPEG per source, in order, with one ffmpeg without network and within limits; null for a thumbnail that failed.
 * Rejects if there is no disk space.
 */
export async function makeThumbnails(sources: readonly ThumbnailSource[]): Promise<(Buffer | null)[]> {
  const folder = await mkdtemp(join(scratchFolder(), 'thumbnails-'));
  try {
    const jobs = sources.map(({ width, height }, index) => ({
      input: join(folder, `${index}.mp4`),
      output: join(folder, `${index}.jpg`),
      width,
      height,
    }));
    await Promise.all(
      jobs.map(({ input }, index) => writeFile(input, Buffer.concat([...(sources[index]?.bytes ?? [])]))),
    );
    // The exit code says nothing about single thumbnails, so the files are checked.
    await runFfmpeg(planThumbnails(jobs), { sandbox, signal: AbortSignal.timeout(TIMEOUT_MS) }).whenDone;
    return await Promise.all(jobs.map(({ output }) => readThumbnail(output)));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The JPEG in a file; null if the file is missing or incomplete. */
async function readThumbnail(path: string): Promise<Buffer | null> {
  const bytes = await readFile(path).catch(() => null);
  if (!bytes || bytes.length > MAX_BYTES || bytes.length < 4) return null;
  // Markers of the start and the end of the image.
  return bytes.readUInt16BE(0) === 0xffd8 && bytes.readUInt16BE(bytes.length - 2) === 0xffd9 ? bytes : null;
}
