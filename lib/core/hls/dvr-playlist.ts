import type { RecordedSegment } from '../sessions/recorded-segment';

/** Pattern of the first line of the first segment of a media playlist. */
const firstSegmentTag = /^#EXT-X-(?:MAP|PROGRAM-DATE-TIME|DISCONTINUITY$|GAP|PART)|^#EXTINF/m;

/**
 * Adds the stored segments before the window to a live media playlist, with the same names and sequence numbers. Sequence
 * numbers must be consecutive (RFC 8216 §6.2.2), so segments before a missing one are left out.
 * @param livePlaylist media playlist of the live node, without parts
 * @param recordedSegments stored segments of the same rendition and session, in recording order
 * @param windowSeconds duration of the DVR window, including the live window
 */
export function createDvrPlaylist(
  livePlaylist: string,
  recordedSegments: readonly RecordedSegment[],
  windowSeconds: number,
): string {
  const firstSegmentIndex = firstSegmentTag.exec(livePlaylist)?.index ?? -1;
  const firstLiveMsn = readTagNumber(livePlaylist, 'MEDIA-SEQUENCE');
  const storedSegments =
    firstSegmentIndex < 0 || firstLiveMsn === null
      ? []
      : segmentsBefore(recordedSegments, firstLiveMsn, windowSeconds * 1_000 - durationMsOf(livePlaylist));
  const [oldest] = storedSegments;
  if (!oldest) return livePlaylist;
  const header = livePlaylist.slice(0, firstSegmentIndex);
  const liveSegmentLines = livePlaylist.slice(firstSegmentIndex);
  const lines: string[] = [];
  let addedDiscontinuities = 0;
  let previousSegment: RecordedSegment | undefined;
  for (const segment of storedSegments) {
    if (previousSegment && previousSegment.period !== segment.period) {
      lines.push('#EXT-X-DISCONTINUITY');
      addedDiscontinuities += 1;
    }
    if (previousSegment?.period !== segment.period) lines.push(`#EXT-X-MAP:URI="init-${segment.period}.mp4"`);
    lines.push(
      `#EXT-X-PROGRAM-DATE-TIME:${new Date(segment.wallClockMs).toISOString()}`,
      `#EXTINF:${(segment.durationMs / 1_000).toFixed(3)},`,
      `${segment.msn}.m4s`,
    );
    previousSegment = segment;
  }
  const firstLivePeriod = /^#EXT-X-MAP:URI="init-([^"]+)\.mp4"/m.exec(liveSegmentLines)?.[1];
  if (previousSegment?.period !== firstLivePeriod) {
    lines.push('#EXT-X-DISCONTINUITY');
    addedDiscontinuities += 1;
  }
  const discontinuitySequence = Math.max(
    0,
    (readTagNumber(livePlaylist, 'DISCONTINUITY-SEQUENCE') ?? 0) - addedDiscontinuities,
  );
  const isIndependent = storedSegments.every((segment) => segment.independent);
  return `${header
    .replace(/^(#EXT-X-MEDIA-SEQUENCE:).*$/m, `$1${oldest.msn}`)
    .replace(/^(#EXT-X-DISCONTINUITY-SEQUENCE:).*$/m, `$1${discontinuitySequence}`)
    // `/$^/` matches nothing: the tag is kept.
    .replace(
      isIndependent ? /$^/ : /^#EXT-X-INDEPENDENT-SEGMENTS\n/m,
      '',
    )}${lines.join('\n')}\n${liveSegmentLines}`;
}

function readTagNumber(playlist: string, tag: string): number | null {
  const valueText = new RegExp(`^#EXT-X-${tag}:(\\d+)$`, 'm').exec(playlist)?.[1];
  return valueText === undefined ? null : Number(valueText);
}

/** Duration of the media in a playlist, in milliseconds. */
function durationMsOf(playlist: string): number {
  const durations = [...playlist.matchAll(/^#EXTINF:([\d.]+)/gm)];
  return durations.reduce((sum, [, seconds]) => sum + Number(seconds) * 1_000, 0);
}

/** The segments that lead to segment `msn` without a gap, at most `maxDurationMs` in total. */
function segmentsBefore(
  recordedSegments: readonly RecordedSegment[],
  msn: number,
  maxDurationMs: number,
): RecordedSegment[] {
  const precedingSegments: RecordedSegment[] = [];
  let [nextMsn, totalMs] = [msn - 1, 0];
  for (let index = recordedSegments.length - 1; index >= 0; index--) {
    const segment = recordedSegments[index];
    if (!segment || segment.msn > nextMsn) continue;
    totalMs += segment.durationMs;
    if (segment.msn < nextMsn || totalMs > maxDurationMs) break;
    precedingSegments.push(segment);
    nextMsn -= 1;
  }
  return precedingSegments.reverse();
}
