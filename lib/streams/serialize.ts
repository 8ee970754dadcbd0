import type { Profile } from '@/lib/contract/profile';
import type { Stream as StreamObject } from '@/lib/contract/stream';
import type { Stream } from '@/lib/generated/prisma/client';
import type { Secrets } from '@/lib/infra/secrets';

/** The stream object for its owner (specification §2.1), stream key included. */
export function serializeStream(row: Stream, secrets: Secrets): StreamObject {
  return {
    id: row.id,
    kind: 'stream',
    userId: row.userId,
    name: row.name,
    createdAt: row.createdAt.getTime(),
    ...(row.createdByKeyName === null ? {} : { createdByTokenName: row.createdByKeyName }),
    ...(row.streamKeySealed === null ? {} : { streamKey: openStreamKey(row, row.streamKeySealed, secrets) }),
    playbackId: row.playbackId,
    profiles: profilesOf(row),
    isActive: row.isActive,
    lastSeen: row.lastSeen?.getTime() ?? 0,
    record: row.record,
    suspended: row.suspended,
    multistream: { targets: [] },
    sourceSegments: row.sourceSegments,
    transcodedSegments: row.transcodedSegments,
    sourceSegmentsDuration: row.sourceSegmentsDuration,
    transcodedSegmentsDuration: row.transcodedSegmentsDuration,
    sourceBytes: Number(row.sourceBytes),
    transcodedBytes: Number(row.transcodedBytes),
    isHealthy: row.isHealthy,
    issues: row.issues.length > 0 ? row.issues : null,
    lastTerminatedAt: row.lastTerminatedAt?.getTime() ?? null,
    ...(row.parentId === null ? {} : { parentId: row.parentId }),
  };
}

/** The renditions as stored: they were checked on the way in. */
export function profilesOf(row: Pick<Stream, 'profiles'>): Profile[] {
  return row.profiles as unknown as Profile[];
}

function openStreamKey(row: Stream, sealed: Uint8Array, secrets: Secrets): string {
  return secrets.open({ kind: 'stream-key', id: row.id, userId: row.userId }, sealed);
}
