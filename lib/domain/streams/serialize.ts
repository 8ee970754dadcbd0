import { policyOf } from '@/lib/domain/access';
import { issuesOrNull } from '@/lib/core/streams/stream-doctor';
import type { Profile, RecordingSpec } from '@/lib/contract/streams/profile';
import type { Program } from '@/lib/contract/streams/program';
import type { Stream as StreamObject, UserTags } from '@/lib/contract/streams/stream';
import type { Stream, StreamTarget } from '@/lib/generated/prisma/client';
import type { TeamActor, TeamContext } from '@/lib/domain/context';
import { canReadStreamKeys } from '@/lib/core/access/key-policy';
import type { Secrets } from '@/lib/infra/secrets';
import { pullFields, withPullIssue } from './pull/pull-columns';
import { srtPassphraseOf } from './srt-passphrase';
import { issueReasonsField } from '@/lib/core/reasons/reason';
import type { ProgramReport } from '@/lib/core/streams/program-state';

/** Columns for the stream object and for the sort orders of its lists. */
const columns = [
  ...['id', 'teamId', 'parentId', 'name', 'playbackId', 'creatorId', 'createdByKeyName', 'userTags'],
  ...['description', 'showRecordings', 'startsAt'],
  ...['createdAt', 'lastSeen', 'listedAt', 'lastTerminatedAt', 'isActive', 'isHealthy', 'issues', 'program'],
  ...['record', 'recordingSpec', 'dvrSeconds', 'profiles', 'suspended', 'playbackPolicy', 'viewerClips'],
  ...['sourceSegments', 'transcodedSegments', 'sourceSegmentsDuration', 'transcodedSegmentsDuration'],
  ...['sourceBytes', 'transcodedBytes', 'streamKeySealed', 'backupKeySealed', 'srtPassphraseSealed'],
  ...['slatePictureKey', 'posterKey', 'pullSealed', 'pullOptions', 'pullStartedAt', 'pullReport'],
  ...['backup', 'slate', 'slateSeconds', 'recordSlate', 'fallbackAfterMs'],
] as const satisfies readonly (keyof Stream)[];

type StreamRow = Pick<Stream, (typeof columns)[number]>;

/** A stream with its target references, in order. */
export type StreamWithTargets = StreamRow & {
  readonly targets: readonly Pick<StreamTarget, 'targetId' | 'profile' | 'videoOnly'>[];
};

/** Select list of stream `s` as a StreamWithTargets, for reads without Prisma (lib/infra/db.ts). */
export const streamColumns = `${columns.map((column) => `s."${column}"`).join(', ')}, (
  select coalesce(json_agg(json_build_object('targetId', t."targetId", 'profile', t."profile", 'videoOnly', t."videoOnly")
    order by t."position"), '[]')
  from "StreamTarget" t where t."streamId" = s."id"
) as "targets"`;

/** Whether an actor may read stream keys, with which anyone can publish. */
const mayReadKeys = ({ role, scopes }: TeamActor): boolean =>
  role !== 'viewer' && (scopes === undefined || canReadStreamKeys(scopes));

/** API representation of a stream. The stream key is left out for viewers and read-only keys. */
export function serializeStream(
  row: StreamWithTargets,
  { actor, secrets, settings }: Pick<TeamContext, 'actor' | 'secrets' | 'settings'>,
): StreamObject {
  // Fields are added to one object instead of copying it, because lists serialize thousands of streams.
  const object: StreamObject = Object.assign(snapshotOf(row), { program: programOf(row) });
  if (row.slatePictureKey !== null) object.slatePictureUrl = `${settings.cdnUrl}/${row.slatePictureKey}`;
  if (row.posterKey !== null) object.posterUrl = `${settings.cdnUrl}/${row.posterKey}`;
  if (mayReadKeys(actor)) Object.assign(object, streamKeysOf(row, secrets));
  Object.assign(object, pullFields(row, secrets, mayReadKeys(actor) && !actor.restricted));
  if (row.parentId !== null) object.parentId = row.parentId;
  return object;
}

/** Stream object for events. Its fields are listed one by one, so that it never contains a stream key. */
export function snapshotOf(
  row: StreamWithTargets,
): Omit<
  StreamObject,
  | 'streamKey'
  | 'backupStreamKey'
  | 'srtPassphrase'
  | 'pull'
  | 'pullStatus'
  | 'parentId'
  | 'program'
  | 'slatePictureUrl'
  | 'posterUrl'
> {
  const issues = withPullIssue(row);
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
    issues: issuesOrNull(issues),
    ...issueReasonsField(issues),
    lastTerminatedAt: row.lastTerminatedAt?.getTime() ?? null,
    backup: row.backup,
    slate: row.slate,
    slateSeconds: row.slateSeconds,
    recordSlate: row.recordSlate,
    fallbackAfterMs: row.fallbackAfterMs,
    ...optionalFieldsOf(row),
  };
}

/** Stored profiles, which were validated when they were written. */
export function profilesOf(row: Pick<Stream, 'profiles'>): Profile[] {
  return row.profiles as unknown as Profile[];
}

function referenceOf({ targetId, profile, videoOnly }: StreamWithTargets['targets'][number]) {
  return { id: targetId, profile, ...(videoOnly ? { videoOnly } : {}) };
}

/** Fields that are absent unless the team has set them. */
function optionalFieldsOf(
  row: StreamRow,
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
  const fields: ReturnType<typeof optionalFieldsOf> = {};
  if (row.creatorId !== null) fields.creatorId = { type: 'unverified', value: row.creatorId };
  if (row.userTags !== null) fields.userTags = row.userTags as unknown as UserTags;
  if (row.playbackPolicy !== null) fields.playbackPolicy = policyOf(row);
  if (row.dvrSeconds !== null) fields.dvrSeconds = row.dvrSeconds;
  if (row.viewerClips) fields.viewerClips = true;
  if (row.description !== null) fields.description = row.description;
  if (row.showRecordings) fields.showRecordings = true;
  if (row.startsAt !== null) fields.startsAt = row.startsAt.getTime();
  // The spec is kept in the row while recording is off.
  if (row.recordingSpec !== null && row.record)
    fields.recordingSpec = row.recordingSpec as unknown as RecordingSpec;
  return fields;
}

/** The program of a stream, as its live node reported it last; null without a report. */
export function programOf({ program }: Pick<Stream, 'program'>): Program | null {
  const report = program as unknown as (ProgramReport & { readonly reportedAt?: number }) | null;
  if (!report) return null;
  return { ...report, reportedAt: report.reportedAt ?? null };
}

function streamKeysOf(
  row: StreamRow,
  secrets: Secrets,
): Pick<StreamObject, 'streamKey' | 'backupStreamKey' | 'srtPassphrase'> {
  const { streamKeySealed, backupKeySealed } = row;
  return {
    ...srtPassphraseOf(row, secrets),
    ...(streamKeySealed === null ? {} : { streamKey: openStreamKey(row, streamKeySealed, secrets) }),
    ...(backupKeySealed === null ? {} : { backupStreamKey: openStreamKey(row, backupKeySealed, secrets) }),
  };
}

function openStreamKey(row: StreamRow, sealed: Uint8Array, secrets: Secrets): string {
  return secrets.open({ kind: 'stream-key', id: row.id, teamId: row.teamId }, sealed);
}
