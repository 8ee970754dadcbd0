import { policyOf } from '@/lib/domain/access';
import type { Asset as AssetObject } from '@/lib/contract/assets/asset';
import { isReadyAsset } from '@/lib/core/assets/asset-state';
import { maskUrl } from '@/lib/core/assets/masked-url';
import type { EventName } from '@/lib/core/webhooks/events';
import type { Asset } from '@/lib/generated/prisma/client';
import type { Transaction } from '@/lib/infra/db';
import type { Settings } from '@/lib/infra/env';
import { emitEvent } from '@/lib/domain/webhooks';
import { reasonField } from '@/lib/core/reasons/reason';

const downloadUrlOf = ({ cdnUrl }: Settings, playbackId: string): string =>
  `${cdnUrl}/asset/${playbackId}/video`;

/** URL of the MP4 that ends in `.mp4`, by which players such as `@livepeer/core` recognize it. */
export const mp4UrlOf = (settings: Settings, playbackId: string): string =>
  `${downloadUrlOf(settings, playbackId)}/download.mp4`;

/** URL of a file of an asset, such as `poster.jpg`, next to the video file. */
export const assetFileUrlOf = ({ cdnUrl }: Settings, playbackId: string, file: string): string =>
  `${cdnUrl}/asset/${playbackId}/${file}`;

/** URL of the HLS playlist, next to the file: all URLs of an asset share a prefix that live playlists don't use. */
export const playbackUrlOf = ({ cdnUrl }: Settings, playbackId: string): string =>
  `${cdnUrl}/asset/${playbackId}/index.m3u8`;

/** API representation of an asset. URLs are included once they can be fetched. */
export function serializeAsset(row: Asset, settings: Settings): AssetObject {
  return {
    id: row.id,
    userId: row.teamId,
    name: row.name,
    createdAt: row.createdAt.getTime(),
    ...(row.createdByKeyName === null ? {} : { createdByTokenName: row.createdByKeyName }),
    playbackId: row.playbackId,
    status: statusOf(row),
    source: sourceOf(row),
    ...(row.sourceAssetId === null ? {} : { sourceAssetId: row.sourceAssetId }),
    ...(isReadyAsset(row.phase)
      ? {
          playbackUrl: playbackUrlOf(settings, row.playbackId),
          downloadUrl: downloadUrlOf(settings, row.playbackId),
        }
      : {}),
    ...fileOf(row),
    ...chaptersOf(row),
    ...(row.description === null ? {} : { description: row.description }),
    ...(row.tags.length === 0 ? {} : { tags: row.tags }),
    ...(row.posterTime === null ? {} : { posterTime: row.posterTime }),
    ...(row.posterKey === null ? {} : { posterUrl: `${settings.cdnUrl}/${row.posterKey}` }),
    ...viewershipOf(row),
    ...(row.storage === null
      ? {}
      : { storage: storageOf(row.storage as NonNullable<AssetObject['storage']>) }),
    ...(row.creatorId === null ? {} : { creatorId: { type: 'unverified', value: row.creatorId } }),
    ...(row.playbackPolicy === null ? {} : { playbackPolicy: policyOf(row) }),
  };
}

/** API representation of a deleted asset that can be restored, without URLs, because they return 404. */
export function serializeDeletedAsset(row: Asset, settings: Settings): AssetObject {
  const asset = serializeAsset(row, settings);
  delete asset.playbackUrl;
  delete asset.downloadUrl;
  const updatedAt = (row.deletedAt ?? row.statusUpdatedAt).getTime();
  return { ...asset, status: { ...asset.status, phase: 'deleting', updatedAt } };
}

/** Adds the reason of a failed export as a code, from its stored message. */
function storageOf(storage: NonNullable<AssetObject['storage']>): NonNullable<AssetObject['storage']> {
  const { status } = storage;
  return { ...storage, status: { ...status, ...reasonField('errorReason', status.errorMessage) } };
}

function statusOf(row: Asset): AssetObject['status'] {
  return {
    phase: row.phase,
    updatedAt: row.statusUpdatedAt.getTime(),
    ...(row.progress === null ? {} : { progress: row.progress }),
    ...(row.errorMessage === null ? {} : { errorMessage: row.errorMessage }),
    ...reasonField('errorReason', row.errorMessage),
  };
}

/** Studio API clients require `source`; for a transcoded asset it names the input. */
function sourceOf(row: Asset): AssetObject['source'] {
  const { sourceType, sourceUrl, sourceSessionId, sourceAssetId, clipPlaybackId, clipSessionId } = row;
  if (sourceType === 'url' && sourceUrl !== null) return { type: 'url', url: maskUrl(sourceUrl) };
  if (sourceType === 'recording' && sourceSessionId !== null) {
    return { type: 'recording', sessionId: sourceSessionId };
  }
  if (sourceType === 'clip' && clipPlaybackId !== null) {
    return {
      type: 'clip',
      playbackId: clipPlaybackId,
      ...(clipSessionId === null ? {} : { sessionId: clipSessionId }),
      ...(row.clippedByViewer ? { by: 'viewer' } : {}),
    };
  }
  return {
    type: 'directUpload',
    ...(sourceAssetId === null ? {} : { sourceId: sourceAssetId, assetId: sourceAssetId }),
  };
}

/** Probed facts about the file. */
function fileOf(row: Asset): Pick<AssetObject, 'type' | 'size' | 'hash' | 'videoSpec'> {
  return {
    ...(row.size === null ? {} : { size: Number(row.size) }),
    ...(row.hash === null ? {} : { hash: row.hash as NonNullable<AssetObject['hash']> }),
    ...(row.videoSpec === null
      ? {}
      : { type: 'video', videoSpec: row.videoSpec as NonNullable<AssetObject['videoSpec']> }),
  };
}

/** Views and delivered minutes of an asset. Minutes are rounded to hundredths, as in the usage. */
function viewershipOf({ views, deliveredMinutes }: Asset): Pick<AssetObject, 'views' | 'deliveredMinutes'> {
  const minutes = Math.round(deliveredMinutes * 100) / 100;
  return { ...(views === 0 ? {} : { views }), ...(minutes === 0 ? {} : { deliveredMinutes: minutes }) };
}

/** The `chapters` of an asset in the API; absent without chapters. */
export function chaptersOf({ chapters }: Pick<Asset, 'chapters'>): Pick<AssetObject, 'chapters'> {
  const storedChapters = (chapters ?? []) as NonNullable<AssetObject['chapters']>;
  return storedChapters.length === 0 ? {} : { chapters: storedChapters };
}

/**
 * Emits an event with the current asset, in the transaction that changed it. The hidden row of a replacement emits
 * nothing.
 */
export async function emitAssetEvent(
  tx: { readonly db: Transaction; readonly settings: Settings },
  name: Extract<EventName, `asset.${string}`>,
  row: Asset,
): Promise<void> {
  if (row.replacesId !== null) return;
  const asset = { id: row.id, snapshot: serializeAsset(row, tx.settings) };
  await emitEvent(tx, { name, teamId: row.teamId, payload: { asset } });
}
