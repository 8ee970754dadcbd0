import { policyOf } from '@/lib/domain/access';
import { issuesOrNull } from '@/lib/core/streams/stream-doctor';
import type { Profile, RecordingSpec } from '@/lib/contract/streams/profile';
import type { Program } from '@/lib/contract/streams/program';
import type { Stream as StreamObject, UserTags } from '@/lib/contract/streams/stream';
import type { Stream, StreamTarget } from '@/lib/generated/prisma/client';
import type { TeamActor, TeamContext } from '@/lib/domain/context';
import { seesStreamKeys } from '@/lib/core/access/key-policy';
import type { Secrets } from '@/lib/infra/secrets';
import { issueReasonsField } from '@/lib/core/reasons/reason';
import type { ProgramReport } from '@/lib/core/streams/program-state';

/** The targets of stream `s`, for reads without Prisma. */
export const targetsOfStream = `(
  select coalesce(json_agg(t order by t."position"), '[]') from "StreamTarget" t where t."streamId" = s."id"
) as "targets"`;

/** Reads a stream's row with what its object needs (lib/infra/db.ts readRows); `s` is the stream. */
export const streamsWithTargets = `select s.*, ${targetsOfStream} from "Stream" s`;

export type StreamWithTargets = Stream & { readonly targets: readonly StreamTarget[] };

const mayPublish = ({ role, scopes }: TeamActor): boolean =>
  role !== 'viewer' && (scopes === undefined || seesStreamKeys(scopes));

/** The stream object for its team, stream key included, except for viewers and keys that only read. */
export function serializeStream(
  row: StreamWithTargets,
  { actor, secrets, settings }: Pick<TeamContext, 'actor' | 'secrets' | 'settings'>,
): StreamObject {
  return {
    ...snapshot(row),
    program: reportOf(row),
    ...(row.slatePictureKey === null ? {} : { slatePictureUrl: `${settings.cdnUrl}/${row.slatePictureKey}` }),
    ...(mayPublish(actor) ? keysOf(row, secrets) : {}),
    ...(row.parentId === null ? {} : { parentId: row.parentId }),
  };
}

/** The stream object as events carry it: every field by name, and never a stream key. */
export function snapshot(
  row: StreamWithTargets,
): Omit<StreamObject, 'streamKey' | 'backupStreamKey' | 'parentId' | 'program' | 'slatePictureUrl'> {
  return {
    id: row.id,
    kind: 'stream',
    userId: row.teamId,
    name: row.name,
    createdAt: row.createdAt.getTime(),
    ...(row.createdByKeyName === null ? {} : { createdByTokenName: row.createdByKeyName }),
    playbackId: row.playbackId,
    profiles: profilesOf(row),
    isActive: row.isActive,
    lastSeen: row.lastSeen?.getTime() ?? 0,
    record: row.record,
    suspended: row.suspended,
    multistream: { targets: row.targets.map(referenceOf) },
    sourceSegments: row.sourceSegments,
    transcodedSegments: row.transcodedSegments,
    sourceSegmentsDuration: row.sourceSegmentsDuration,
    transcodedSegmentsDuration: row.transcodedSegmentsDuration,
    sourceBytes: Number(row.sourceBytes),
    transcodedBytes: Number(row.transcodedBytes),
    isHealthy: row.isHealthy,
    issues: issuesOrNull(row.issues),
    ...issueReasonsField(row.issues),
    lastTerminatedAt: row.lastTerminatedAt?.getTime() ?? null,
    backup: row.backup,
    slate: row.slate,
    slateSeconds: row.slateSeconds,
    recordSlate: row.recordSlate,
    fallbackAfterMs: row.fallbackAfterMs,
    ...labelsOf(row),
  };
}

/** The renditions as stored: they were checked on the way in. */
export function profilesOf(row: Pick<Stream, 'profiles'>): Profile[] {
  return row.profiles as unknown as Profile[];
}

function referenceOf({ targetId, profile, videoOnly }: StreamTarget) {
  return { id: targetId, profile, ...(videoOnly ? { videoOnly } : {}) };
}

/** What the account holder wrote on the stream; absent where nothing was. */
function labelsOf(
  row: Stream,
): Pick<
  StreamObject,
  | 'creatorId'
  | 'userTags'
  | 'playbackPolicy'
  | 'recordingSpec'
  | 'dvrSeconds'
  | 'viewerClips'
  | 'description'
  | 'showRecordings'
  | 'startsAt'
> {
  return {
    ...(row.creatorId === null ? {} : { creatorId: { type: 'unverified', value: row.creatorId } }),
    ...(row.userTags === null ? {} : { userTags: row.userTags as unknown as UserTags }),
    ...(row.playbackPolicy === null ? {} : { playbackPolicy: policyOf(row) }),
    ...(row.dvrSeconds === null ? {} : { dvrSeconds: row.dvrSeconds }),
    ...(row.viewerClips ? { viewerClips: true } : {}),
    ...(row.description === null ? {} : { description: row.description }),
    ...(row.showRecordings ? { showRecordings: true } : {}),
    ...(row.startsAt === null ? {} : { startsAt: row.startsAt.getTime() }),
    // Kept while recording is switched off, and shown with it.
    ...(row.recordingSpec === null || !row.record
      ? {}
      : { recordingSpec: row.recordingSpec as unknown as RecordingSpec }),
  };
}

/** As the live node wrote it. */
export function reportOf({ program }: Pick<Stream, 'program'>): Program | null {
  const report = program as unknown as (ProgramReport & { readonly reportedAt?: number }) | null;
  if (!report) return null;
  return { ...report, reportedAt: report.reportedAt ?? null };
}

function keysOf(row: Stream, secrets: Secrets): Pick<StreamObject, 'streamKey' | 'backupStreamKey'> {
  const { streamKeySealed, backupKeySealed } = row;
  return {
    ...(streamKeySealed === null ? {} : { streamKey: openStreamKey(row, streamKeySealed, secrets) }),
    ...(backupKeySealed === null ? {} : { backupStreamKey: openStreamKey(row, backupKeySealed, secrets) }),
  };
}

function openStreamKey(row: Stream, sealed: Uint8Array, secrets: Secrets): string {
  return secrets.open({ kind: 'stream-key', id: row.id, teamId: row.teamId }, sealed);
}
