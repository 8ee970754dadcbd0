/** What an HLS address names, below `/hls` at the origin and below `/` at a live node. */
export interface HlsPath {
  readonly playbackId: string;
  /** Folder of one rendition (core/rendition-folder); null for the master playlist and the thumbnail. */
  readonly rendition: string | null;
  readonly file: string;
  readonly kind: 'playlist' | 'init' | 'media' | 'thumbnail';
}

const thumbnail = 'thumbnail.jpg';

/**
 * The whole grammar: what does not match is unknown. Nothing is decoded and no path of a file is ever made from it,
 * so `..`, `%2f` and their kin are just characters that no name has.
 */
const grammar =
  /^\/([a-z0-9]{16})\/(?:([A-Za-z0-9_~-]{1,768})\/)?(index\.m3u8|thumbnail\.jpg|init[a-z0-9-]{0,40}\.mp4|\d{1,15}(?:\.\d{1,6})?\.m4s)$/;

/** @param path without a query, beginning with a slash */
export function parseHlsPath(path: string): HlsPath | null {
  const match = grammar.exec(path);
  const [, playbackId, rendition, file] = match ?? [];
  if (!playbackId || !file) return null;
  if (file.endsWith('.m3u8')) return { playbackId, rendition: rendition ?? null, file, kind: 'playlist' };
  if (file === thumbnail) return rendition ? null : { playbackId, rendition: null, file, kind: 'thumbnail' };
  if (!rendition) return null;
  return { playbackId, rendition, file, kind: file.endsWith('.mp4') ? 'init' : 'media' };
}

export const contentTypes: Readonly<Record<HlsPath['kind'], string>> = {
  playlist: 'application/vnd.apple.mpegurl',
  init: 'video/mp4',
  media: 'video/iso.segment',
  thumbnail: 'image/jpeg',
};

/** Header in which a live node gives the duration of its response's media, in seconds. */
export const mediaSecondsHeader = 'x-media-seconds';
