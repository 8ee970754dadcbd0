/** A parsed HLS path, below `/hls` at the origin and below `/` at a live node. */
export interface HlsPath {
  readonly playbackId: string;
  /** Folder of one rendition; null for the master playlist and the thumbnail. */
  readonly rendition: string | null;
  readonly file: string;
  readonly kind: 'playlist' | 'init' | 'media' | 'thumbnail';
}

const thumbnail = 'thumbnail.jpg';

/**
 * The whole grammar; all other paths are unknown. The path is not decoded and no file path is made from it, so
 * `..` and `%2f` are only characters that no name contains.
 */
const grammar =
  /^\/([a-z0-9]{16})\/(?:([A-Za-z0-9_~-]{1,768})\/)?(index\.m3u8|thumbnail\.jpg|init[a-z0-9-]{0,40}\.mp4|\d{1,15}(?:\.\d{1,6})?\.m4s)$/;

/** @param path without a query, starting with a slash */
export function parseHlsPath(path: string): HlsPath | null {
  const match = grammar.exec(path);
  const [, playbackId, rendition, file] = match ?? [];
  if (!playbackId || !file) return null;
  if (file.endsWith('.m3u8')) return { playbackId, rendition: rendition ?? null, file, kind: 'playlist' };
  if (file === thumbnail) return rendition ? null : { playbackId, rendition: null, file, kind: 'thumbnail' };
  if (!rendition) return null;
  return { playbackId, rendition, file, kind: file.endsWith('.mp4') ? 'init' : 'media' };
}

/** Whether a request may wait for this file: only parts can be announced before they exist. */
export function isPart(file: string): boolean {
  return /^\d+\.\d+\.m4s$/.test(file);
}

export const contentTypes: Readonly<Record<HlsPath['kind'], string>> = {
  playlist: 'application/vnd.apple.mpegurl',
  init: 'video/mp4',
  media: 'video/iso.segment',
  thumbnail: 'image/jpeg',
};

/** Header in which a live node reports the duration of the media in its response, in seconds. */
export const mediaSecondsHeader = 'x-media-seconds';

/** Header of a live node's playlists when the stream ends within moments. */
export const endingHeader = 'x-stream-ending';

export interface PlaylistQuery {
  /** Whether parts are listed; `?ll=0` requests a playlist without them, for caches and older players. */
  readonly lowLatency: boolean;
  /** Wait until the playlist has this segment (rfc8216bis §6.2.5.2). */
  readonly msn: number | null;
  /** With `msn`: wait for this part of the segment. */
  readonly part: number | null;
  /** `?ll=1`: answer even if there are only parts. Most players do not accept a playlist without a whole segment. */
  readonly early?: true;
  /** Include stored segments before the live window, without parts. */
  readonly dvr?: true;
}

const wholeNumber = /^\d{1,15}$/;

/** Unknown parameters are ignored. Null if a directive is invalid (400). */
export function parsePlaylistQuery(target: string | undefined): PlaylistQuery | null {
  const start = target?.indexOf('?') ?? -1;
  const query = new URLSearchParams(start < 0 ? '' : target?.slice(start));
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

/** The query in the one spelling that equal requests share: empty, or beginning with `?`. */
export function playlistQueryText({ lowLatency, early, msn, part, dvr }: PlaylistQuery): string {
  const terms = [
    ...(lowLatency ? [] : ['ll=0']),
    ...(early ? ['ll=1'] : []),
    ...(msn === null ? [] : [`_HLS_msn=${msn}`]),
    ...(part === null ? [] : [`_HLS_part=${part}`]),
    ...(dvr ? ['dvr=1'] : []),
  ];
  return terms.length > 0 ? `?${terms.join('&')}` : '';
}
