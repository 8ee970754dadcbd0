import type { TeamContext, InTransaction } from '@/lib/domain/context';
import type { Stream } from '@/lib/generated/prisma/client';
import { newStreamKey } from '@/lib/infra/ids';

type KeyOwner = Pick<Stream, 'id' | 'teamId'>;

/** The columns of a new backup key. It is sealed and looked up like a stream key, because encoders send either. */
export function createBackupKeyColumns({ secrets }: Pick<TeamContext, 'secrets'>, { id, teamId }: KeyOwner) {
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
 */
export function backupKeyColumnsIfMissing(
  ctx: Pick<TeamContext, 'secrets'>,
  stream: KeyOwner & Pick<Stream, 'backupKeySealed'>,
  backup: boolean | undefined,
) {
  return backup === true && stream.backupKeySealed === null ? createBackupKeyColumns(ctx, stream) : {};
}

/**
 * Ends every publish with the backup key that started before now: the live role reads the time and disconnects them. Uses
 * the clock of the database, under the lock of the stream.
 */
export async function endBackupPublishes({ db }: InTransaction<TeamContext>, id: string): Promise<void> {
  await db.$executeRaw`update "Stream" set "backupKeyRotatedAt" = clock_timestamp() where "id" = ${id}::uuid`;
}
