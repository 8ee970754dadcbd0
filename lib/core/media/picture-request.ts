import type { FieldIssue } from '@/lib/core/errors';
import { daySeconds } from '@/lib/core/units';

/**
 * Pictures of a video at any time: `thumbnail.jpg?time=&width=`. Times and widths are rounded, so that caches store few
 * pictures.
 */

const pictureWidths = [160, 320, 640, 1280] as const;
const defaultWidth = 640;
/** A day; no stored video is longer. */
const maxSeconds = daySeconds;

export interface PictureRequest {
  /** Whole seconds from the beginning; null = time of the poster. */
  readonly time: number | null;
  /** Pixels, one of `pictureWidths`. A smaller video is not enlarged. */
  readonly width: number;
}

/** Reads the query. Times are rounded down to seconds, widths up to the next supported one. */
export function readPictureRequest(query: Pick<URLSearchParams, 'get'>): PictureRequest | FieldIssue {
  const [time, width] = [query.get('time'), query.get('width')];
  if (time !== null && !(isNumber(time) && Number(time) <= maxSeconds))
    return { field: 'time', message: `must be a number of seconds from 0 to ${maxSeconds}` };
  const largest = pictureWidths.at(-1) ?? defaultWidth;
  if (width !== null && !(isNumber(width) && Number(width) >= 1))
    return { field: 'width', message: `must be a number of pixels from 1 to ${largest}` };
  return {
    time: time === null ? null : Math.floor(Number(time)),
    width: width === null ? defaultWidth : (pictureWidths.find((each) => each >= Number(width)) ?? largest),
  };
}

/**
 * The whole second of a video for a requested time. Times after the end are the last second, so that they make no
 * additional picture.
 * @param duration in seconds; 0 = unknown
 */
export function pictureTime(time: number, duration: number): number {
  const last = duration > 0 ? Math.max(0, Math.ceil(duration) - 1) : maxSeconds;
  return Math.min(Math.floor(time), last);
}

const isNumber = (text: string): boolean => /^\d{1,7}(?:\.\d{1,9})?$/.test(text);

/** The canonical query of a request, for caches. */
export const pictureQuery = ({ time, width }: PictureRequest): string =>
  `?${time === null ? '' : `time=${time}&`}width=${width}`;

/** Position of a picture in the segments of a video. */
export interface PicturePlace {
  /** URI relative to the playlist. */
  readonly init: string;
  readonly segment: string;
  /** Seconds from the beginning of the segment. */
  readonly offset: number;
}

/**
 * The segment of a media playlist (RFC 8216) that shows a time; the last segment for a later time. Null for a playlist
 * without fragmented MP4.
 */
export function placeOfPicture(playlist: string, time: number): PicturePlace | null {
  let [init, start, seconds, pictureTime]: [string | null, number, number, PicturePlace | null] = [
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
      pictureTime = { init, segment: line.trim(), offset: Math.max(0, Math.min(time - start, seconds)) };
      start += seconds;
      if (time < start) return pictureTime;
    }
  }
  return pictureTime;
}

/** URI of the media playlist with the highest bandwidth, relative to the master playlist (RFC 8216 §4.3.4.2). */
export function bestRendition(master: string): string | null {
  let best: { readonly bandwidth: number; readonly uri: string } | null = null;
  const lines = master.split('\n');
  for (const [index, line] of lines.entries()) {
    const bandwidth = Number(
      /^#EXT-X-STREAM-INF:.*?(?<![A-Z-])BANDWIDTH=(\d+)/.exec(line)?.[1] ?? Number.NaN,
    );
    const uri = lines[index + 1]?.trim() ?? '';
    if (uri !== '' && bandwidth > (best?.bandwidth ?? -1)) best = { bandwidth, uri };
  }
  return best?.uri ?? null;
}
