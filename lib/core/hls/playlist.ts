/** A part of a low-latency playlist. All durations in this file are milliseconds. */
interface PlaylistPart {
  readonly durationMs: number;
  readonly independent: boolean;
  /** Whether the part has no media (EXT-X-GAP). */
  readonly gap?: boolean;
}

export interface PlaylistSegment {
  readonly msn: number;
  readonly durationMs: number;
  /** Relative URI of its init segment. */
  readonly init: string;
  /** Wall-clock time of its first frame, Unix milliseconds. */
  readonly wallMs: number;
  /** Number of discontinuities since the window started; it rises by one where the timeline breaks. */
  readonly discontinuity: number;
  readonly independent: boolean;
  readonly parts: readonly PlaylistPart[];
}

/** A snapshot of one rendition's window, from which its media playlist is written. */
export interface PlaylistView {
  /** Whole seconds, at least the duration of every segment listed so far. */
  readonly targetDuration: number;
  /** Oldest first, without gaps in `msn`. */
  readonly segments: readonly PlaylistSegment[];
  /** The segment under construction; its `durationMs` is the total of its parts so far. */
  readonly open: PlaylistSegment | undefined;
  /** Number and discontinuity of the next segment, for a window without segments. */
  readonly nextMsn: number;
  readonly nextDiscontinuity: number;
  /** Part target duration. */
  readonly partTargetMs: number;
  /** Whether no more segments follow. */
  readonly ended: boolean;
}

/** The newest segment and part of another rendition, so that a player can switch without another request. */
export interface RenditionReport {
  /** Relative URI of its playlist. */
  readonly uri: string;
  readonly lastMsn: number;
  /** Index of its newest part. */
  readonly lastPart: number;
}

interface PlaylistOptions {
  /** Adds the tags of draft-pantos-hls-rfc8216bis §4.4.3.7, §4.4.3.8, §4.4.4.9 and §4.4.5.3. */
  readonly lowLatency: boolean;
  /** Reports of the other renditions, only in low-latency playlists (rfc8216bis §4.4.5.4). */
  readonly reports?: readonly RenditionReport[];
}

const segmentUri = (msn: number): string => `${msn}.m4s`;
const partUri = (msn: number, part: number): string => `${msn}.${part}.m4s`;

/** Low-latency players at the live edge only need parts within this many target durations (rfc8216bis §6.2.2). */
const PARTS_FOR_TARGETS = 3;
/** Minimum distance of a player from the end, in parts and in segments (rfc8216bis §4.4.3.8). */
export const HOLD_BACK_TIMES = 3;

/** Duration of the gap before a first segment that is not complete yet. */
const LEAD_MS = 100;

const seconds = (ms: number): string => (ms / 1000).toFixed(3);

/** The media playlist of one rendition (RFC 8216 §4.3.3, §6.2.2). */
export function mediaPlaylist(view: PlaylistView, { lowLatency, reports = [] }: PlaylistOptions): string {
  const firstListed = listedIn(view, lowLatency);
  const [first] = firstListed;
  const lines = [
    '#EXTM3U',
    `#EXT-X-VERSION:${lowLatency ? 9 : 7}`,
    `#EXT-X-TARGETDURATION:${view.targetDuration}`,
    ...(lowLatency ? lowLatencyHeader(view) : []),
    `#EXT-X-MEDIA-SEQUENCE:${first?.msn ?? view.nextMsn}`,
    `#EXT-X-DISCONTINUITY-SEQUENCE:${first?.discontinuity ?? view.nextDiscontinuity}`,
  ];
  if (firstListed.every((segment) => segment.independent)) lines.push('#EXT-X-INDEPENDENT-SEGMENTS');
  if (first && isLead(first)) lines.push(`#EXT-X-START:TIME-OFFSET=${seconds(first.durationMs)}`);
  const partsFrom = lowLatency ? firstSegmentWithParts(view) : Infinity;
  let previousSegment: PlaylistSegment | undefined;
  for (const segment of firstListed) {
    lines.push(...segmentLines(segment, previousSegment, segment.msn >= partsFrom));
    if (isLead(segment)) lines.push('#EXT-X-GAP');
    if (segment !== view.open) lines.push(`#EXTINF:${seconds(segment.durationMs)},`, segmentUri(segment.msn));
    previousSegment = segment;
  }
  if (view.ended) lines.push('#EXT-X-ENDLIST');
  else if (lowLatency) lines.push(preloadHint(view), ...reports.map(reportLine));
  return `${lines.join('\n')}\n`;
}

function listedIn({ segments, open }: PlaylistView, lowLatency: boolean): readonly PlaylistSegment[] {
  if (!lowLatency || !open) return segments;
  return segments.length > 0 ? [...segments, open] : [leadOf(open), open];
}

/**
 * A short gap before the very first segment, listed while only its parts exist (ADR 23). Players treat a playlist without
 * segments as empty, and hls.js only loads parts that follow a segment.
 */
function leadOf({ msn, init, discontinuity, wallMs }: PlaylistSegment): PlaylistSegment {
  const parts = [{ durationMs: LEAD_MS, independent: false, gap: true }];
  const previousSegment = { msn: msn - 1, durationMs: LEAD_MS, wallMs: wallMs - LEAD_MS };
  return { ...previousSegment, init, discontinuity, independent: true, parts };
}

const isLead = ({ parts }: PlaylistSegment): boolean => parts[0]?.gap === true;

