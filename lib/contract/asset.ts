import { z } from 'zod';
import { creatorId, creatorIdInput } from './creator';
import { listQuery } from './list-query';
import { fileHash, videoSpec } from './media-spec';
import { playbackId, text, timestamp, uuid } from './primitives';
import { profile } from './profile';
import { exportBody } from './export';

const progress = z.number().min(0).max(1).exactOptional().meta({ description: '0 to 1; never falls.' });
const reason = z.string().exactOptional().meta({ description: 'Why it failed, in plain words.' });

const source = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('directUpload'),
    sourceId: uuid.exactOptional(),
    assetId: uuid.exactOptional().meta({ description: 'The asset that this one was transcoded from.' }),
  }),
  z.object({ type: z.literal('url'), url: z.string() }),
  z.object({ type: z.literal('recording'), sessionId: uuid }),
]);

const ipfsFile = { cid: z.string(), url: z.string(), gatewayUrl: z.string() };

const storage = z.object({
  ipfs: z
    .object({ ...ipfsFile, nftMetadata: z.object(ipfsFile).exactOptional(), updatedAt: timestamp })
    .exactOptional(),
  status: z.object({
    phase: z.enum(['waiting', 'processing', 'ready', 'failed', 'reverted']),
    progress,
    errorMessage: reason,
    tasks: z.object({
      pending: uuid.exactOptional(),
      last: uuid.exactOptional(),
      failed: uuid.exactOptional(),
    }),
  }),
});

/** The asset object (specification §2.3, api-contract §4.3). */
export const asset = z
  .object({
    id: uuid,
    userId: uuid,
    name: z.string(),
    type: z.literal('video').exactOptional(),
    createdAt: timestamp,
    createdByTokenName: z.string().exactOptional(),
    playbackId,
    status: z.object({
      phase: z.enum(['uploading', 'waiting', 'processing', 'ready', 'failed', 'deleting', 'deleted']),
      updatedAt: timestamp,
      progress,
      errorMessage: reason,
    }),
    source,
    sourceAssetId: uuid.exactOptional().meta({ description: 'The asset that this one was transcoded from.' }),
    size: z.int().min(0).exactOptional().meta({ description: 'Bytes.' }),
    hash: z.array(fileHash).exactOptional(),
    videoSpec: videoSpec.exactOptional(),
    playbackUrl: z.string().exactOptional().meta({ description: 'HLS, once it can be played.' }),
    downloadUrl: z.string().exactOptional().meta({ description: 'MP4, once it is ready.' }),
    storage: storage.exactOptional(),
    creatorId: creatorId.exactOptional(),
  })
  .meta({ id: 'Asset' });

export type Asset = z.output<typeof asset>;

const name = text(500, 1).meta({ description: 'Human-readable title.' });

export const requestUploadBody = z.strictObject({ name, creatorId: creatorIdInput.exactOptional() });

export const importAssetBody = z.strictObject({
  url: text(5_000, 1)
    .regex(/^https?:\/\//, { error: 'must be an http:// or https:// URL' })
    .meta({ description: 'The file to download.' }),
  name,
  creatorId: creatorIdInput.exactOptional(),
});

export const updateAssetBody = z.strictObject({
  name: name.exactOptional(),
  creatorId: creatorIdInput.exactOptional(),
});

export const transcodeAssetBody = z.strictObject({
  name: name.exactOptional().meta({ description: 'That of the input asset when left out.' }),
  profile,
});

export const transcodeAssetFlatBody = transcodeAssetBody.extend({ assetId: uuid });

export const exportAssetBody = exportBody;

export const listAssetsQuery = listQuery.extend({
  playbackId: z.string().max(100).exactOptional(),
  sourceUrl: z.string().max(5_000).exactOptional(),
  phase: z.string().max(100).exactOptional(),
  cid: z.string().max(200).exactOptional(),
});

export const assetReadOnlyFields = [
  'id',
  'userId',
  'type',
  'createdAt',
  'createdByTokenName',
  'playbackId',
  'status',
  'source',
  'sourceAssetId',
  'size',
  'hash',
  'videoSpec',
  'playbackUrl',
  'downloadUrl',
  'storage',
] as const;

/** Fields for `filters` and `order` (api-contract §2.1); `column` where the row names it otherwise. */
export const assetListFields = {
  id: { type: 'uuid' },
  name: { type: 'text' },
  createdAt: { type: 'timestamp' },
  updatedAt: { type: 'timestamp', column: 'statusUpdatedAt' },
  playbackId: { type: 'text' },
  phase: { type: 'text' },
  cid: { type: 'text', nullable: true },
  nftMetadataCid: { type: 'text', nullable: true },
  sourceUrl: { type: 'text', nullable: true },
  sourceType: { type: 'text' },
  sourceSessionId: { type: 'uuid', nullable: true },
  sourceAssetId: { type: 'uuid', nullable: true },
} as const;
