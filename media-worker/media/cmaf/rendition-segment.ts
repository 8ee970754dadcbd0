import { type Payload, type VideoSample, buildMediaPart } from './media-part';
import type { FileRange, SegmentMedia, SegmentTrack } from './read-segment';
import { SOURCE_ENTRY } from './rendition-init';
import { readParameterSets } from './read-init';

/** Players ignore this number, so any value works. */
const SEQUENCE = 1;

const presentationTimesOf = (track: SegmentTrack<VideoSample<Payload>>): number[] => {
  let dts = track.start;
  return track.samples.map(({ duration, compositionOffset }) => {
    dts += duration;
    return dts - duration + compositionOffset;
  });
};

/** Earliest and latest presentation time of the frames of a segment. */
export function presentationRangeOf(track: SegmentTrack<VideoSample<Payload>>): {
  readonly fromTicks: number;
  readonly toTicks: number;
} {
  const times = presentationTimesOf(track).toSorted((a, b) => a - b);
  return { fromTicks: times[0] ?? 0, toTicks: times.at(-1) ?? 0 };
}

/** Whether frames are displayed before the first keyframe. They need frames of the previous segment. */
export function hasLeadingFrames(track: SegmentTrack<VideoSample<Payload>>): boolean {
  return (presentationTimesOf(track)[0] ?? 0) > presentationRangeOf(track).fromTicks;
}

/** The samples from the last keyframe on, or all if there is no keyframe. */
export function lastGop(track: SegmentTrack<VideoSample>): SegmentTrack<VideoSample> {
  const first = Math.max(
    0,
    track.samples.findLastIndex(({ key }) => key),
  );
  const skippedTicks = track.samples.slice(0, first).reduce((sum, { duration }) => sum + duration, 0);
  return { start: track.start + skippedTicks, end: track.end, samples: track.samples.slice(first) };
}

/** A frame from the encoder. */
export interface EncodedFrame {
  readonly data: Buffer;
  readonly key: boolean;
  /** Presentation time, in ticks of the source's timescale, from any origin. */
  readonly time: number;
}

/** The encoder returned no frame, or a frame whose time is not that of a frame of the source. */
export class FramesDifferError extends Error {
  override readonly name = 'FramesDifferError';
}

/**
 * A segment of a rendition: the encoded frames at the times of the source's frames, and the source's audio. Decode
 * times match the source as well: a player that switches at a segment boundary has neither gap nor overlap.
 * @param frames frames in display order, without B-frames; frames of the source may be missing
 * @param entry `avc1` box of the rendition
 * @throws FramesDifferError if there is no frame, or a frame has another time than the source's frames
 */
export function buildRenditionSegment(
  { video, audio }: SegmentMedia,
  frames: readonly EncodedFrame[],
  entry: Buffer,
): Buffer[] {
  const [first] = frames;
  if (!video || !first) throw new FramesDifferError('there is no frame');
  const shownTimes = presentationTimesOf(video).toSorted((a, b) => a - b);
  // Of frames with the same time, the first counts.
  const displayIndexes = new Map(shownTimes.map((time, index) => [time, index] as const).toReversed());
  const decodeTimes: number[] = [];
  let dts = video.start;
  for (const { duration } of video.samples) {
    decodeTimes.push(dts);
    dts += duration;
  }
  const timeOffset = (shownTimes[0] ?? 0) - first.time;
  // Without B-frames, frames are decoded in display order, so the n-th frame gets the n-th decode time of the source.
  const timedFrames = frames.map((frame, index) => {
    const time = timeOffset + frame.time;
    const decodeTime = decodeTimes[displayIndexes.get(time) ?? -1];
    if (decodeTime === undefined)
      throw new FramesDifferError(`frame ${index} is not shown with one of the source`);
    return { ...frame, time, dts: index === 0 ? video.start : decodeTime };
  });
  const sets = readParameterSets(entry);
  const samples = timedFrames.map((frame, index) => ({
    // The decoder may hold parameter sets of an earlier segment with the source's frames.
    data: index === 0 ? Buffer.concat([sets, frame.data]) : frame.data,
    duration: (timedFrames[index + 1]?.dts ?? video.end) - frame.dts,
    compositionOffset: frame.time - frame.dts,
    key: frame.key,
  }));
  return buildMediaPart({ sequence: SEQUENCE, video: { start: video.start, samples }, audio });
}

/** A sample made of consecutive pieces. */
interface JoinedData extends Payload {
  readonly pieces: readonly (Buffer | FileRange)[];
}

const joinPieces = (...pieces: (Buffer | FileRange)[]): JoinedData => ({
  length: pieces.reduce((sum, { length }) => sum + length, 0),
  pieces,
});

/**
 * The source's segment in place of a rendition's segment that is not encoded in time. It refers to its sample entry
 * for players that follow sample entries (QuickTime), and its parameter sets precede each keyframe for players that
 * only know the first entry.
 * @param entry `avc1` box of the source
 * @returns consecutive bytes: in memory, and in the source's segment
 */
export function substituteSegment(
  { video, audio }: SegmentMedia<FileRange>,
  entry: Buffer,
): (Buffer | FileRange)[] {
  const sets = readParameterSets(entry);
  const decodable = video && withoutLeading(video);
  const part = buildMediaPart<JoinedData>({
    sequence: SEQUENCE,
    video: decodable && {
      start: decodable.start,
      samples: decodable.samples.map((sample) => ({
        ...sample,
        data: sample.key ? joinPieces(sets, sample.data) : joinPieces(sample.data),
      })),
    },
    audio: audio && {
      ...audio,
      samples: audio.samples.map((sample) => ({ ...sample, data: joinPieces(sample.data) })),
    },
    videoEntry: SOURCE_ENTRY,
  });
  return part.flatMap((piece) => (Buffer.isBuffer(piece) ? piece : piece.pieces));
}

/**
 * Removes frames shown before the first keyframe: they refer to earlier frames of the source, which a decoder of
 * the rendition does not have. The preceding frame is shown longer.
 */
function withoutLeading<Data extends Payload>(
  track: SegmentTrack<VideoSample<Data>>,
): SegmentTrack<VideoSample<Data>> {
  if (!hasLeadingFrames(track)) return track;
  const shownTimes = presentationTimesOf(track);
  const samples: VideoSample<Data>[] = [];
  for (const [index, sample] of track.samples.entries()) {
    const last = samples.at(-1);
    if ((shownTimes[index] ?? 0) >= (shownTimes[0] ?? 0)) samples.push(sample);
    else if (last) samples.splice(-1, 1, { ...last, duration: last.duration + sample.duration });
  }
  return { ...track, samples };
}
