import { parseAacConfig } from '@/media-worker/media/cmaf/aac-config';
import { VIDEO_TIMESCALE } from '@/media-worker/media/cmaf/init-segment';
import type { StoredPeriod } from './stored-index';
import type { SegmentLines } from './stored-lines';

/** Media times at which the tracks of the first segment start, in seconds; Infinity without the track. */
export interface TrackStarts {
  readonly picture: number;
  readonly sound: number;
}

/** @param lines lines of the first segment */
export function startsOf({ video, audio }: SegmentLines, period: StoredPeriod | undefined): TrackStarts {
  let picture = Infinity;
  for (let sample = 0; sample < video.count; sample++)
    picture = Math.min(picture, video.pts(sample) / VIDEO_TIMESCALE);
  const isHeard = period?.audio && audio.count > 0;
  const sound = isHeard ? (audio.dts[0] ?? 0) / parseAacConfig(period.audio.record).timescale : Infinity;
  return { picture, sound };
}

/** Media time at which the first segment starts, seconds. */
export const startOf = ({ picture, sound }: TrackStarts): number => Math.min(picture, sound);
