import { segmentName } from './recorded-segment';
import { cellOf, type Cell, type RecordingTimeline } from './recording-timeline';

/**
 * The media playlist of one rendition of a recording (RFC 8216 §4.3.3.5): everything, then the end. Addresses are
 * relative to the rendition's folder; `..` leads to the source's where the rendition has nothing of its own.
 */
export function recordingPlaylist({ rows }: RecordingTimeline, folder: string): string {
  const cells = rows.map((row) => cellOf(row, folder));
  const lines = [
    '#EXTM3U',
    '#EXT-X-VERSION:7',
    `#EXT-X-TARGETDURATION:${Math.max(1, ...cells.map(({ durationMs }) => Math.round(durationMs / 1_000)))}`,
    '#EXT-X-PLAYLIST-TYPE:VOD',
    '#EXT-X-MEDIA-SEQUENCE:0',
  ];
  if (cells.every(({ independent }) => independent)) lines.push('#EXT-X-INDEPENDENT-SEGMENTS');
  let map = '';
  rows.forEach((row, index) => {
    const cell = cellOf(row, folder);
    const wanted = `${pathTo(cell, folder)}init-${cell.period}.mp4`;
    if (row.discontinuity) lines.push('#EXT-X-DISCONTINUITY');
    if (map !== wanted) lines.push(`#EXT-X-MAP:URI="${wanted}"`);
    map = wanted;
    // The source's clock in every rendition: players find the same moment in another one by it.
    if (row.discontinuity || index === 0) lines.push(`#EXT-X-PROGRAM-DATE-TIME:${isoOf(row.source.wallMs)}`);
    lines.push(
      `#EXTINF:${(cell.durationMs / 1_000).toFixed(6)},`,
      `${pathTo(cell, folder)}${segmentName(cell)}`,
    );
  });
  lines.push('#EXT-X-ENDLIST');
  return `${lines.join('\n')}\n`;
}

function pathTo(cell: Cell, folder: string): string {
  return cell.folder === folder ? '' : `../${cell.folder}/`;
}

const isoOf = (ms: number): string => new Date(ms).toISOString();
