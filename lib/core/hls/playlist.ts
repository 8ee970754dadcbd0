/** A part of a low-latency playlist. Durations in this file are in milliseconds if their name ends with `Ms`. */
interface PlaylistPart {
  readonly durationMs: number;
  readonly independent: boolean;
  /** Whether the part has no media (EXT-X-GAP). */
  readonly gap?: boolean;
}

export interface PlaylistSegment {
  /** Media sequence number. */
  readonly msn: number;
  readonly durationMs: number;
  /** Relative URI of the init segment. */
  readonly init: string;
  /** Wall-clock time of the first frame, in Unix milliseconds. */
  readonly wallClockMs: number;
  /** Number of discontinuities up to this segment. It rises by one where the timeline breaks. */
  readonly discontinuity: number;
  readonly independent: boolean;
  readonly parts: readonly PlaylistPart[];
}

/** A snapshot of the window of one rendition, from which its media playlist is made. */
export interface PlaylistWindow {
  /** Target duration in whole seconds. No listed segment was longer so far. */
  readonly targetDuration: number;
  /** Complete segments, the oldest first, without gaps in `msn`. */
  readonly segments: readonly PlaylistSegment[];
  /** The segment that is not complete yet; its `durationMs` is the total of its parts so far. */
  readonly open: PlaylistSegment | undefined;
  /** Number and discontinuity of the next segment, for a window without segments. */
  readonly nextMsn: number;
  readonly nextDiscontinuity: number;
  /** Target duration of parts. */
  readonly partTargetMs: number;
  /** Whether no more segments follow. */
  readonly ended: boolean;
}

/** The newest segment and part of another rendition, so that a player can switch without another request. */
export interface RenditionReport {
  /** Relative URI of the media playlist of the rendition. */
  readonly uri: string;
  readonly lastMsn: number;
  /** Index of the newest part in its segment. */
  readonly lastPart: number;
}

interface PlaylistOptions {
  /** Whether the playlist has the low-latency tags (draft-pantos-hls-rfc8216bis §4.4.3.7, §4.4.3.8, §4.4.4.9, §4.4.5.3). */
  readonly lowLatency: boolean;
  /** Reports of the other renditions, only in low-latency playlists (rfc8216bis §4.4.5.4). */
  readonly reports?: readonly RenditionReport[];
}

const segmentUri = (msn: number): string => `${msn}.m4s`;
const partUri = (msn: number, part: number): string => `${msn}.${part}.m4s`;

/** Number of target durations from the live edge in which segments are listed with their parts (rfc8216bis §6.2.2). */
const TARGETS_WITH_PARTS = 3;
/**
 * Minimum distance of a player from the end of the playlist, in part target durations for low-latency players and in target
 * durations for others (rfc8216bis §4.4.3.8).
 */
export const HOLD_BACK_TARGETS = 3;

/** Duration of the gap (EXT-X-GAP) that is listed before the first segment while that segment is not complete. */
const LEAD_GAP_MS = 100;

const formatSeconds = (ms: number): string => (ms / 1000).toFixed(3);

