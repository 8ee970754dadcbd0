import type { PresentedRange } from './presented-ranges';

/** A span of a track with one configuration, from its presentation times. The end is exclusive. */
export interface ConfigSpan {
  readonly fromTicks: number;
  readonly toTicks: number;
}

/** A track whose configuration may change. */
export interface ConfiguredTrack {
  readonly ranges: readonly PresentedRange[];
  readonly spans: readonly ConfigSpan[];
  /** Ticks per second of the track. */
  readonly timescale: number;
}

/** The ranges of one track in a period. */
export interface PeriodRanges {
  /** Index of the configuration in the spans of the track. */
  readonly spanIndex: number;
  readonly ranges: readonly PresentedRange[];
}

/** A period in which no track changes its configuration. */
export interface ConfigPeriod {
  readonly startSeconds: number;
  readonly endSeconds: number;
  readonly video: PeriodRanges | undefined;
  readonly audio: PeriodRanges | undefined;
}

/** Changes of the video and the audio configuration that are at most this far apart are one change. */
const SAME_CHANGE_SECONDS = 0.25;
/** Ranges and periods that are not longer than this are rounding errors. */
const MIN_PERIOD_SECONDS = 0.002;

/** A range of a track with one configuration. */
interface ConfiguredRange extends PresentedRange {
  /** Index of the configuration in the spans of the track. */
  readonly spanIndex: number;
}

/**
 * Splits a presentation into periods. A period starts where the video configuration changes, or at the first keyframe after
 * the audio configuration has changed.
 * @param bounds start and end of the presentation in seconds
 * @param keyframeAfter returns the presentation time of the first keyframe at or after a time; undefined if there is none
 */
export function configPeriods(
  tracks: { readonly video: ConfiguredTrack | undefined; readonly audio: ConfiguredTrack | undefined },
  bounds: { readonly from: number; readonly to: number },
  keyframeAfter: (seconds: number) => number | undefined,
): ConfigPeriod[] {
  const videoRanges = tracks.video && splitByConfig(tracks.video);
  const audioRanges = tracks.audio && splitByConfig(tracks.audio);
  const changes = changeTimes(videoRanges ?? []);
  for (const audioChange of changeTimes(audioRanges ?? [])) {
    if (changes.some((change) => Math.abs(change - audioChange) <= SAME_CHANGE_SECONDS)) continue;
    const periodStart = videoRanges ? keyframeAfter(audioChange - MIN_PERIOD_SECONDS) : audioChange;
    if (periodStart !== undefined && periodStart < bounds.to) changes.push(periodStart);
  }
  const laterStarts = [...new Set(changes)]
    .filter(
      (seconds) => seconds > bounds.from + MIN_PERIOD_SECONDS && seconds < bounds.to - MIN_PERIOD_SECONDS,
    )
    .toSorted((a, b) => a - b);
  return [bounds.from, ...laterStarts].map((startSeconds, index) => {
    const endSeconds = laterStarts[index] ?? bounds.to;
    const periodBounds = { from: startSeconds, to: endSeconds };
    return {
      startSeconds,
      endSeconds,
      video: tracks.video && videoRanges && playedRanges(videoRanges, periodBounds, tracks.video.timescale),
      audio: tracks.audio && audioRanges && playedRanges(audioRanges, periodBounds, tracks.audio.timescale),
    };
  });
}

/** Splits the ranges of a track where its configuration changes. */
function splitByConfig({ ranges, spans, timescale }: ConfiguredTrack): ConfiguredRange[] {
  return ranges.flatMap((range) =>
    spans.flatMap((span, spanIndex): ConfiguredRange[] => {
      // The first and the last span also have the media before and after all frames.
      const fromTicks = spanIndex === 0 ? range.fromTicks : Math.max(range.fromTicks, span.fromTicks);
      const toTicks = spanIndex === spans.length - 1 ? range.toTicks : Math.min(range.toTicks, span.toTicks);
      // A frame that is held has no duration in the media.
      if (range.fromTicks === range.toTicks)
        return range.fromTicks >= fromTicks && range.fromTicks < span.toTicks
          ? [{ ...range, spanIndex }]
          : [];
      if (toTicks - fromTicks <= MIN_PERIOD_SECONDS * timescale && spans.length > 1) return [];
      if (fromTicks === range.fromTicks && toTicks === range.toTicks) return [{ ...range, spanIndex }];
      const startSeconds = range.startSeconds + (fromTicks - range.fromTicks) / timescale;
      return [
        { fromTicks, toTicks, startSeconds, durationSeconds: (toTicks - fromTicks) / timescale, spanIndex },
      ];
    }),
  );
}

/** Start times, in seconds, of the ranges whose configuration differs from that of the previous range. */
const changeTimes = (ranges: readonly ConfiguredRange[]): number[] =>
  ranges.flatMap(({ startSeconds, spanIndex }, index) =>
    index > 0 && ranges[index - 1]?.spanIndex !== spanIndex ? [startSeconds] : [],
  );

/** The ranges of a track in a period. If a period has two configurations, only the one that plays longer is kept. */
function playedRanges(
  ranges: readonly ConfiguredRange[],
  bounds: { readonly from: number; readonly to: number },
  timescale: number,
): PeriodRanges | undefined {
  const secondsBySpan = new Map<number, number>();
  const rangesInPeriod = ranges.flatMap((range) => clipRange(range, bounds, timescale));
  for (const { spanIndex, durationSeconds } of rangesInPeriod)
    secondsBySpan.set(spanIndex, (secondsBySpan.get(spanIndex) ?? 0) + durationSeconds);
  const [longest] = [...secondsBySpan].toSorted(([, a], [, b]) => b - a);
  if (!longest) return undefined;
  const [spanIndex] = longest;
  return { spanIndex, ranges: rangesInPeriod.filter((range) => range.spanIndex === spanIndex) };
}

/**
 * Cuts a range to the part between two times of the presentation, in seconds. The result is empty if that part is not longer
 * than a rounding error.
 */
export function clipRange<Range extends PresentedRange>(
  range: Range,
  { from, to }: { readonly from: number; readonly to: number },
  timescale: number,
): Range[] {
  const rangeEndSeconds = range.startSeconds + range.durationSeconds;
  const startSeconds = Math.max(range.startSeconds, from);
  const endSeconds = Math.min(rangeEndSeconds, to);
  if (startSeconds <= range.startSeconds && endSeconds >= rangeEndSeconds) return [range];
  if (endSeconds - startSeconds <= MIN_PERIOD_SECONDS) return [];
  const isHeld = range.fromTicks === range.toTicks;
  const fromTicks = isHeld
    ? range.fromTicks
    : range.fromTicks + (startSeconds - range.startSeconds) * timescale;
  const durationSeconds = endSeconds - startSeconds;
  const toTicks = isHeld ? fromTicks : fromTicks + durationSeconds * timescale;
  return [{ ...range, fromTicks, toTicks, startSeconds, durationSeconds }];
}
