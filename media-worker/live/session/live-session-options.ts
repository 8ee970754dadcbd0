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
    'active' | 'issues' | 'onReject' | 'program' | 'onSwitch' | 'slate' | 'idle'
  >;
  readonly meter: Pick<ProgressMeter, 'segment' | 'transcoded' | 'touch' | 'flush'>;
  readonly features: readonly StartFeature[];
  /** Absent: there are no slates. */
  readonly makeSlate?: MakeSlate;
  /** Of the first segment at least: smaller numbers stood for other bytes. */
  readonly fromMsn?: number;
  /** Nothing can be played anymore; called once, before the database is updated. */
  readonly onOver: () => void;
}
