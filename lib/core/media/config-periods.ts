import type { PresentedRange } from './presented-ranges';

/** Media of a track with one configuration. Presentation times in ticks of the track, `to` exclusive. */
export interface ConfigRun {
  readonly from: number;
  readonly to: number;
}

/** A track whose configuration may change. */
export interface ConfiguredTrack {
  readonly ranges: readonly PresentedRange[];
  readonly runs: readonly ConfigRun[];
  /** Ticks per second of the track. */
  readonly timescale: number;
}

/** The ranges of one track in a period. */
export interface PeriodRanges {
  /** Index in `runs`. */
  readonly run: number;
  readonly ranges: readonly PresentedRange[];
}

/** A period in which no track changes its configuration; times in seconds. */
export interface ConfigPeriod {
  readonly from: number;
  readonly to: number;
  readonly video: PeriodRanges | undefined;
  readonly audio: PeriodRanges | undefined;
}

/** Encoders change both tracks at the same time, within this tolerance. */
const togetherSeconds = 0.25;
/** Shorter pieces are rounding errors. */
const minPeriodSeconds = 0.002;

interface Piece extends PresentedRange {
  readonly run: number;
}

/**
 * The periods of a presentation. A period starts where the video configuration changes, or at the first keyframe after
 * the audio configuration has changed.
 * @param bounds of the presentation, in seconds
 * @param keyAfter presentation time of the first keyframe at or after a time; undefined without one
 */
export function configPeriods(
  tracks: { readonly video: ConfiguredTrack | undefined; readonly audio: ConfiguredTrack | undefined },
  bounds: { readonly from: number; readonly to: number },
  keyAfter: (seconds: number) => number | undefined,
): ConfigPeriod[] {
  const video = tracks.video && piecesOf(tracks.video);
  const audio = tracks.audio && piecesOf(tracks.audio);
  const starts = changesIn(video ?? []);
  for (const change of changesIn(audio ?? [])) {
    if (starts.some((start) => Math.abs(start - change) <= togetherSeconds)) continue;
    const at = video ? keyAfter(change - minPeriodSeconds) : change;
    if (at !== undefined && at < bounds.to) starts.push(at);
  }
  const edges = [...new Set(starts)]
    .filter((at) => at > bounds.from + minPeriodSeconds && at < bounds.to - minPeriodSeconds)
    .toSorted((a, b) => a - b);
  return [bounds.from, ...edges].map((from, index) => {
    const to = edges[index] ?? bounds.to;
    return {
      from,
      to,
      video: tracks.video && video && playedIn(video, { from, to }, tracks.video.timescale),
      audio: tracks.audio && audio && playedIn(audio, { from, to }, tracks.audio.timescale),
    };
  });
}

/** Ranges, each with one configuration. */
function piecesOf({ ranges, runs, timescale }: ConfiguredTrack): Piece[] {
  return ranges.flatMap((range) =>
    runs.flatMap(({ from, to }, run): Piece[] => {
      const start = run === 0 ? range.from : Math.max(range.from, from);
      const end = run === runs.length - 1 ? range.to : Math.min(range.to, to);
      // A held frame.
      if (range.from === range.to) return range.from >= start && range.from < to ? [{ ...range, run }] : [];
      if (end - start <= minPeriodSeconds * timescale && runs.length > 1) return [];
      if (start === range.from && end === range.to) return [{ ...range, run }];
      const at = range.at + (start - range.from) / timescale;
      return [{ from: start, to: end, at, length: (end - start) / timescale, run }];
    }),
  );
}

/** The start of each piece whose configuration differs from the previous one. */
const changesIn = (pieces: readonly Piece[]): number[] =>
  pieces.flatMap(({ at, run }, index) => (index > 0 && pieces[index - 1]?.run !== run ? [at] : []));

/** If a period has two configurations, the one that plays longer. */
function playedIn(
  pieces: readonly Piece[],
  bounds: { readonly from: number; readonly to: number },
  timescale: number,
): PeriodRanges | undefined {
  const seconds = new Map<number, number>();
  const within = pieces.flatMap((piece) => clipPiece(piece, bounds, timescale));
  for (const { run, length } of within) seconds.set(run, (seconds.get(run) ?? 0) + length);
  const [longest] = [...seconds].toSorted(([, a], [, b]) => b - a);
  if (!longest) return undefined;
  return { run: longest[0], ranges: within.filter(({ run }) => run === longest[0]) };
}

/** The piece of a range between two times of the presentation, in seconds; none if it is shorter than a rounding error. */
export function clipPiece<Range extends PresentedRange>(
  piece: Range,
  { from, to }: { readonly from: number; readonly to: number },
  timescale: number,
): Range[] {
  const start = Math.max(piece.at, from);
  const end = Math.min(piece.at + piece.length, to);
  if (start <= piece.at && end >= piece.at + piece.length) return [piece];
  if (end - start <= minPeriodSeconds) return [];
  const isHeld = piece.from === piece.to;
  const media = isHeld ? piece.from : piece.from + (start - piece.at) * timescale;
  const length = end - start;
  return [{ ...piece, from: media, to: isHeld ? media : media + length * timescale, at: start, length }];
}
