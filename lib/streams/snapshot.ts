import type { Stream as StreamObject } from '@/lib/contract/stream';
import type { Stream } from '@/lib/generated/prisma/client';
import { profilesOf } from './serialize';

/** The stream object of the contract as events carry it: every field by name, and never the stream key. */
export function snapshot(row: Stream): Omit<StreamObject, 'streamKey' | 'parentId'> {
  return {
    id: row.id,
    kind: 'stream',
    userId: row.userId,
    name: row.name,
    createdAt: row.createdAt.getTime(),
    ...(row.createdByKeyName === null ? {} : { createdByTokenName: row.createdByKeyName }),
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
  };
}
