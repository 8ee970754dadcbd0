import { masterPlaylist } from '@/lib/core/hls/playlist';
import { codingOf, parseAacConfig, displaySize } from '@/media-worker/media/cmaf/codec-config';
import { withDisplayMatrix } from '@/media-worker/media/cmaf/display-matrix';
import { initSegment } from '@/media-worker/media/cmaf/init-segment';
import type { IndexHead, StoredSegment } from './stored-index';

/** Prefix of an asset's file names: it changes with the content. */
export const contentTag = ({ etag }: Pick<IndexHead, 'etag'>): string => `${etag.slice(0, 12)}-`;
export const initFile = (tag = ''): string => `${tag}init.mp4`;
export const segmentFile = (index: number, tag = ''): string => `${tag}${String(index).padStart(6, '0')}.m4s`;

/** Contents of `init.mp4`. */
export function indexedInit(head: IndexHead): Buffer {
  const { video, audio } = tracksOf(head);
  const init = initSegment({ video, audio });
  return head.video && isTurned(head.video.matrix) ? withDisplayMatrix(init, head.video.matrix) : init;
}

function tracksOf({ video, audio }: IndexHead) {
  return {
    video: video && { ...codingOf(video.coding).parse(video.record), sar: video.pixelAspect },
    audio: audio && parseAacConfig(audio.record),
  };
}

const upright = [0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000];
const isTurned = (matrix: readonly number[]): boolean =>
  upright.some((value, index) => matrix[index] !== value);
/** Whether the display matrix turns the picture by 90 degrees, which swaps width and height. */
const isOnItsSide = ([across = 0, down = 0]: readonly number[]): boolean => across === 0 && down !== 0;

/**
 * The media playlist of an indexed asset (RFC 8216 §4.3.3).
 * @param tag prefix of file names
 */
export function indexedPlaylist({ segments }: IndexHead, tag = ''): string {
  const longest = Math.max(1, ...segments.map(({ seconds }) => Math.round(seconds)));
  return [
    '#EXTM3U',
    '#EXT-X-VERSION:7',
    `#EXT-X-TARGETDURATION:${longest}`,
    '#EXT-X-MEDIA-SEQUENCE:0',
    '#EXT-X-PLAYLIST-TYPE:VOD',
    ...(segments.every(({ independent }) => independent) ? ['#EXT-X-INDEPENDENT-SEGMENTS'] : []),
    `#EXT-X-MAP:URI="${initFile(tag)}"`,
    ...segments.flatMap(({ seconds }, index) => [`#EXTINF:${seconds.toFixed(6)},`, segmentFile(index, tag)]),
    '#EXT-X-ENDLIST',
    '',
  ].join('\n');
}

/** Seconds that an indexed asset plays. */
const indexedDuration = ({ segments }: Pick<IndexHead, 'segments'>): number =>
  segments.reduce((sum, { seconds }) => sum + seconds, 0);

/** The master playlist of an indexed asset without further renditions. */
export function indexedMaster(head: IndexHead): string {
  const { video, audio } = tracksOf(head);
  const displayed = video && displaySize(video);
  const isTurned = head.video && isOnItsSide(head.video.matrix);
  const resolution =
    displayed && (isTurned ? { width: displayed.height, height: displayed.width } : displayed);
  const bytes = head.segments.reduce((sum, segment) => sum + segment.bytes, 0);
  return masterPlaylist([
    {
      uri: 'source/index.m3u8',
      bandwidth: peakOf(head.segments),
      averageBandwidth: (bytes * 8) / Math.max(indexedDuration(head), 0.1),
      codecs: [video?.codec, audio?.codec].filter((codec) => codec !== undefined),
      resolution,
      frameRate: head.source.frameRate,
      videoRange: video?.videoRange,
      independent: head.segments.every(({ independent }) => independent),
    },
  ]);
}

/** Peak bitrate: over consecutive segments of at least half the longest one's duration (RFC 8216 §4.1). */
function peakOf(segments: readonly StoredSegment[]): number {
  const atLeast = Math.max(...segments.map(({ seconds }) => seconds)) / 2;
  let peak = 0;
  for (let first = 0; first < segments.length; first++) {
    let [bytes, seconds] = [0, 0];
    for (let at = first; at < segments.length && seconds < atLeast; at++) {
      bytes += segments[at]?.bytes ?? 0;
      seconds += segments[at]?.seconds ?? 0;
    }
    if (seconds >= atLeast) peak = Math.max(peak, (bytes * 8) / seconds);
  }
  return peak;
}
