import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { VIDEO_TIMESCALE } from '@/media-worker/media/cmaf/init-segment';
import { buildMediaPart } from '@/media-worker/media/cmaf/media-part';
import { MovieError } from './byte-source';
import { buildIndexedInit } from './indexed-hls';
import { sampleEntries } from './lay-out-video';
import type { IndexedFile } from './open-segment';
import type { SampleList } from './sample-list';
import { startOf, startsOf } from './presentation-start';
import { readLines } from './stored-lines';

/** A keyframe with its position in the file, or in the index if the keyframe was encoded for the index. */
interface Keyframe {
  /** Whether it is in the file or in the index; see `sampleEntries`. */
  readonly entry: number;
  readonly offset: number;
  readonly size: number;
}

/** A keyframe up to this long after a time is still used: audio may start up to two frames before the video. */
const TOLERANCE_SECONDS = 0.1;
/** Larger keyframes are left out, because no encoder writes them. */
const MAX_KEYFRAME_BYTES = 32 * 2 ** 20;

/**
 * Writes an MP4 with one keyframe per time: the last keyframe shown at that time, otherwise the first one after it.
 * Only these keyframes are read, so a long file costs as little as a short one.
 * @param times seconds from 0, in ascending order
 * @returns false if the file has no video, several periods, or no usable keyframe for a time
 * @throws IndexError, MovieError, StorageError
 */
export async function writeKeyframes(
  indexedFile: IndexedFile,
  times: readonly number[],
  path: string,
): Promise<boolean> {
  const [period, ...otherPeriods] = indexedFile.head.periods;
  if (!period?.video || otherPeriods.length > 0) return false;
  const keyframes = await findKeyframes(indexedFile, times);
  if (keyframes.length < times.length) return false;
  const init = buildIndexedInit({ video: period.video, audio: undefined });
  const content = writeParts(indexedFile, { init, times, keyframes });
  await pipeline(Readable.from(content, { objectMode: false }), createWriteStream(path));
  return true;
}

interface KeyframesFile {
  readonly init: Buffer;
  readonly times: readonly number[];
  /** One keyframe per time. */
  readonly keyframes: readonly Keyframe[];
}

async function* writeParts(indexedFile: IndexedFile, content: KeyframesFile): AsyncGenerator<Buffer> {
  const { init, times, keyframes } = content;
  yield init;
  let lastRead: { readonly keyframe: Keyframe; readonly data: Buffer } | undefined;
  // The same keyframe may be used for several times.
  for (const [index, keyframe] of keyframes.entries()) {
    if (lastRead?.keyframe.offset !== keyframe.offset || lastRead.keyframe.entry !== keyframe.entry)
      lastRead = { keyframe, data: await readKeyframe(indexedFile, keyframe) };
    const start = ticksOf(times[index] ?? 0);
    const end = ticksOf(times[index + 1] ?? (times[index] ?? 0) + 1);
    const sample = { data: lastRead.data, duration: end - start, compositionOffset: 0, key: true };
    yield* buildMediaPart({ sequence: index + 1, video: { start, samples: [sample] }, audio: undefined });
  }
}

const ticksOf = (seconds: number): number => Math.round(seconds * VIDEO_TIMESCALE);

async function readKeyframe(
  { file, index, head }: IndexedFile,
  { entry, offset, size }: Keyframe,
): Promise<Buffer> {
  const data = await (entry === sampleEntries.source
    ? file.read(offset, size)
    : index.read(head.encodedAt + offset, size));
  if (data.length < size) throw new MovieError('it is shorter than in its index');
  return data;
}

async function findKeyframes({ index, head }: IndexedFile, times: readonly number[]): Promise<Keyframe[]> {
  const keyframes: Keyframe[] = [];
  const [firstSegment] = head.segments;
  if (!firstSegment) return keyframes;
  const firstLines = await readLines(index, firstSegment);
  const mediaStartSeconds = startOf(startsOf(firstLines, head.periods[firstSegment.period]));
  let [openedSegmentNumber, lines] = [0, firstLines.video];
  for (const timeSeconds of times) {
    const number = head.segments.findLastIndex(({ startSeconds }) => startSeconds <= timeSeconds);
    const segment = head.segments[number];
    if (segment && number !== openedSegmentNumber) {
      lines = (await readLines(index, segment)).video;
      openedSegmentNumber = number;
    }
    // A segment may have no keyframe: the previous keyframe is still shown.
    const keyframe =
      findKeyframe(lines, mediaStartSeconds + timeSeconds + TOLERANCE_SECONDS) ?? keyframes.at(-1);
    if (keyframe) keyframes.push(keyframe);
  }
  return keyframes;
}

/** The last keyframe shown at a time, otherwise the first one after it. */
function findKeyframe(lines: SampleList, mediaSeconds: number): Keyframe | null {
  let keyframe: Keyframe | null = null;
  for (let sample = 0; sample < lines.count; sample++) {
    const size = lines.size[sample] ?? 0;
    if (lines.key[sample] !== 1 || size > MAX_KEYFRAME_BYTES) continue;
    if (keyframe && lines.pts(sample) > ticksOf(mediaSeconds)) break;
    keyframe = { entry: lines.entry[sample] ?? 0, offset: lines.offset[sample] ?? 0, size };
  }
  return keyframe;
}