/** Formats the media playlist of one rendition (RFC 8216 §4.3.3, §6.2.2). */
export function formatMediaPlaylist(
  playlistWindow: PlaylistWindow,
  { lowLatency, reports = [] }: PlaylistOptions,
): string {
  const listedSegments = listedSegmentsOf(playlistWindow, lowLatency);
  const [firstSegment] = listedSegments;
  const lines = [
    '#EXTM3U',
    `#EXT-X-VERSION:${lowLatency ? 9 : 7}`,
    `#EXT-X-TARGETDURATION:${playlistWindow.targetDuration}`,
    ...(lowLatency ? lowLatencyHeaderLines(playlistWindow) : []),
    `#EXT-X-MEDIA-SEQUENCE:${firstSegment?.msn ?? playlistWindow.nextMsn}`,
    `#EXT-X-DISCONTINUITY-SEQUENCE:${firstSegment?.discontinuity ?? playlistWindow.nextDiscontinuity}`,
  ];
  if (listedSegments.every((segment) => segment.independent)) lines.push('#EXT-X-INDEPENDENT-SEGMENTS');
  // Playback starts after the gap.
  if (firstSegment && isLeadSegment(firstSegment))
    lines.push(`#EXT-X-START:TIME-OFFSET=${formatSeconds(firstSegment.durationMs)}`);
  const firstMsnWithParts = lowLatency ? findFirstMsnWithParts(playlistWindow) : Infinity;
  let previousSegment: PlaylistSegment | undefined;
  for (const segment of listedSegments) {
    lines.push(...segmentLines(segment, previousSegment, segment.msn >= firstMsnWithParts));
    if (isLeadSegment(segment)) lines.push('#EXT-X-GAP');
    if (segment !== playlistWindow.open)
      lines.push(`#EXTINF:${formatSeconds(segment.durationMs)},`, segmentUri(segment.msn));
    previousSegment = segment;
  }
  if (playlistWindow.ended) lines.push('#EXT-X-ENDLIST');
  else if (lowLatency) lines.push(preloadHint(playlistWindow), ...reports.map(reportLine));
  return `${lines.join('\n')}\n`;
}

function listedSegmentsOf(
  { segments, open }: PlaylistWindow,
  lowLatency: boolean,
): readonly PlaylistSegment[] {
  if (!lowLatency || !open) return segments;
  return segments.length > 0 ? [...segments, open] : [createLeadSegment(open), open];
}

/**
 * Creates the short gap that is listed before the first segment while only parts of it exist (ADR 23). Players treat a
 * playlist without segments as empty, and hls.js only loads parts that follow a segment.
 */
function createLeadSegment({ msn, init, discontinuity, wallClockMs }: PlaylistSegment): PlaylistSegment {
  const parts = [{ durationMs: LEAD_GAP_MS, independent: false, gap: true }];
  const timing = { msn: msn - 1, durationMs: LEAD_GAP_MS, wallClockMs: wallClockMs - LEAD_GAP_MS };
  return { ...timing, init, discontinuity, independent: true, parts };
}

const isLeadSegment = ({ parts }: PlaylistSegment): boolean => parts[0]?.gap === true;

function lowLatencyHeaderLines(playlistWindow: PlaylistWindow): string[] {
  const listedParts = listedSegmentsOf(playlistWindow, true)
    .filter(({ msn }) => msn >= findFirstMsnWithParts(playlistWindow))
    .flatMap(({ parts }) => parts);
  // A pause of the publisher makes one long part. PART-TARGET must cover the part while it is listed.
  const partTargetMs = Math.max(
    playlistWindow.partTargetMs,
    ...listedParts.map((part) => Math.ceil(part.durationMs)),
  );
  const holdBackSeconds = HOLD_BACK_TARGETS * playlistWindow.targetDuration;
  return [
    `#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,PART-HOLD-BACK=${formatSeconds(HOLD_BACK_TARGETS * partTargetMs)},HOLD-BACK=${holdBackSeconds.toFixed(3)}`,
    `#EXT-X-PART-INF:PART-TARGET=${formatSeconds(partTargetMs)}`,
  ];
}

function findFirstMsnWithParts(playlistWindow: PlaylistWindow): number {
  let coveredMs = 0;
  let firstMsn = Infinity;
  for (const segment of listedSegmentsOf(playlistWindow, true).toReversed()) {
    coveredMs += segment.durationMs;
    if (
      segment !== playlistWindow.open &&
      coveredMs > TARGETS_WITH_PARTS * playlistWindow.targetDuration * 1000
    )
      break;
    firstMsn = segment.msn;
  }
  return firstMsn;
}

