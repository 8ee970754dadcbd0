import { partHeadBytes } from '@/media-worker/media/cmaf/media-part';
import type { SampleList } from './sample-list';

/** Samples of one track, from `first` up to, not including, `end`. */
export interface Span {
  readonly first: number;
  readonly end: number;
}

export interface TimedSamples {
  readonly samples: SampleList;
  /** Ticks per second. */
  readonly timescale: number;
}

export interface TrackSpans {
  readonly video: Span;
  readonly audio: Span;
}

/**
 * Maximum duration of a part, which is also how far one track precedes the other in the file: ffmpeg treats ten
 * seconds as a clock jump and moves the audio.
 */
const MAX_PART_SECONDS = 2;
/** Maximum bytes of a part, because a reader holds one part in memory. */
const MAX_PART_BYTES = 512 * 1_024;

/**
 * Splits a segment into parts, each with its own `moof` and at most two seconds of both tracks, or 512 KiB of the
 * leading track.
 */
export function splitIntoParts(
  { video, audio }: { readonly video?: TimedSamples | undefined; readonly audio?: TimedSamples | undefined },
  spans: TrackSpans,
): TrackSpans[] {
  const leadingVideo = spans.video.end > spans.video.first ? video : undefined;
  const parts: TrackSpans[] = [];
  let [first, audioFirst] = [leadingVideo ? spans.video.first : spans.audio.first, spans.audio.first];
  const end = leadingVideo ? spans.video.end : spans.audio.end;
  while (first < end) {
    const next = leadingVideo
      ? endOfPart(leadingVideo, first, end)
      : audio
        ? endOfPart(audio, first, end)
        : end;
    const audioEnd =
      next === end || !audio || !leadingVideo
        ? leadingVideo
          ? spans.audio.end
          : next
        : findFirstFrom(audio, decodeSecondsOf(leadingVideo, next), {
            first: audioFirst,
            end: spans.audio.end,
          });
    parts.push({
      video: leadingVideo ? { first, end: next } : { first: 0, end: 0 },
      audio: { first: audioFirst, end: audioEnd },
    });
    [first, audioFirst] = [next, audioEnd];
  }
  return parts;
}

/** Decode time of a sample, seconds. */
const decodeSecondsOf = ({ samples, timescale }: TimedSamples, sample: number): number =>
  (samples.dts[sample] ?? 0) / timescale;

/** The index after the last sample of the part that starts with `first`. */
function endOfPart({ samples, timescale }: TimedSamples, first: number, end: number): number {
  const endTicks = (samples.dts[first] ?? 0) + MAX_PART_SECONDS * timescale;
  let bytes = samples.size[first] ?? 0;
  let next = first + 1;
  for (; next < end && (samples.dts[next] ?? 0) < endTicks && bytes < MAX_PART_BYTES; next++)
    bytes += samples.size[next] ?? 0;
  return next;
}

/** The first audio frame that starts at or after a time. */
export function findFirstFrom(audio: TimedSamples, seconds: number, { first, end }: Span): number {
  let frame = first;
  while (frame < end && decodeSecondsOf(audio, frame) < seconds) frame += 1;
  return frame;
}

/** Header bytes of a segment with these parts. */
export const headBytesOf = (parts: readonly TrackSpans[]): number =>
  parts.reduce(
    (sum, { video, audio }) => sum + partHeadBytes(video.end - video.first, audio.end - audio.first),
    0,
  );
