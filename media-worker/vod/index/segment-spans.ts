import type { Cut } from '@/lib/core/media/segment-cuts';
import { partHeadBytes } from '@/media-worker/media/cmaf/media-part';
import { maxReordered } from './lay-out-picture';
import type { SampleList } from './sample-list';

/** Samples of one track: from `first`, up to and without `end`. */
export interface Span {
  readonly first: number;
  readonly end: number;
}

/** One segment of the playlist. */
export interface SegmentSpan {
  readonly video: Span;
  readonly audio: Span;
  /** When it starts and how long it lasts, in seconds. */
  readonly at: number;
  readonly seconds: number;
  readonly independent: boolean;
  /** Of the whole segment. */
  readonly bytes: number;
}

interface Track {
  readonly samples: SampleList;
  /** Ticks per second. */
  readonly timescale: number;
}

interface Tracks {
  readonly video?: Track | undefined;
  readonly audio?: Track | undefined;
}

/** The segments between cuts; each ends where the next one starts, the last one with its media. */
export function segmentSpans(cuts: readonly Cut[], tracks: Tracks): SegmentSpan[] {
  const { video, audio } = tracks;
  const mediaEnd = Math.max(endOf(video), endOf(audio));
  let audioFirst = 0;
  return cuts.map(({ frame, at, independent }, index) => {
    const next = cuts[index + 1];
    const end = next?.at ?? mediaEnd;
    const videoSpan = video
      ? { first: frame, end: next?.frame ?? video.samples.count }
      : { first: 0, end: 0 };
    const audioEnd = audio ? (next ? firstFrom(audio, next.at, audioFirst) : audio.samples.count) : 0;
    const audioSpan = { first: audioFirst, end: audioEnd };
    audioFirst = audioEnd;
    const head = partHeadBytes(videoSpan.end - videoSpan.first, audioSpan.end - audioSpan.first);
    const bytes = head + bytesIn(video, videoSpan) + bytesIn(audio, audioSpan);
    return { video: videoSpan, audio: audioSpan, at, seconds: end - at, independent, bytes };
  });
}

function endOf(track: Track | undefined): number {
  if (!track) return 0;
  const { samples, timescale } = track;
  let end = 0;
  for (let sample = Math.max(0, samples.count - maxReordered); sample < samples.count; sample++)
    end = Math.max(end, samples.pts(sample) + (samples.duration[sample] ?? 0));
  return end / timescale;
}

/** The first frame of sound that starts at or after a time. */
function firstFrom({ samples, timescale }: Track, seconds: number, from: number): number {
  let frame = from;
  while (frame < samples.count && (samples.dts[frame] ?? 0) / timescale < seconds) frame += 1;
  return frame;
}

function bytesIn(track: Track | undefined, { first, end }: Span): number {
  let bytes = 0;
  for (let sample = first; sample < end; sample++) bytes += track?.samples.size[sample] ?? 0;
  return bytes;
}
