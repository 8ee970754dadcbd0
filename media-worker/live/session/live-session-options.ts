import type { Clock } from '@/lib/infra/clock';
import type { Logger } from '@/lib/infra/logger';
import type { StartFeature } from '@/media-worker/media/packaging/session-feature';
import type { MakeSlate } from '@/media-worker/live/program/slate';
import type { LiveRecord } from './live-record';
import type { ProgressMeter } from './progress-meter';

export interface LiveSessionOptions {
  readonly clock: Clock;
  readonly log: Logger;
  readonly record: Pick<
    LiveRecord,
    | 'markActive'
    | 'recordIssues'
    | 'recordRejection'
    | 'recordProgram'
    | 'recordSwitch'
    | 'recordSlate'
    | 'markIdle'
  >;
  readonly meter: Pick<ProgressMeter, 'countSegment' | 'countTranscodedSegment' | 'recordMedia' | 'flush'>;
  readonly features: readonly StartFeature[];
  /** Absent: the session has no slate. */
  readonly makeSlate?: MakeSlate;
  /** Lowest number of the first segment: smaller numbers were used for other media. */
  readonly fromMsn?: number;
  /** Called once when the stream can no longer be played, before the database is updated. */
  readonly onOver: () => void;
}
