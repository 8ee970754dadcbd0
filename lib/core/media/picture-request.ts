import type { FieldIssue } from '@/lib/core/errors';
import { DAY_SECONDS } from '@/lib/core/units';

/** Requests of `thumbnail.jpg?time=&width=` for a picture of any time of a video. */

/** Supported widths in pixels. Times and widths are rounded, so that caches store few pictures. */
const pictureWidths = [160, 320, 640, 1280] as const;
const DEFAULT_WIDTH = 640;
/** Maximum time of a request, in seconds: no stored video is longer than a day. */
const MAX_SECONDS = DAY_SECONDS;

export interface PictureRequest {
  /** Whole seconds from the beginning of the video; null for the time of the poster. */
  readonly time: number | null;
  /** Width in pixels, one of `pictureWidths`. The picture of a smaller video is not enlarged. */
  readonly width: number;
}

/**
 * Reads the query of a request. Times are rounded down to whole seconds, and widths up to the next supported width.
 * @returns the request, or the requirement that a parameter violates
 */
export function readPictureRequest(query: Pick<URLSearchParams, 'get'>): PictureRequest | FieldIssue {
  const [time, width] = [query.get('time'), query.get('width')];
  if (time !== null && !(isNumber(time) && Number(time) <= MAX_SECONDS))
    return { field: 'time', message: `must be a number of seconds from 0 to ${MAX_SECONDS}` };
  const largest = pictureWidths.at(-1) ?? DEFAULT_WIDTH;
  if (width !== null && !(isNumber(width) && Number(width) >= 1))
    return { field: 'width', message: `must be a number of pixels from 1 to ${largest}` };
  return {
    time: time === null ? null : Math.floor(Number(time)),
    width:
      width === null
        ? DEFAULT_WIDTH
        : (pictureWidths.find((candidate) => candidate >= Number(width)) ?? largest),
  };
}

/**
 * Limits a requested time to whole seconds of a video. A time after the end is the last second, so that it does not create
 * another picture.
 * @param durationSeconds duration of the video; 0 if unknown
 */
export function clampPictureTime(time: number, durationSeconds: number): number {
  const lastSecond = durationSeconds > 0 ? Math.max(0, Math.ceil(durationSeconds) - 1) : MAX_SECONDS;
  return Math.min(Math.floor(time), lastSecond);
}

const isNumber = (text: string): boolean => /^\d{1,7}(?:\.\d{1,9})?$/.test(text);

/** The canonical query of a request, for caches. */
export const formatPictureQuery = ({ time, width }: PictureRequest): string =>
  `?${time === null ? '' : `time=${time}&`}width=${width}`;

/** Position of a picture in the segments of a video. */
export interface PicturePosition {
  /** URI of the init segment, relative to the playlist. */
  readonly init: string;
  readonly segment: string;
  /** Seconds from the beginning of the segment. */
  readonly offset: number;
}

/**
 * Finds the segment of a media playlist (RFC 8216) that contains a time, or the last segment if the time is after the end.
 * @returns null for a playlist without segments, or whose segments are not fragmented MP4
 */
export function findPicture(playlist: string, time: number): PicturePosition | null {
  let [init, segmentStart, seconds, position]: [string | null, number, number, PicturePosition | null] = [
    null,
    0,
    0,
    null,
  ];
  for (const line of playlist.split('\n')) {
    if (line.startsWith('#EXT-X-MAP:')) init = /URI="([^"]+)"/.exec(line)?.[1] ?? null;
    else if (line.startsWith('#EXTINF:')) seconds = Number.parseFloat(line.slice('#EXTINF:'.length));
    else if (line !== '' && !line.startsWith('#')) {
      if (init === null || !Number.isFinite(seconds)) return null;
      position = { init, segment: line.trim(), offset: Math.max(0, Math.min(time - segmentStart, seconds)) };
      segmentStart += seconds;
      if (time < segmentStart) return position;
    }
  }
  return position;
}

/** URI of the media playlist with the highest bandwidth, relative to the master playlist (RFC 8216 §4.3.4.2). */
export function findBestRenditionUri(masterPlaylist: string): string | null {
  let best: { readonly bandwidth: number; readonly uri: string } | null = null;
  const lines = masterPlaylist.split('\n');
  for (const [index, line] of lines.entries()) {
    const bandwidth = Number(
      /^#EXT-X-STREAM-INF:.*?(?<![A-Z-])BANDWIDTH=(\d+)/.exec(line)?.[1] ?? Number.NaN,
    );
    const uri = lines[index + 1]?.trim() ?? '';
    if (uri !== '' && bandwidth > (best?.bandwidth ?? -1)) best = { bandwidth, uri };
  }
  return best?.uri ?? null;
}
