import type { PlaylistRendition } from './playlist';

/** A media playlist with an end tag, as it is stored for an asset. */
export interface StoredPlaylist {
  /** Relative URIs of the init segments, each listed once. */
  readonly inits: readonly string[];
  readonly segments: readonly StoredPlaylistSegment[];
}

export interface StoredPlaylistSegment {
  readonly uri: string;
  /** Duration from EXTINF. */
  readonly seconds: number;
  /** Relative URI of the init segment. */
  readonly init: string;
  /** Whether the segment follows the previous one without a discontinuity; false for the first segment. */
  readonly isContinuous: boolean;
}

const initUriOf = (line: string): string | undefined => /^#EXT-X-MAP:URI="([^"]+)"$/.exec(line)?.[1];

/**
 * Parses a stored media playlist.
 * @returns null for a playlist without an end tag or without segments, or with a segment that has no duration or no init
 * segment
 */
export function parseStoredPlaylist(text: string): StoredPlaylist | null {
  const lines = text.split('\n').map((line) => line.trim());
  if (!lines.includes('#EXT-X-ENDLIST')) return null;
  const segments: StoredPlaylistSegment[] = [];
  let init: string | undefined;
  // `seconds` is NaN until an EXTINF tag precedes the next URI.
  let [seconds, isContinuous] = [Number.NaN, false];
  for (const line of lines) {
    const initOfLine = initUriOf(line);
    if (line === '#EXT-X-DISCONTINUITY' || (initOfLine && initOfLine !== init)) isContinuous = false;
    init = initOfLine ?? init;
    if (line.startsWith('#EXTINF:')) seconds = Number.parseFloat(line.slice('#EXTINF:'.length));
    if (line === '' || line.startsWith('#')) continue;
    if (!(seconds >= 0) || init === undefined) return null;
    segments.push({ uri: line, seconds, init, isContinuous });
    [seconds, isContinuous] = [Number.NaN, true];
  }
  return segments.length > 0
    ? { inits: [...new Set(segments.map((segment) => segment.init))], segments }
    : null;
}

/** Parses a master playlist that `formatMasterPlaylist` returned. */
export function parseMasterPlaylist(text: string): PlaylistRendition[] {
  const lines = text.split('\n');
  return lines.flatMap((line, index) => {
    const uri = lines[index + 1];
    if (!line.startsWith('#EXT-X-STREAM-INF:') || !uri) return [];
    const matchAttribute = (name: string) => new RegExp(`[:,]${name}=(?:"([^"]*)"|([^,]*))`).exec(line);
    const attributeText = (name: string) => matchAttribute(name)?.[1] ?? matchAttribute(name)?.[2] ?? '';
    const [, width = 0, height = 0] = /^(\d+)x(\d+)$/.exec(attributeText('RESOLUTION')) ?? [];
    const videoRange = attributeText('VIDEO-RANGE');
    const frameRate = Number.parseFloat(attributeText('FRAME-RATE'));
    return [
      {
        uri,
        bandwidth: Number(attributeText('BANDWIDTH')),
        averageBandwidth: Number(attributeText('AVERAGE-BANDWIDTH')),
        codecs: attributeText('CODECS').split(',').filter(Boolean),
        resolution: width === 0 ? undefined : { width: Number(width), height: Number(height) },
        frameRate: Number.isNaN(frameRate) ? undefined : frameRate,
        videoRange: videoRange === 'PQ' || videoRange === 'HLG' ? videoRange : undefined,
        independent: lines.includes('#EXT-X-INDEPENDENT-SEGMENTS'),
      },
    ];
  });
}
