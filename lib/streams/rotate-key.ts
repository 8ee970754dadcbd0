import { recordAudit } from '@/lib/audit';
import { transact, type TeamContext } from '@/lib/context';
import type { Stream } from '@/lib/contract/streams/stream';
import { AppError } from '@/lib/core/errors';
import { newStreamKey } from '@/lib/infra/ids';
import { notify } from '@/lib/infra/notifications';
import { lockedStreamOf } from './internal';
import { serializeStream } from './serialize';
import { targetsOf } from './targets/stream-targets';

/**
 * Gives the stream a new key: the old one stops working, and its publish is ended. The test
 * pattern is switched off: it would come back with the new key at once.
 * @throws AppError `not_found`, `bad_request` for a child-session object
 */
export async function rotateKey(ctx: TeamContext, id: string): Promise<Stream> {
  const { teamId } = ctx.actor;
  const streamKey = newStreamKey();
  return transact(ctx, async (tx) => {
    const { parentId } = await lockedStreamOf(tx, id);
    if (parentId !== null) throw new AppError('bad_request', 'a stream session has no stream key');
    await tx.db.stream.updateMany({
      where: { id, teamId },
      data: {
        streamKeyHash: ctx.secrets.fingerprint('stream-key', streamKey),
        streamKeySealed: ctx.secrets.seal({ kind: 'stream-key', id, teamId }, streamKey),
        testPatternUntil: null,
      },
    });
    // The database's clock, read under the lock: every publish before this moment used the old key.
    await tx.db.$executeRaw`update "Stream" set "keyRotatedAt" = clock_timestamp() where "id" = ${id}::uuid`;
    await recordAudit(tx, { action: 'stream.key-rotated', objectId: id });
    await notify(tx.db, 'stream_changed', id);
    const row = await tx.db.stream.findUniqueOrThrow({ where: { id } });
    return serializeStream({ ...row, targets: await targetsOf(tx, id) }, ctx.secrets);
  });
}