function lowLatencyHeader(view: PlaylistView): string[] {
  const listedSegments = listedIn(view, true)
    .filter(({ msn }) => msn >= firstSegmentWithParts(view))
    .flatMap(({ parts }) => parts);
  // A pause of the publisher makes one long part. PART-TARGET must cover the part while it is listed.
  const target = Math.max(view.partTargetMs, ...listedSegments.map((part) => Math.ceil(part.durationMs)));
  const holdBack = HOLD_BACK_TIMES * view.targetDuration;
  return [
    `#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,PART-HOLD-BACK=${seconds(HOLD_BACK_TIMES * target)},HOLD-BACK=${holdBack.toFixed(3)}`,
    `#EXT-X-PART-INF:PART-TARGET=${seconds(target)}`,
  ];
}

function firstSegmentWithParts(view: PlaylistView): number {
  let coveredMs = 0;
  let from = Infinity;
  for (const segment of listedIn(view, true).toReversed()) {
    coveredMs += segment.durationMs;
    if (segment !== view.open && coveredMs > PARTS_FOR_TARGETS * view.targetDuration * 1000) break;
    from = segment.msn;
  }
  return from;
}

/**
 * The lines before a segment's EXTINF. The discontinuity before the first segment counts in EXT-X-DISCONTINUITY-SEQUENCE.
 */
function segmentLines(
  segment: PlaylistSegment,
  previousSegment: PlaylistSegment | undefined,
  withParts: boolean,
): string[] {
  const lines: string[] = [];
  if (previousSegment && previousSegment.discontinuity !== segment.discontinuity)
    lines.push('#EXT-X-DISCONTINUITY');
  if (previousSegment?.init !== segment.init) lines.push(`#EXT-X-MAP:URI="${segment.init}"`);
  lines.push(`#EXT-X-PROGRAM-DATE-TIME:${new Date(segment.wallMs).toISOString()}`);
  if (withParts) lines.push(...segment.parts.map((part, index) => partLine(segment.msn, index, part)));
  return lines;
}

function partLine(msn: number, index: number, part: PlaylistPart): string {
  const kind = part.gap ? ',GAP=YES' : part.independent ? ',INDEPENDENT=YES' : '';
  return `#EXT-X-PART:DURATION=${seconds(part.durationMs)},URI="${partUri(msn, index)}"${kind}`;
}

/** The newest part of a window, for the playlists of other renditions; null without parts. */
export function reportOf(uri: string, { open, segments }: PlaylistView): RenditionReport | null {
  const newest = open && open.parts.length > 0 ? open : segments.at(-1);
  return newest ? { uri, lastMsn: newest.msn, lastPart: newest.parts.length - 1 } : null;
}

function reportLine({ uri, lastMsn, lastPart }: RenditionReport): string {
  return `#EXT-X-RENDITION-REPORT:URI="${uri}",LAST-MSN=${lastMsn},LAST-PART=${lastPart}`;
}

function preloadHint({ open, nextMsn }: PlaylistView): string {
  const uri = open ? partUri(open.msn, open.parts.length) : partUri(nextMsn, 0);
  return `#EXT-X-PRELOAD-HINT:TYPE=PART,URI="${uri}"`;
}

/** Brightness of a picture (rfc8216bis §4.4.6.2, `VIDEO-RANGE`). */
export type VideoRange = 'SDR' | 'PQ' | 'HLG';

export interface PlaylistRendition {
  /** Relative URI of its media playlist. */
  readonly uri: string;
  /** Measured bit/s of the busiest segment. */
  readonly bandwidth: number;
  readonly averageBandwidth: number;
  /** RFC 6381 names, video first. */
  readonly codecs: readonly string[];
  /** Absent for audio-only renditions. */
  readonly resolution: { readonly width: number; readonly height: number } | undefined;
  readonly frameRate: number | undefined;
  /** `SDR` when absent. */
  readonly videoRange?: VideoRange | undefined;
  readonly independent: boolean;
  /** Whether its pictures contain closed captions. Absent: unknown. */
  readonly captions?: boolean;
}

/** The master playlist of these renditions in order of preference (RFC 8216 §4.3.4). */
export function masterPlaylist(renditions: readonly PlaylistRendition[]): string {
  const lines = ['#EXTM3U', '#EXT-X-VERSION:7'];
  if (renditions.every((rendition) => rendition.independent)) lines.push('#EXT-X-INDEPENDENT-SEGMENTS');
  // CLOSED-CAPTIONS must be on all renditions or on none (RFC 8216 §4.3.4.2). Without it, players look for captions in
  // segments, and show a menu for them.
  const captions = renditions.every((rendition) => rendition.captions === false)
    ? ',CLOSED-CAPTIONS=NONE'
    : '';
  for (const rendition of renditions)
    lines.push(`#EXT-X-STREAM-INF:${attributes(rendition)}${captions}`, rendition.uri);
  return `${lines.join('\n')}\n`;
}

function attributes({
  bandwidth,
  averageBandwidth,
  codecs,
  resolution,
  frameRate,
  videoRange = 'SDR',
}: PlaylistRendition): string {
  const list = [
    // The first segments say little about the peak: short ones count only towards the average.
    `BANDWIDTH=${Math.ceil(Math.max(bandwidth, averageBandwidth))}`,
    `AVERAGE-BANDWIDTH=${Math.ceil(averageBandwidth)}`,
    `CODECS="${codecs.join(',')}"`,
  ];
  if (resolution) list.push(`RESOLUTION=${resolution.width}x${resolution.height}`);
  if (resolution && frameRate !== undefined) list.push(`FRAME-RATE=${frameRate.toFixed(3)}`);
  if (videoRange !== 'SDR') list.push(`VIDEO-RANGE=${videoRange}`);
  return list.join(',');
}
