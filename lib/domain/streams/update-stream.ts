import { buildPolicyColumns, replacePolicy } from '@/lib/domain/access';
import { type AuditAction, recordAudit } from '@/lib/domain/audit';
import { transact, type TeamContext, type InTransaction } from '@/lib/domain/context';
import type { BodyOf } from '@/lib/contract/define-endpoint';
import type { updateStream as updateStreamEndpoint } from '@/lib/contract/streams/stream-endpoints';
import { AppError, notFound } from '@/lib/core/errors';
import type { Prisma, Stream } from '@/lib/generated/prisma/client';
import { checkRenditionQuota } from '@/lib/domain/quotas';
import { notify } from '@/lib/infra/notifications';
import { requestBackupDisconnect, backupKeyColumnsIfMissing } from './backup-key';
import {
  checkProfiles,
  checkRecordingSpec,
  checkTargets,
  requireLockedStream,
  requireStream,
} from './internal';
import { pullColumns } from './pull/pull-columns';
import { profilesOf } from './serialize';
import { settingsColumns } from './create-stream';
import { srtPassphraseColumns } from './srt-passphrase';
import { setTargetReferences, readTargetReferences, requestedTargetsOf } from './targets/stream-targets';

type StreamChange = Prisma.StreamUpdateManyMutationInput;

/**
 * Changes the fields in the body and keeps the others. The live role is notified on commit, and ends the publish of a
 * suspended stream.
 * @throws AppError `not_found`, `bad_request` (child stream, profiles, targets, playback policy), `invalid` (url of
 * a new target, recordingSpec, password, pull), `forbidden` (quota; a target or pull in a request with a restricted API key)
 */
export async function updateStream(
  ctx: TeamContext,
  { id, change }: { readonly id: string; readonly change: BodyOf<typeof updateStreamEndpoint> },
): Promise<void> {
  await transact(ctx, async (tx) => {
    const stream = await requireLockedStream(tx, id);
    if (stream.parentId !== null) throw new AppError('bad_request', "can't patch stream session");
    const targets = change.multistream?.targets;
    if (change.profiles) {
      checkProfiles(change.profiles);
      // A list that is not longer is accepted, because it may be older than the quota.
      if (change.profiles.length > profilesOf(stream).length)
        await checkRenditionQuota(tx, stream.teamId, change.profiles.length);
    }
    checkRecordingSpec(change.recordingSpec, change.record ?? stream.record);
    // Existing references are checked too: a rendition with a target must not be removed.
    if (targets ?? change.profiles) {
      const profiles = change.profiles ?? profilesOf(stream);
      checkTargets(targets ?? requestedTargetsOf(await readTargetReferences(tx, id)), profiles);
    }
    if (targets) await setTargetReferences(tx, id, targets);
    const policy = await buildPolicyColumns(tx, change.playbackPolicy, stream);
    if (policy) await replacePolicy(tx, stream, policy);
    const backupKeyColumns = backupKeyColumnsIfMissing(tx, stream, change.backup);
    // Must run under the lock of the stream, because publishes with the backup key that started before this time are ended.
    if (change.backup === false && stream.backup) await requestBackupDisconnect(tx, id);
    await writeChange(
      tx,
      stream,
      {
        ...settingsColumns(change),
        ...backupKeyColumns,
        ...srtPassphraseColumns(tx, stream, change.srtPassphrase),
        ...pullColumns(tx, stream, change.pull),
      },
      {
        targets: targets !== undefined,
        policy: policy !== null,
      },
    );
  });
}

/**
 * Enables or disables recording for new sessions.
 * @throws AppError `not_found`, `bad_request` for the child stream of a session
 */
export async function setRecord(
  ctx: TeamContext,
  { id, record }: { readonly id: string; readonly record: boolean },
): Promise<void> {
  await transact(ctx, async (tx) => {
    const stream = await requireStream(tx, id);
    if (stream.parentId !== null) throw new AppError('bad_request', "can't set for session");
    await writeChange(tx, stream, { record });
  });
}

type PreviousStream = Pick<Stream, 'id' | 'playbackId' | 'name' | 'suspended' | 'record'>;

/** Audit action of a change, by its most significant part. */
function auditActionOf(
  previousStream: PreviousStream,
  {
    suspended = previousStream.suspended,
    record = previousStream.record,
    name = previousStream.name,
  }: StreamChange,
  targetsChanged: boolean,
): AuditAction {
  if (suspended !== previousStream.suspended)
    return suspended === true ? 'stream.suspended' : 'stream.resumed';
  if (record !== previousStream.record) {
    return record === true ? 'stream.recording-switched-on' : 'stream.recording-switched-off';
  }
  if (targetsChanged) return 'stream.targets-changed';
  return name === previousStream.name ? 'stream.updated' : 'stream.renamed';
}

/**
 * Writes the columns of a change, with its audit entries, and notifies the live role. Does nothing without a change.
 * @param changes whether the targets and the policy changed, which `data` does not contain
 */
async function writeChange(
  tx: InTransaction<TeamContext>,
  stream: PreviousStream,
  data: StreamChange,
  changes: { readonly targets: boolean; readonly policy: boolean } = { targets: false, policy: false },
): Promise<void> {
  const hasSettingsChange = Object.keys(data).length > 0 || changes.targets;
  if (!hasSettingsChange && !changes.policy) return;
  const { id, playbackId, suspended } = stream;
  const where = { id, teamId: tx.actor.teamId, deletedAt: null };
  const { count } = await tx.db.stream.updateMany({
    where,
    data: { ...data, settingsVersion: { increment: 1 } },
  });
  if (count === 0) throw notFound();
  // A change of the policy has a separate audit entry, so that it is not hidden by other changes.
  if (changes.policy) await recordAudit(tx, { action: 'stream.playback-policy-changed', objectId: id });
  if (hasSettingsChange)
    await recordAudit(tx, { action: auditActionOf(stream, data, changes.targets), objectId: id });
  await notify(tx.db, 'stream_changed', id);
  if ((data.suspended ?? suspended) !== suspended) {
    await notify(tx.db, 'playback_access', `playback ${playbackId}`);
  }
}
