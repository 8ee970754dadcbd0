import { recordAudit } from '@/lib/audit';
import { transact, type AccountContext } from '@/lib/context';
import type { BodyOf } from '@/lib/contract/define-endpoint';
import type { Stream } from '@/lib/contract/stream';
import type { createStream as endpoint } from '@/lib/contract/stream-endpoints';
import { newId, newPlaybackId, newStreamKey } from '@/lib/infra/ids';
import { checkProfiles, checkRecordingSpec, checkTargets } from './internal';
import { serializeStream } from './serialize';
import { settingsColumns } from './settings-columns';
import { replaceTargets } from './stream-targets';

/**
 * Creates a parent stream with its key and playback id.
 * @throws AppError `bad_request` (profiles, targets), `invalid` (url of a new target)
 */
export async function createStream(ctx: AccountContext, body: BodyOf<typeof endpoint>): Promise<Stream> {
  const profiles = body.profiles ?? [];
  checkProfiles(profiles);
  checkRecordingSpec(body.recordingSpec, body.record ?? false);
  const requestedTargets = body.multistream?.targets ?? [];
  checkTargets(requestedTargets, profiles);
  const { userId, keyName } = ctx.actor;
  const id = newId();
  const streamKey = newStreamKey();
  return transact(ctx, async (tx) => {
    const row = await tx.db.stream.create({
      data: {
        id,
        userId,
        name: body.name,
        ...settingsColumns(body),
        playbackId: newPlaybackId(),
        streamKeyHash: ctx.secrets.fingerprint('stream-key', streamKey),
        streamKeySealed: ctx.secrets.seal({ kind: 'stream-key', id, userId }, streamKey),
        createdByKeyName: keyName ?? null,
        createdAt: ctx.clock.now(),
      },
    });
    const targets = requestedTargets.length === 0 ? [] : await replaceTargets(tx, id, requestedTargets);
    await recordAudit(tx, { action: 'stream.created', objectId: id });
    return serializeStream({ ...row, targets }, ctx.secrets);
  });
}
