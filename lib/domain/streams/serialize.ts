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

export type StreamWithTargets = StreamRow & {
  readonly targets: readonly Pick<StreamTarget, 'targetId' | 'profile' | 'videoOnly'>[];
};

/** Select list of stream `s` as a StreamWithTargets, for reads without Prisma (lib/infra/db.ts). */
export const streamColumns = `${columns.map((column) => `s."${column}"`).join(', ')}, (
  select coalesce(json_agg(json_build_object('targetId', t."targetId", 'profile', t."profile", 'videoOnly', t."videoOnly")
    order by t."position"), '[]')
  from "StreamTarget" t where t."streamId" = s."id"
) as "targets"`;

const mayPublish = ({ role, scopes }: TeamActor): boolean =>
  role !== 'viewer' && (scopes === undefined || canReadStreamKeys(scopes));

/** API representation of a stream. The stream key is left out for viewers and read-only keys. */
export function serializeStream(
  row: StreamWithTargets,
  { actor, secrets, settings }: Pick<TeamContext, 'actor' | 'secrets' | 'settings'>,
): StreamObject {
  const object: StreamObject = Object.assign(snapshot(row), { program: reportOf(row) });
  if (row.slatePictureKey !== null) object.slatePictureUrl = `${settings.cdnUrl}/${row.slatePictureKey}`;
  if (row.posterKey !== null) object.posterUrl = `${settings.cdnUrl}/${row.posterKey}`;
  if (mayPublish(actor)) Object.assign(object, streamKeysOf(row, secrets));
  Object.assign(object, pullFields(row, secrets, mayPublish(actor) && !actor.restricted));
  if (row.parentId !== null) object.parentId = row.parentId;
  return object;
}

/** Stream object for events. It names every field, and never contains a stream key. */
export function snapshot(
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
    ...labelsOf(row),
  };
}

/** Stored profiles, which were validated when they were written. */
export function profilesOf(row: Pick<Stream, 'profiles'>): Profile[] {
  return row.profiles as unknown as Profile[];
}

function referenceOf({ targetId, profile, videoOnly }: StreamWithTargets['targets'][number]) {
  return { id: targetId, profile, ...(videoOnly ? { videoOnly } : {}) };
}

/** Labels of the team for the stream; absent if there are none. */
function labelsOf(
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
  const labels: ReturnType<typeof labelsOf> = {};
  if (row.creatorId !== null) labels.creatorId = { type: 'unverified', value: row.creatorId };
  if (row.userTags !== null) labels.userTags = row.userTags as unknown as UserTags;
  if (row.playbackPolicy !== null) labels.playbackPolicy = policyOf(row);
  if (row.dvrSeconds !== null) labels.dvrSeconds = row.dvrSeconds;
  if (row.viewerClips) labels.viewerClips = true;
  if (row.description !== null) labels.description = row.description;
  if (row.showRecordings) labels.showRecordings = true;
  if (row.startsAt !== null) labels.startsAt = row.startsAt.getTime();
  // The spec is kept in the row while recording is off.
  if (row.recordingSpec !== null && row.record)
    labels.recordingSpec = row.recordingSpec as unknown as RecordingSpec;
  return labels;
}

/** Program report of the live node. */
export function reportOf({ program }: Pick<Stream, 'program'>): Program | null {
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
