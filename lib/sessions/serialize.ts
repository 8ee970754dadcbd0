import type { Profile } from '@/lib/contract/profile';
import type { Session as SessionObject } from '@/lib/contract/session';
import type { Session } from '@/lib/generated/prisma/client';

/** The session object (specification §2.2, api-contract §4.2). */
export function serializeSession(row: Session): SessionObject {
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
    sourceSegments: row.sourceSegments,
    transcodedSegments: row.transcodedSegments,
    sourceSegmentsDuration: row.sourceSegmentsDuration,
    transcodedSegmentsDuration: row.transcodedSegmentsDuration,
    sourceBytes: Number(row.sourceBytes),
    transcodedBytes: Number(row.transcodedBytes),
    ...(row.record ? { recordingStatus: recordingStatusOf(row) } : {}),
  };
}

/** A session that ended without media has nothing to record (api-contract §6). */
function recordingStatusOf(row: Session): 'waiting' | 'none' {
  return row.state === 'ended' && row.sourceSegmentsDuration === 0 ? 'none' : 'waiting';
}
