import type { Profile } from '@/lib/contract/profile';
import type { RecordingSpec } from '@/lib/contract/recording-spec';
import type { Session as SessionObject } from '@/lib/contract/session';
import { recordingStatusOf } from '@/lib/core/recording-state';
import type { Session } from '@/lib/generated/prisma/client';
import type { Settings } from '@/lib/infra/env';
import { recordingAddresses } from './addresses';

/** The session object. */
export function serializeSession(row: Session, settings: Pick<Settings, 'cdnUrl'>): SessionObject {
  return {
    id: row.id,
    kind: 'session',
    userId: row.userId,
    name: row.name,
    parentId: row.parentId,
    playbackId: row.playbackId,
    createdAt: row.createdAt.getTime(),
    lastSeen: row.lastSeen?.getTime() ?? 0,
    isActive: row.state !== 'ended',
    // Checked when the stream was written.
    profiles: row.profiles as unknown as Profile[],
    record: row.record,
    ...(row.recordingSpec === null ? {} : { recordingSpec: row.recordingSpec as unknown as RecordingSpec }),
    sourceSegments: row.sourceSegments,
    transcodedSegments: row.transcodedSegments,
    sourceSegmentsDuration: row.sourceSegmentsDuration,
    transcodedSegmentsDuration: row.transcodedSegmentsDuration,
    sourceBytes: Number(row.sourceBytes),
    transcodedBytes: Number(row.transcodedBytes),
    ...(row.record ? recordingOf(row, settings) : {}),
  };
}

type RecordingFields = Pick<
  SessionObject,
  'recordingStatus' | 'recordingUrl' | 'mp4URL' | 'mp4Url' | 'recordingError' | 'recordingGaps'
>;

/** Its URLs, once both can be fetched. */
function recordingOf(row: Session, settings: Pick<Settings, 'cdnUrl'>): RecordingFields {
  const recordingStatus = recordingStatusOf(row.recording);
  return {
    recordingStatus,
    ...(recordingStatus === 'ready' ? recordingAddresses(settings, row.id) : {}),
    ...(row.recordingError === null ? {} : { recordingError: row.recordingError }),
    ...(recordingStatus === 'ready' && row.recordingGaps !== null
      ? { recordingGaps: row.recordingGaps as unknown as { from: number; to: number }[] }
      : {}),
  };
}
