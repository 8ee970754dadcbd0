import type { Cut } from '@/lib/core/media/segment-cuts';
import { maxReordered } from './lay-out-picture';
import {
  type Span,
  type TimedSamples,
  type TrackSpans,
  firstFrom,
  headBytesOf,
  partsOf,
} from './segment-parts';

/** One segment of the playlist. */
export interface SegmentSpan extends TrackSpans {
  /** Start and duration, in seconds. */
  readonly at: number;
  readonly seconds: number;
  readonly independent: boolean;
  /** Bytes of the whole segment. */
  readonly bytes: number;
}

interface Tracks {
  readonly video?: TimedSamples | undefined;
  readonly audio?: TimedSamples | undefined;
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
    const remaining = { first: audioFirst, end: audio?.samples.count ?? 0 };
    const audioEnd = audio && next ? firstFrom(audio, next.at, remaining) : remaining.end;
    const audioSpan = { first: audioFirst, end: audioEnd };
    audioFirst = audioEnd;
    const parts = partsOf(tracks, { video: videoSpan, audio: audioSpan });
    const bytes = headBytesOf(parts) + bytesIn(video, videoSpan) + bytesIn(audio, audioSpan);
    return { video: videoSpan, audio: audioSpan, at, seconds: end - at, independent, bytes };
  });
}

function endOf(track: TimedSamples | undefined): number {
  if (!track) return 0;
  const { samples, timescale } = track;
  let end = 0;
  for (let sample = Math.max(0, samples.count - maxReordered); sample < samples.count; sample++)
    end = Math.max(end, samples.pts(sample) + (samples.duration[sample] ?? 0));
  return end / timescale;
}

function bytesIn(track: TimedSamples | undefined, { first, end }: Span): number {
  let bytes = 0;
  for (let sample = first; sample < end; sample++) bytes += track?.samples.size[sample] ?? 0;
  return bytes;
}
