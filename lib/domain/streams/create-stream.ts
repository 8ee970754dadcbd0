import { buildPolicyColumns } from '@/lib/domain/access';
import { recordAudit } from '@/lib/domain/audit';
import { type TeamContext, transact } from '@/lib/domain/context';
import type { BodyOf } from '@/lib/contract/define-endpoint';
import type { Stream } from '@/lib/contract/streams/stream';
import type {
  createStream as createStreamEndpoint,
  updateStream,
} from '@/lib/contract/streams/stream-endpoints';
import { omitUndefined } from '@/lib/core/omit-undefined';
import { Prisma } from '@/lib/generated/prisma/client';
import { newId, newPlaybackId, newStreamKey } from '@/lib/infra/ids';
import { notify } from '@/lib/infra/notifications';
import { checkRenditionQuota } from '@/lib/domain/quotas';
import { backupKeyColumnsIfMissing } from './backup-key';
import { checkProfiles, checkRecordingSpec, checkTargets } from './internal';
import { pullColumns } from './pull/pull-columns';
import { serializeStream } from './serialize';
import { srtPassphraseColumns } from './srt-passphrase';
import { setTargetReferences } from './targets/stream-targets';

/**
 * The columns that the body of a create or update request sets directly. The playback policy, keys, pull and targets are
 * written separately.
 */
export function settingsColumns(body: BodyOf<typeof updateStream>) {
  const { name, record, suspended, profiles, creatorId, userTags, recordingSpec, dvrSeconds, viewerClips } =
    body;
  const { description, showRecordings, startsAt } = body;
  const { backup, slate, slateSeconds, recordSlate, fallbackAfterMs } = body;
  return {
    ...omitUndefined({ name, record, suspended, userTags, dvrSeconds, viewerClips, showRecordings }),
    ...omitUndefined({ backup, slate, slateSeconds, recordSlate, fallbackAfterMs }),
    // Profiles of null have the same meaning as an absent field.
    ...(profiles ? { profiles } : {}),
    ...(creatorId === undefined ? {} : { creatorId: creatorId.value }),
    ...(description === undefined ? {} : { description: description === '' ? null : description }),
    ...(startsAt === undefined ? {} : { startsAt: startsAt === null ? null : new Date(startsAt) }),
    ...(recordingSpec === undefined ? {} : { recordingSpec: recordingSpec ?? Prisma.DbNull }),
  };
}

/**
 * Creates a parent stream with its key and playback id.
 * @throws AppError `bad_request` (profiles, targets, playback policy), `invalid` (url of a new target, recordingSpec,
 * password, pull), `forbidden` (quota; a target or pull in a request with a restricted API key)
 */
export async function createStream(
  ctx: TeamContext,
  body: BodyOf<typeof createStreamEndpoint>,
): Promise<Stream> {
  const profiles = body.profiles ?? [];
  checkProfiles(profiles);
  checkRecordingSpec(body.recordingSpec, body.record ?? false);
  const requestedTargets = body.multistream?.targets ?? [];
  checkTargets(requestedTargets, profiles);
  const { teamId, keyName } = ctx.actor;
  const policy = await buildPolicyColumns(ctx, body.playbackPolicy);
  const id = newId();
  const streamKey = newStreamKey();
  return transact(ctx, async (tx) => {
    await checkRenditionQuota(tx, teamId, profiles.length);
    const row = await tx.db.stream.create({
      data: {
        id,
        teamId,
        name: body.name,
        ...settingsColumns(body),
        ...policy,
        playbackId: newPlaybackId(),
        streamKeyHash: ctx.secrets.fingerprint('stream-key', streamKey),
        streamKeySealed: ctx.secrets.seal({ kind: 'stream-key', id, teamId }, streamKey),
        ...srtPassphraseColumns(ctx, { id, teamId }, body.srtPassphrase),
        ...pullColumns(ctx, { id, teamId }, body.pull),
        ...backupKeyColumnsIfMissing(ctx, { id, teamId, backupKeySealed: null }, body.backup),
        createdByKeyName: keyName ?? null,
        createdAt: ctx.clock.now(),
      },
    });
    const targets = requestedTargets.length === 0 ? [] : await setTargetReferences(tx, id, requestedTargets);
    await recordAudit(tx, { action: 'stream.created', objectId: id });
    // Only a pull starts without a publish: its live node must learn of the new stream.
    if (body.pull) await notify(tx.db, 'stream_changed', id);
    return serializeStream({ ...row, targets }, ctx);
  });
}
