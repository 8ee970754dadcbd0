import { buildPolicyColumns, replacePolicy } from '@/lib/domain/access';
import { recordAudit } from '@/lib/domain/audit';
import { transact, type TeamContext, type InTransaction } from '@/lib/domain/context';
import type { Asset } from '@/lib/contract/assets/asset';
import type { updateAsset as updateAssetEndpoint } from '@/lib/contract/assets/asset-endpoints';
import type { BodyOf } from '@/lib/contract/define-endpoint';
import { parseChapterCues } from '@/lib/core/captions/caption-file';
import type { VideoSpec } from '@/lib/contract/assets/media-spec';
import { AppError, notFound } from '@/lib/core/errors';
import { omitUndefined } from '@/lib/core/omit-undefined';
import { requireAsset, withoutReplacements } from './internal';
import { emitAssetEvent, serializeAsset } from './serialize';
import { parseCues } from './tracks/tracks';

/**
 * Changes the fields in the body and keeps the others, in any phase of the asset.
 * @throws AppError `not_found`, `bad_request` (playback policy), `invalid` (playback policy, poster time, chapters)
 */
export async function updateAsset(
  ctx: TeamContext,
  { id, change }: { readonly id: string; readonly change: BodyOf<typeof updateAssetEndpoint> },
): Promise<Asset> {
  const { name, description, creatorId, tags, chapters, chaptersFile, posterTime, playbackPolicy } = change;
  if (chapters && chaptersFile !== undefined)
    throw new AppError('invalid', { field: 'chaptersFile', message: 'send either chapters or chaptersFile' });
  const data = {
    ...omitUndefined({ name }),
    ...(description === undefined ? {} : { description: description === '' ? null : description }),
    ...(creatorId ? { creatorId: creatorId.value } : {}),
    ...(tags ? { tags } : {}),
    ...(chapters ? { chapters, chaptersOfFile: false } : {}),
    // A frame as poster replaces an uploaded poster.
    ...(posterTime === undefined ? {} : { posterTime, posterKey: null }),
  };
  return transact(ctx, async (tx) => {
    const policy = playbackPolicy === undefined ? null : await changePolicy(tx, id, playbackPolicy);
    if (typeof posterTime === 'number') await requireFrame(tx, id, posterTime);
    const columns =
      chaptersFile === undefined
        ? data
        : { ...data, chapters: await readChapters(tx, id, chaptersFile), chaptersOfFile: false };
    if (Object.keys(columns).length === 0 && !policy)
      return serializeAsset(await requireAsset(tx, id), ctx.settings);
    const where = { id, teamId: ctx.actor.teamId, deletedAt: null, ...withoutReplacements };
    const [row] = await tx.db.asset.updateManyAndReturn({ where, data: columns });
    if (!row) throw notFound();
    if (policy) await recordAudit(tx, { action: 'asset.playback-policy-changed', objectId: id });
    if (Object.keys(columns).length > 0) await recordAudit(tx, { action: 'asset.updated', objectId: id });
    await emitAssetEvent(tx, 'asset.updated', row);
    return serializeAsset(row, ctx.settings);
  });
}

/** @throws AppError `not_found`, `invalid` if the asset has no picture at this time */
async function requireFrame(tx: InTransaction<TeamContext>, id: string, seconds: number): Promise<void> {
  const { videoSpec } = await requireAsset(tx, id);
  const spec = videoSpec as VideoSpec | null;
  if (!spec?.tracks.some(({ type }) => type === 'video'))
    throw new AppError('invalid', {
      field: 'posterTime',
      message: 'the asset has no video yet, or only audio',
    });
  if (seconds >= spec.duration)
    throw new AppError('invalid', {
      field: 'posterTime',
      message: `must be before the end of the video, which is ${spec.duration} s long`,
    });
}

/**
 * Reads chapters from a file, limited to the duration of the video.
 * @throws AppError `not_found`, `invalid`
 */
async function readChapters(
  tx: InTransaction<TeamContext>,
  id: string,
  file: string,
): Promise<{ start: number; title: string }[]> {
  const { videoSpec } = await requireAsset(tx, id);
  const duration = (videoSpec as VideoSpec | null)?.duration ?? null;
  const chapters = parseChapterCues(parseCues(file, 'chaptersFile'), duration);
  if (chapters.length > 0) return chapters.map((chapter) => ({ ...chapter }));
  throw new AppError('invalid', {
    field: 'chaptersFile',
    message: 'must have at least two cues with text that start within the video',
  });
}

/** @returns whether the policy changed */
async function changePolicy(
  tx: InTransaction<TeamContext>,
  id: string,
  newPolicy: BodyOf<typeof updateAssetEndpoint>['playbackPolicy'],
): Promise<boolean> {
  const asset = await requireAsset(tx, id);
  const policy = await buildPolicyColumns(tx, newPolicy, asset);
  if (policy) await replacePolicy(tx, asset, policy);
  return policy !== null;
}