/**
 * The lines before the EXTINF tag of a segment. The first segment has no EXT-X-DISCONTINUITY tag, because
 * EXT-X-DISCONTINUITY-SEQUENCE counts its discontinuity.
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
  lines.push(`#EXT-X-PROGRAM-DATE-TIME:${new Date(segment.wallClockMs).toISOString()}`);
  if (withParts) lines.push(...segment.parts.map((part, index) => partLine(segment.msn, index, part)));
  return lines;
}

function partLine(msn: number, index: number, part: PlaylistPart): string {
  const attribute = part.gap ? ',GAP=YES' : part.independent ? ',INDEPENDENT=YES' : '';
  return `#EXT-X-PART:DURATION=${formatSeconds(part.durationMs)},URI="${partUri(msn, index)}"${attribute}`;
}

/** Creates the report about the newest part of a window for the playlists of other renditions; null for an empty window. */
export function createRenditionReport(
  uri: string,
  { open, segments }: PlaylistWindow,
): RenditionReport | null {
  const newest = open && open.parts.length > 0 ? open : segments.at(-1);
  return newest ? { uri, lastMsn: newest.msn, lastPart: newest.parts.length - 1 } : null;
}

function reportLine({ uri, lastMsn, lastPart }: RenditionReport): string {
  return `#EXT-X-RENDITION-REPORT:URI="${uri}",LAST-MSN=${lastMsn},LAST-PART=${lastPart}`;
}

function preloadHint({ open, nextMsn }: PlaylistWindow): string {
  const uri = open ? partUri(open.msn, open.parts.length) : partUri(nextMsn, 0);
  return `#EXT-X-PRELOAD-HINT:TYPE=PART,URI="${uri}"`;
}

/** Dynamic range of a video: `SDR`, or HDR with the transfer function PQ or HLG (rfc8216bis §4.4.6.2, `VIDEO-RANGE`). */
export type VideoRange = 'SDR' | 'PQ' | 'HLG';

export interface PlaylistRendition {
  /** Relative URI of its media playlist. */
  readonly uri: string;
  /** Measured bitrate of the segment with the highest bitrate, in bit/s. */
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
  /** Whether the video contains closed captions; absent if unknown. */
  readonly captions?: boolean;
}

/** Formats the master playlist of renditions, which are in the order of preference (RFC 8216 §4.3.4). */
export function formatMasterPlaylist(renditions: readonly PlaylistRendition[]): string {
  const lines = ['#EXTM3U', '#EXT-X-VERSION:7'];
  if (renditions.every((rendition) => rendition.independent)) lines.push('#EXT-X-INDEPENDENT-SEGMENTS');
  // All renditions or none must have CLOSED-CAPTIONS=NONE (RFC 8216 §4.3.4.2). Without it, players look for captions in the
  // segments, and show a menu for them.
  const captions = renditions.every((rendition) => rendition.captions === false)
    ? ',CLOSED-CAPTIONS=NONE'
    : '';
  for (const rendition of renditions)
    lines.push(`#EXT-X-STREAM-INF:${formatStreamAttributes(rendition)}${captions}`, rendition.uri);
  return `${lines.join('\n')}\n`;
}

function formatStreamAttributes({
  bandwidth,
  averageBandwidth,
  codecs,
  resolution,
  frameRate,
  videoRange = 'SDR',
}: PlaylistRendition): string {
  const attributes = [
    // The peak is not reliable at the start, because short segments count towards the average only.
    `BANDWIDTH=${Math.ceil(Math.max(bandwidth, averageBandwidth))}`,
    `AVERAGE-BANDWIDTH=${Math.ceil(averageBandwidth)}`,
    `CODECS="${codecs.join(',')}"`,
  ];
  if (resolution) attributes.push(`RESOLUTION=${resolution.width}x${resolution.height}`);
  if (resolution && frameRate !== undefined) attributes.push(`FRAME-RATE=${frameRate.toFixed(3)}`);
  if (videoRange !== 'SDR') attributes.push(`VIDEO-RANGE=${videoRange}`);
  return attributes.join(',');
}
