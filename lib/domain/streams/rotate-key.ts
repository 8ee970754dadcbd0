import { recordAudit } from '@/lib/domain/audit';
import { transact, type TeamContext, type InTransaction } from '@/lib/domain/context';
import type { BodyOf } from '@/lib/contract/define-endpoint';
import type { Stream } from '@/lib/contract/streams/stream';
import type { rotateStreamKey as rotateStreamKeyEndpoint } from '@/lib/contract/streams/stream-endpoints';
import { AppError } from '@/lib/core/errors';
import { newStreamKey } from '@/lib/infra/ids';
import { notify } from '@/lib/infra/notifications';
import { requestBackupDisconnect, createBackupKeyColumns } from './backup-key';
import { requireLockedStream } from './internal';
import { serializeStream } from './serialize';
import { readTargetReferences } from './targets/stream-targets';

/**
 * Replaces one or both keys of the stream. The old key stops working, and its publish is ended.
 * @throws AppError `not_found`, `bad_request` for a child stream, `conflict` for a backup key that does not exist
 */
export async function rotateKey(
  ctx: TeamContext,
  { id, key }: BodyOf<typeof rotateStreamKeyEndpoint> & { readonly id: string },
): Promise<Stream> {
  return transact(ctx, async (tx) => {
    const { parentId, backupKeySealed } = await requireLockedStream(tx, id);
    if (parentId !== null) throw new AppError('bad_request', 'a stream session has no stream key');
    if (key !== 'primary' && backupKeySealed === null) {
      throw new AppError('conflict', 'the stream has no backup key: create one with backup: true');
    }
    if (key !== 'backup') await rotatePrimary(tx, id);
    if (key !== 'primary') await rotateBackup(tx, id);
    await notify(tx.db, 'stream_changed', id);
    const row = await tx.db.stream.findUniqueOrThrow({ where: { id } });
    return serializeStream({ ...row, targets: await readTargetReferences(tx, id) }, ctx);
  });
}

/** Replaces the stream key and disables the test pattern, which would otherwise publish with the new key. */
async function rotatePrimary(tx: InTransaction<TeamContext>, id: string): Promise<void> {
  const { secrets, actor } = tx;
  const { teamId } = actor;
  const streamKey = newStreamKey();
  await tx.db.stream.updateMany({
    where: { id, teamId },
    data: {
      streamKeyHash: secrets.fingerprint('stream-key', streamKey),
      streamKeySealed: secrets.seal({ kind: 'stream-key', id, teamId }, streamKey),
      testPatternUntil: null,
    },
  });
  // Under the lock of the stream, every publish before this time used the old key. Not now(), which is the start of the
  // transaction.
  await tx.db.$executeRaw`update "Stream" set "keyRotatedAt" = clock_timestamp() where "id" = ${id}::uuid`;
  await recordAudit(tx, { action: 'stream.key-rotated', objectId: id });
}

/** Replaces the backup key. `settingsVersion` makes the live node end publishes with the previous key. */
async function rotateBackup(tx: InTransaction<TeamContext>, id: string): Promise<void> {
  const { teamId } = tx.actor;
  await tx.db.stream.updateMany({
    where: { id, teamId },
    data: { ...createBackupKeyColumns(tx, { id, teamId }), settingsVersion: { increment: 1 } },
  });
  await requestBackupDisconnect(tx, id);
  await recordAudit(tx, { action: 'stream.backup-key-rotated', objectId: id });
}
