import { DAY_MS } from '@/lib/core/units';
import { recordAudit } from '@/lib/domain/audit';
import { deleteFiles } from '@/lib/domain/backup';
import { type TeamContext, type WorkerContext, transact, type InTransaction } from '@/lib/domain/context';
import { AppError } from '@/lib/core/errors';
import { slateKey, slatePrefix } from '@/lib/core/storage-keys';
import { notify } from '@/lib/infra/notifications';
import {
  createPictureToken,
  readPictureToken,
  uploaderOf,
  type PictureClaims,
} from '@/lib/infra/picture-token';
import type { Secrets } from '@/lib/infra/secrets';
import { requireLockedStream, requireStream } from './internal';

const purpose = 'slate picture upload';

/**
 * Creates an upload URL for one slate picture of this stream, valid for ten minutes.
 * @throws AppError `not_found`, `bad_request` for the child stream of a session
 */
export async function requestSlateUpload(ctx: TeamContext, id: string): Promise<{ url: string }> {
  const { actor, clock, secrets, settings } = ctx;
  rejectChildStream(await requireStream(ctx, id));
  const token = createPictureToken(secrets, purpose, { ownerId: id, ...uploaderOf(actor) }, clock.now());
  return { url: `${settings.uploadUrl}/api/asset/upload/slate?token=${token}` };
}

/**
 * The claims of a valid, unexpired token; null for any other text.
 * @param now Unix milliseconds
 */
export const readSlateToken = (secrets: Secrets, token: string, now: number): PictureClaims | null =>
  readPictureToken(secrets, purpose, token, now);

/**
 * Sets the slate to a picture that is already stored. A live stream uses it immediately.
 * @param file name of the file, without the prefix of slate pictures
 * @returns key of the previous picture, which is no longer needed
 * @throws AppError `not_found`, `forbidden` if the team was suspended or deleted since
 */
export async function setSlatePicture(
  ctx: TeamContext,
  { id, file }: { readonly id: string; readonly file: string },
): Promise<string | null> {
  return transact(ctx, async (tx) => {
    const where = { id: ctx.actor.teamId, suspended: false, deletedAt: null };
    if ((await tx.db.team.count({ where })) === 0) throw new AppError('forbidden', 'the team is suspended');
    const { slatePictureKey } = await requireLockedStream(tx, id);
    await writePicture(tx, id, slateKey(file));
    await recordAudit(tx, { action: 'stream.slate-picture-uploaded', objectId: id });
    return slatePictureKey;
  });
}

/**
 * Resets the slate to the title of the stream; `deleteOrphanedSlatePictures` deletes the file.
 * @throws AppError `not_found`, `bad_request` for the child stream of a session
 */
export async function deleteSlatePicture(ctx: TeamContext, id: string): Promise<void> {
  await transact(ctx, async (tx) => {
    const stream = await requireLockedStream(tx, id);
    rejectChildStream(stream);
    if (stream.slatePictureKey === null) return;
    await writePicture(tx, id, null);
    await recordAudit(tx, { action: 'stream.slate-picture-deleted', objectId: id });
  });
}

function rejectChildStream({ parentId }: { readonly parentId: string | null }): void {
  if (parentId !== null) throw new AppError('bad_request', 'a stream session has no slate');
}

async function writePicture(
  tx: InTransaction<TeamContext>,
  id: string,
  slatePictureKey: string | null,
): Promise<void> {
  await tx.db.stream.updateMany({
    where: { id, teamId: tx.actor.teamId },
    data: { slatePictureKey, settingsVersion: { increment: 1 } },
  });
  await notify(tx.db, 'stream_changed', id);
}

/**
 * Deletes pictures that no stream uses, if they are older than a day: a younger file may belong to an upload in progress.
 * @returns their number
 */
export async function deleteOrphanedSlatePictures(ctx: WorkerContext): Promise<number> {
  const { db, storage, clock } = ctx;
  const cutoffMs = clock.now().getTime() - DAY_MS;
  let deletedCount = 0;
  for await (const { key, modifiedAt } of storage.list(slatePrefix)) {
    const where = { slatePictureKey: key, deletedAt: null };
    if (modifiedAt.getTime() >= cutoffMs || (await db.stream.count({ where })) > 0) continue;
    if (await deleteFiles(ctx, key)) deletedCount++;
  }
  return deletedCount;
}
