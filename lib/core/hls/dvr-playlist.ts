import type { RecordedSegment } from '../sessions/recorded-segment';

/** Matches the first line of the first segment of a media playlist. */
const firstSegment = /^#EXT-X-(?:MAP|PROGRAM-DATE-TIME|DISCONTINUITY$|GAP|PART)|^#EXTINF/m;

/**
 * A live media playlist with the stored segments before its window, under the same names and sequence numbers.
 * Sequence numbers must be consecutive (RFC 8216 §6.2.2), so segments before a missing one are left out.
 * @param live playlist of the live node, without parts
 * @param recordedSegments of the same rendition and session, in recording order
 * @param seconds length of the DVR window, including the live window
 */
export function dvrPlaylist(
  live: string,
  recordedSegments: readonly RecordedSegment[],
  seconds: number,
): string {
  const begin = firstSegment.exec(live)?.index ?? -1;
  const window = numberIn(live, 'MEDIA-SEQUENCE');
  const older =
    begin < 0 || window === null
      ? []
      : segmentsBefore(recordedSegments, window, seconds * 1_000 - lengthOf(live));
  const [oldest] = older;
  if (!oldest) return live;
  const head = live.slice(0, begin);
  const tail = live.slice(begin);
  const lines: string[] = [];
  let breaks = 0;
  let last: RecordedSegment | undefined;
  for (const segment of older) {
    if (last && last.period !== segment.period) {
      lines.push('#EXT-X-DISCONTINUITY');
      breaks += 1;
    }
    if (last?.period !== segment.period) lines.push(`#EXT-X-MAP:URI="init-${segment.period}.mp4"`);
    lines.push(
      `#EXT-X-PROGRAM-DATE-TIME:${new Date(segment.wallMs).toISOString()}`,
      `#EXTINF:${(segment.durationMs / 1_000).toFixed(3)},`,
      `${segment.msn}.m4s`,
    );
    last = segment;
  }
  const map = /^#EXT-X-MAP:URI="init-([^"]+)\.mp4"/m.exec(tail)?.[1];
  if (last?.period !== map) {
    lines.push('#EXT-X-DISCONTINUITY');
    breaks += 1;
  }
  const discontinuities = Math.max(0, (numberIn(live, 'DISCONTINUITY-SEQUENCE') ?? 0) - breaks);
  const independent = older.every((segment) => segment.independent);
  return `${head
    .replace(/^(#EXT-X-MEDIA-SEQUENCE:).*$/m, `$1${oldest.msn}`)
    .replace(/^(#EXT-X-DISCONTINUITY-SEQUENCE:).*$/m, `$1${discontinuities}`)
    .replace(independent ? /$^/ : /^#EXT-X-INDEPENDENT-SEGMENTS\n/m, '')}${lines.join('\n')}\n${tail}`;
}

function numberIn(playlist: string, tag: string): number | null {
  const valueText = new RegExp(`^#EXT-X-${tag}:(\\d+)$`, 'm').exec(playlist)?.[1];
  return valueText === undefined ? null : Number(valueText);
}

/** Milliseconds of media in a playlist. */
function lengthOf(playlist: string): number {
  const lengths = [...playlist.matchAll(/^#EXTINF:([\d.]+)/gm)];
  return lengths.reduce((sum, [, seconds]) => sum + Number(seconds) * 1_000, 0);
}

/** The segments that lead to segment `msn` without a gap, at most `maxMs` in total. */
function segmentsBefore(
  recordedSegments: readonly RecordedSegment[],
  msn: number,
  maxMs: number,
): RecordedSegment[] {
  const precedingSegments: RecordedSegment[] = [];
  let [next, totalMs] = [msn - 1, 0];
  for (let index = recordedSegments.length - 1; index >= 0; index--) {
    const segment = recordedSegments[index];
    if (!segment || segment.msn > next) continue;
    totalMs += segment.durationMs;
    if (segment.msn < next || totalMs > maxMs) break;
    precedingSegments.push(segment);
    next -= 1;
  }
  return precedingSegments.reverse();
}
