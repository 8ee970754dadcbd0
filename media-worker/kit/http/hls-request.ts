/** A parsed HLS path, below `/hls` at the origin and below `/` at a live node. */
export interface HlsPath {
  readonly playbackId: string;
  /** Folder of one rendition; null for the master playlist and the thumbnail. */
  readonly rendition: string | null;
  readonly file: string;
  readonly kind: 'playlist' | 'init' | 'media' | 'thumbnail';
}

const thumbnailFile = 'thumbnail.jpg';

/**
 * All valid paths. The path is not decoded and no file path is made from it, so `..` and `%2f` are only characters
 * that no name contains. A rendition folder is the name of a profile: 64 characters of at most 4 bytes, with three characters
 * for each escaped byte (`~20`).
 */
const hlsPathPattern =
  /^\/([a-z0-9]{16})\/(?:([A-Za-z0-9_~-]{1,768})\/)?(index\.m3u8|thumbnail\.jpg|init[a-z0-9-]{0,40}\.mp4|\d{1,15}(?:\.\d{1,6})?\.m4s)$/;

/**
 * Parses an HLS path; null if it is none.
 * @param path path without a query, starting with a slash
 */
export function parseHlsPath(path: string): HlsPath | null {
  const match = hlsPathPattern.exec(path);
  const [, playbackId, rendition, file] = match ?? [];
  if (!playbackId || !file) return null;
  if (file.endsWith('.m3u8')) return { playbackId, rendition: rendition ?? null, file, kind: 'playlist' };
  if (file === thumbnailFile)
    return rendition ? null : { playbackId, rendition: null, file, kind: 'thumbnail' };
  if (!rendition) return null;
  return { playbackId, rendition, file, kind: file.endsWith('.mp4') ? 'init' : 'media' };
}

/** Whether a request may wait for this file: only parts can be announced before they exist. */
export function isPart(file: string): boolean {
  return /^\d+\.\d+\.m4s$/.test(file);
}

/** Header in which a live node reports the duration of the media in its response, in seconds. */
export const mediaSecondsHeader = 'x-media-seconds';

/** Header of a live node's playlists when the stream ends within moments. */
export const endingHeader = 'x-stream-ending';

export interface PlaylistQuery {
  /** Whether parts are listed; `?ll=0` requests a playlist without them, for caches and older players. */
  readonly lowLatency: boolean;
  /** Segment for which the response waits (rfc8216bis §6.2.5.2); null if the request does not block. */
  readonly msn: number | null;
  /** Part of the segment `msn` for which the response waits; null for the whole segment. */
  readonly part: number | null;
  /** Whether a playlist without a whole segment is accepted (`?ll=1`). Most players do not accept such a playlist. */
  readonly early?: true;
  /** Whether stored segments before the live window are listed, without parts. */
  readonly dvr?: true;
}

const wholeNumber = /^\d{1,15}$/;

/**
 * Parses the query of a request target for a playlist. Unknown parameters are ignored. Null if a directive is invalid, for
 * status 400.
 */
export function parsePlaylistQuery(target: string | undefined): PlaylistQuery | null {
  const queryIndex = target?.indexOf('?') ?? -1;
  const query = new URLSearchParams(queryIndex < 0 ? '' : target?.slice(queryIndex));
  const [msn, part] = [query.get('_HLS_msn'), query.get('_HLS_part')];
  if ([msn, part].some((value) => value !== null && !wholeNumber.test(value))) return null;
  if (msn === null && part !== null) return null;
  const lowLatency = query.get('ll') !== '0';
  return {
    lowLatency,
    msn: msn === null ? null : Number(msn),
    part: part === null ? null : Number(part),
    ...(query.get('ll') === '1' ? { early: true } : {}),
    ...(query.get('dvr') === '1' ? { dvr: true } : {}),
  };
}

/** Formats a query so that equal queries have the same text: empty, or beginning with `?`. */
export function formatPlaylistQuery({ lowLatency, early, msn, part, dvr }: PlaylistQuery): string {
  const parameters = [
    ...(lowLatency ? [] : ['ll=0']),
    ...(early ? ['ll=1'] : []),
    ...(msn === null ? [] : [`_HLS_msn=${msn}`]),
    ...(part === null ? [] : [`_HLS_part=${part}`]),
    ...(dvr ? ['dvr=1'] : []),
  ];
  return parameters.length > 0 ? `?${parameters.join('&')}` : '';
}
