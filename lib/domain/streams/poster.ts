import { recordAudit } from '@/lib/domain/audit';
import { type InTransaction, type TeamContext, transact } from '@/lib/domain/context';
import { AppError } from '@/lib/core/errors';
import { posterKey } from '@/lib/core/storage-keys';
import {
  createPictureToken,
  readPictureToken,
  uploaderOf,
  type PictureClaims,
} from '@/lib/infra/picture-token';
import type { Secrets } from '@/lib/infra/secrets';
import { requireLockedStream, requireStream } from './internal';

const purpose = 'stream poster upload';

/**
 * Creates an upload URL for one poster of this stream, valid for ten minutes.
 * @throws AppError `not_found`, `bad_request` for the child stream of a session
 */
export async function requestStreamPosterUpload(ctx: TeamContext, id: string): Promise<{ url: string }> {
  const { actor, clock, secrets, settings } = ctx;
  rejectChildStream(await requireStream(ctx, id));
  const token = createPictureToken(secrets, purpose, { ownerId: id, ...uploaderOf(actor) }, clock.now());
  return { url: `${settings.uploadUrl}/api/asset/upload/poster?token=${token}` };
}

/**
 * The claims of a valid, unexpired token; null for any other text.
 * @param now Unix milliseconds
 */
export const readStreamPosterToken = (secrets: Secrets, token: string, now: number): PictureClaims | null =>
  readPictureToken(secrets, purpose, token, now);

/**
 * Sets the poster to a file that is already stored.
 * @param file name of the file, without the prefix of posters
 * @returns key of the previous poster, which is no longer needed
 * @throws AppError `not_found`, `forbidden` if the team was suspended or deleted since
 */
export async function setStreamPoster(
  ctx: TeamContext,
  { id, file }: { readonly id: string; readonly file: string },
): Promise<string | null> {
  return transact(ctx, async (tx) => {
    const where = { id: ctx.actor.teamId, suspended: false, deletedAt: null };
    if ((await tx.db.team.count({ where })) === 0) throw new AppError('forbidden', 'the team is suspended');
    const { posterKey: previousKey } = await requireLockedStream(tx, id);
    await writePoster(tx, id, posterKey(file));
    await recordAudit(tx, { action: 'stream.poster-uploaded', objectId: id });
    return previousKey;
  });
}

/**
 * Resets the poster to the current picture of the stream; the file is deleted within a day.
 * @throws AppError `not_found`, `bad_request` for the child stream of a session
 */
export async function deleteStreamPoster(ctx: TeamContext, id: string): Promise<void> {
  await transact(ctx, async (tx) => {
    const stream = await requireLockedStream(tx, id);
    rejectChildStream(stream);
    if (stream.posterKey === null) return;
    await writePoster(tx, id, null);
    await recordAudit(tx, { action: 'stream.poster-deleted', objectId: id });
  });
}

function rejectChildStream({ parentId }: { readonly parentId: string | null }): void {
  if (parentId !== null) throw new AppError('bad_request', 'a stream session has no poster');
}

async function writePoster(tx: InTransaction<TeamContext>, id: string, key: string | null): Promise<void> {
  const where = { id, teamId: tx.actor.teamId };
  await tx.db.stream.updateMany({ where, data: { posterKey: key } });
}
