import type { PlaylistRendition } from './playlist';

/** A media playlist of an asset that has ended and stays on one timeline. */
export interface StoredPlaylist {
  /** Relative URIs. */
  readonly init: string;
  readonly segments: readonly { readonly uri: string; readonly seconds: number }[];
}

/** @returns null for a playlist that goes on, breaks its timeline, or has none or several init segments */
export function readStoredPlaylist(text: string): StoredPlaylist | null {
  const lines = text.split('\n').map((line) => line.trim());
  if (!lines.includes('#EXT-X-ENDLIST') || lines.includes('#EXT-X-DISCONTINUITY')) return null;
  const inits = lines.flatMap((line) => /^#EXT-X-MAP:URI="([^"]+)"$/.exec(line)?.[1] ?? []);
  const [init] = inits;
  if (init === undefined || new Set(inits).size > 1) return null;
  const segments: { uri: string; seconds: number }[] = [];
  let seconds = Number.NaN;
  for (const line of lines) {
    if (line.startsWith('#EXTINF:')) seconds = Number.parseFloat(line.slice('#EXTINF:'.length));
    if (line === '' || line.startsWith('#')) continue;
    if (!(seconds >= 0)) return null;
    segments.push({ uri: line, seconds });
    seconds = Number.NaN;
  }
  return segments.length > 0 ? { init, segments } : null;
}

/** The renditions of a master playlist that `masterPlaylist` wrote. */
export function readMasterPlaylist(text: string): PlaylistRendition[] {
  const lines = text.split('\n');
  return lines.flatMap((line, index) => {
    const uri = lines[index + 1];
    if (!line.startsWith('#EXT-X-STREAM-INF:') || !uri) return [];
    const value = (name: string) => new RegExp(`[:,]${name}=(?:"([^"]*)"|([^,]*))`).exec(line);
    const text = (name: string) => value(name)?.[1] ?? value(name)?.[2] ?? '';
    const [, width = 0, height = 0] = /^(\d+)x(\d+)$/.exec(text('RESOLUTION')) ?? [];
    const range = text('VIDEO-RANGE');
    const frameRate = Number.parseFloat(text('FRAME-RATE'));
    return [
      {
        uri,
        bandwidth: Number(text('BANDWIDTH')),
        averageBandwidth: Number(text('AVERAGE-BANDWIDTH')),
        codecs: text('CODECS').split(',').filter(Boolean),
        resolution: width === 0 ? undefined : { width: Number(width), height: Number(height) },
        frameRate: Number.isNaN(frameRate) ? undefined : frameRate,
        videoRange: range === 'PQ' || range === 'HLG' ? range : undefined,
        independent: lines.includes('#EXT-X-INDEPENDENT-SEGMENTS'),
      },
    ];
  });
}
