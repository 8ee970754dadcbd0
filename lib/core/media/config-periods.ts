import type { PresentedRange } from './presented-ranges';

/** A span of a track with one configuration. Presentation times are in ticks of the track, `to` is exclusive. */
export interface ConfigSpan {
  readonly from: number;
  readonly to: number;
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

/** A period in which no track changes its configuration; times in seconds. */
export interface ConfigPeriod {
  readonly from: number;
  readonly to: number;
  readonly video: PeriodRanges | undefined;
  readonly audio: PeriodRanges | undefined;
}

/** Changes of the video and the audio configuration that are at most this far apart are one change. */
const SAME_CHANGE_SECONDS = 0.25;
/** Pieces and periods that are not longer than this are rounding errors. */
const MIN_PERIOD_SECONDS = 0.002;

interface Piece extends PresentedRange {
  readonly spanIndex: number;
}

/**
 * Splits a presentation into periods. A period starts where the video configuration changes, or at the first keyframe after
 * the audio configuration has changed.
 * @param bounds start and end of the presentation in seconds
 * @param keyAfter returns the presentation time of the first keyframe at or after a time; undefined if there is none
 */
export function configPeriods(
  tracks: { readonly video: ConfiguredTrack | undefined; readonly audio: ConfiguredTrack | undefined },
  bounds: { readonly from: number; readonly to: number },
  keyAfter: (seconds: number) => number | undefined,
): ConfigPeriod[] {
  const video = tracks.video && splitByConfig(tracks.video);
  const audio = tracks.audio && splitByConfig(tracks.audio);
  const starts = changeTimes(video ?? []);
  for (const change of changeTimes(audio ?? [])) {
    if (starts.some((start) => Math.abs(start - change) <= SAME_CHANGE_SECONDS)) continue;
    const periodStart = video ? keyAfter(change - MIN_PERIOD_SECONDS) : change;
    if (periodStart !== undefined && periodStart < bounds.to) starts.push(periodStart);
  }
  const edges = [...new Set(starts)]
    .filter(
      (seconds) => seconds > bounds.from + MIN_PERIOD_SECONDS && seconds < bounds.to - MIN_PERIOD_SECONDS,
    )
    .toSorted((a, b) => a - b);
  return [bounds.from, ...edges].map((from, index) => {
    const to = edges[index] ?? bounds.to;
    return {
      from,
      to,
      video: tracks.video && video && playedRanges(video, { from, to }, tracks.video.timescale),
      audio: tracks.audio && audio && playedRanges(audio, { from, to }, tracks.audio.timescale),
    };
  });
}

/** Splits the ranges of a track where its configuration changes. */
function splitByConfig({ ranges, spans, timescale }: ConfiguredTrack): Piece[] {
  return ranges.flatMap((range) =>
    spans.flatMap(({ from, to }, spanIndex): Piece[] => {
      const start = spanIndex === 0 ? range.from : Math.max(range.from, from);
      const end = spanIndex === spans.length - 1 ? range.to : Math.min(range.to, to);
      // A frame that is held has no duration in the media.
      if (range.from === range.to)
        return range.from >= start && range.from < to ? [{ ...range, spanIndex }] : [];
      if (end - start <= MIN_PERIOD_SECONDS * timescale && spans.length > 1) return [];
      if (start === range.from && end === range.to) return [{ ...range, spanIndex }];
      const seconds = range.at + (start - range.from) / timescale;
      return [{ from: start, to: end, at: seconds, length: (end - start) / timescale, spanIndex }];
    }),
  );
}

/** Start times, in seconds, of the pieces whose configuration differs from that of the previous piece. */
const changeTimes = (pieces: readonly Piece[]): number[] =>
  pieces.flatMap(({ at, spanIndex: run }, index) =>
    index > 0 && pieces[index - 1]?.spanIndex !== run ? [at] : [],
  );

/** The ranges of a track in a period. If a period has two configurations, only the one that plays longer is kept. */
function playedRanges(
  pieces: readonly Piece[],
  bounds: { readonly from: number; readonly to: number },
  timescale: number,
): PeriodRanges | undefined {
  const seconds = new Map<number, number>();
  const piecesInPeriod = pieces.flatMap((piece) => clipPiece(piece, bounds, timescale));
  for (const { spanIndex: run, length } of piecesInPeriod) seconds.set(run, (seconds.get(run) ?? 0) + length);
  const [longest] = [...seconds].toSorted(([, a], [, b]) => b - a);
  if (!longest) return undefined;
  return { spanIndex: longest[0], ranges: piecesInPeriod.filter(({ spanIndex: run }) => run === longest[0]) };
}

/**
 * Cuts a range to the part between two times of the presentation, in seconds. The result is empty if that part is not longer
 * than a rounding error.
 */
export function clipPiece<Range extends PresentedRange>(
  piece: Range,
  { from, to }: { readonly from: number; readonly to: number },
  timescale: number,
): Range[] {
  const start = Math.max(piece.at, from);
  const end = Math.min(piece.at + piece.length, to);
  if (start <= piece.at && end >= piece.at + piece.length) return [piece];
  if (end - start <= MIN_PERIOD_SECONDS) return [];
  const isHeld = piece.from === piece.to;
  const media = isHeld ? piece.from : piece.from + (start - piece.at) * timescale;
  const length = end - start;
  return [{ ...piece, from: media, to: isHeld ? media : media + length * timescale, at: start, length }];
}
