import { formatMasterPlaylist } from '@/lib/core/hls/playlist';
import { codingOf, parseAacConfig, displaySize } from '@/media-worker/media/cmaf/codec-config';
import { withDisplayMatrix } from '@/media-worker/media/cmaf/display-matrix';
import { buildInitSegment } from '@/media-worker/media/cmaf/init-segment';
import type { IndexHead, StoredPeriod, StoredSegment } from './stored-index';

/** Prefix of an asset's file names, which changes with the content. */
export const contentTag = ({ etag }: Pick<IndexHead, 'etag'>): string => `${etag.slice(0, 12)}-`;
/**
 * Name of an init segment.
 * @param period number of the period that it describes
 */
export const initFileName = (tag = '', period = 0): string =>
  `${tag}init${period === 0 ? '' : `-${period}`}.mp4`;
/**
 * Name of a segment.
 * @param index number of the segment, from 0
 */
export const segmentFileName = (index: number, tag = ''): string =>
  `${tag}${String(index).padStart(6, '0')}.m4s`;

/** The init segment of a period. */
export function buildIndexedInit(period: StoredPeriod): Buffer {
  const { video, audio } = tracksOf(period);
  const init = buildInitSegment({ video, audio });
  return period.video && isNotIdentity(period.video.matrix)
    ? withDisplayMatrix(init, period.video.matrix)
    : init;
}

function tracksOf({ video, audio }: StoredPeriod) {
  return {
    video: video && { ...codingOf(video.coding).parse(video.record), sar: video.pixelAspect },
    audio: audio && parseAacConfig(audio.record),
  };
}

/** The display matrix of a video that is neither rotated nor scaled: fixed-point numbers of 16.16 and 2.30 bits. */
const identityMatrix = [0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000];
const isNotIdentity = (matrix: readonly number[]): boolean =>
  identityMatrix.some((value, index) => matrix[index] !== value);
/** Whether the display matrix rotates the video by 90 degrees, which swaps width and height. */
const isQuarterTurn = ([across = 0, down = 0]: readonly number[]): boolean => across === 0 && down !== 0;

/**
 * The media playlist of an indexed asset (RFC 8216 §4.3.3).
 * @param tag prefix of file names
 */
export function buildIndexedPlaylist({ segments }: IndexHead, tag = ''): string {
  const longest = Math.max(1, ...segments.map(({ seconds }) => Math.round(seconds)));
  return [
    '#EXTM3U',
    '#EXT-X-VERSION:7',
    `#EXT-X-TARGETDURATION:${longest}`,
    '#EXT-X-MEDIA-SEQUENCE:0',
    '#EXT-X-PLAYLIST-TYPE:VOD',
    ...(segments.every(({ independent }) => independent) ? ['#EXT-X-INDEPENDENT-SEGMENTS'] : []),
    ...segments.flatMap(({ seconds, period }, index) => [
      ...(segments[index - 1]?.period === period ? [] : periodLines(period, tag)),
      `#EXTINF:${seconds.toFixed(6)},`,
      segmentFileName(index, tag),
    ]),
    '#EXT-X-ENDLIST',
    '',
  ].join('\n');
}

const periodLines = (period: number, tag: string): string[] => [
  ...(period === 0 ? [] : ['#EXT-X-DISCONTINUITY']),
  `#EXT-X-MAP:URI="${initFileName(tag, period)}"`,
];

/** Playable seconds of an indexed asset. */
const indexedDuration = ({ segments }: Pick<IndexHead, 'segments'>): number =>
  segments.reduce((sum, { seconds }) => sum + seconds, 0);

/** The master playlist of an indexed asset without further renditions. */
export function buildIndexedMaster(head: IndexHead): string {
  const tracks = head.periods.map(tracksOf);
  const videos = tracks.flatMap(({ video }) => video ?? []);
  const codecs = [...videos, ...tracks.flatMap(({ audio }) => audio ?? [])].map(({ codec }) => codec);
  const resolutions = head.periods.flatMap((period) => displayedSizeOf(period) ?? []);
  const bytes = head.segments.reduce((sum, segment) => sum + segment.bytes, 0);
  return formatMasterPlaylist([
    {
      uri: 'source/index.m3u8',
      bandwidth: peakBitrateOf(head.segments),
      averageBandwidth: (bytes * 8) / Math.max(indexedDuration(head), 0.1),
      // All codecs that any segment needs (RFC 8216 §4.3.4.2).
      codecs: [...new Set(codecs)],
      resolution: resolutions.toSorted((a, b) => b.width * b.height - a.width * a.height)[0],
      frameRate: head.source.frameRate,
      videoRange: videos[0]?.videoRange,
      independent: head.segments.every(({ independent }) => independent),
    },
  ]);
}

function displayedSizeOf(period: StoredPeriod) {
  const { video } = tracksOf(period);
  const size = video && displaySize(video);
  const swapsSize = period.video && isQuarterTurn(period.video.matrix);
  return size && swapsSize ? { width: size.height, height: size.width } : size;
}

/**
 * Peak bitrate: bits per second of the busiest consecutive segments that together last at least half of the
 * longest one (RFC 8216 §4.1).
 */
function peakBitrateOf(segments: readonly StoredSegment[]): number {
  const minSeconds = Math.max(...segments.map(({ seconds }) => seconds)) / 2;
  let peak = 0;
  for (let first = 0; first < segments.length; first++) {
    let [bytes, seconds] = [0, 0];
    for (let offset = first; offset < segments.length && seconds < minSeconds; offset++) {
      bytes += segments[offset]?.bytes ?? 0;
      seconds += segments[offset]?.seconds ?? 0;
    }
    if (seconds >= minSeconds) peak = Math.max(peak, (bytes * 8) / seconds);
  }
  return peak;
}
