import { parseAacConfig } from '@/media-worker/media/cmaf/aac-config';
import { VIDEO_TIMESCALE } from '@/media-worker/media/cmaf/init-segment';
import type { StoredPeriod } from './stored-index';
import type { SegmentLines } from './stored-lines';

/** Media times at which the tracks of a segment start, in seconds; Infinity without the track. */
export interface TrackStarts {
  readonly video: number;
  readonly audio: number;
}

/** Media times at which the tracks of a segment start. */
export function startsOf({ video, audio }: SegmentLines, period: StoredPeriod | undefined): TrackStarts {
  let videoStart = Infinity;
  for (let sample = 0; sample < video.count; sample++)
    videoStart = Math.min(videoStart, video.pts(sample) / VIDEO_TIMESCALE);
  const hasAudio = period?.audio && audio.count > 0;
  const audioStart = hasAudio
    ? (audio.dts[0] ?? 0) / parseAacConfig(period.audio.record).timescale
    : Infinity;
  return { video: videoStart, audio: audioStart };
}

/** Media time at which the first segment starts, seconds. */
export const startOf = ({ video, audio }: TrackStarts): number => Math.min(video, audio);
