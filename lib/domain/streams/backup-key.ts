import type { TeamContext, InTransaction } from '@/lib/domain/context';
import type { Stream } from '@/lib/generated/prisma/client';
import { newStreamKey } from '@/lib/infra/ids';

type StreamIds = Pick<Stream, 'id' | 'teamId'>;

/**
 * The columns of a new backup key, with which the standby encoder publishes. It is sealed and looked up like a stream key,
 * because an encoder sends either in the same place.
 */
export function createBackupKeyColumns({ secrets }: Pick<TeamContext, 'secrets'>, { id, teamId }: StreamIds) {
  const key = newStreamKey();
  return {
    backupKeyHash: secrets.fingerprint('stream-key', key),
    backupKeySealed: secrets.seal({ kind: 'stream-key', id, teamId }, key),
  };
}

/**
 * The columns of a backup key for a stream that gets a standby encoder and has no backup key; none otherwise, so that an
 * existing key is kept.
 * @param backup whether the request enables the standby encoder; undefined if it does not change the setting
 * @returns `{}` if no key is needed, or the stream already has one, which it keeps
 */
export function backupKeyColumnsIfMissing(
  ctx: Pick<TeamContext, 'secrets'>,
  stream: StreamIds & Pick<Stream, 'backupKeySealed'>,
  backup: boolean | undefined,
) {
  return backup === true && stream.backupKeySealed === null ? createBackupKeyColumns(ctx, stream) : {};
}

/**
 * Stores the current time, from which the live role disconnects every publish with the backup key that started earlier. The
 * caller must hold the lock of the stream, so that no publish starts with the previous settings after this time.
 */
export async function requestBackupDisconnect({ db }: InTransaction<TeamContext>, id: string): Promise<void> {
  // clock_timestamp(), because now() is the start of the transaction, after which a publish may have started.
  await db.$executeRaw`update "Stream" set "backupKeyRotatedAt" = clock_timestamp() where "id" = ${id}::uuid`;
}
