import { assetMachine } from '@/lib/core/assets/asset-state';
import { listQuery, text } from '@/lib/contract/primitives';

/** Schema of a query parameter that selects assets by the exact value of a field. */
const exactMatch = (fieldName: string, maxLength: number) =>
  text(maxLength)
    .exactOptional()
    .meta({ description: `Only assets with this ${fieldName}.` });

export const listAssetsQuery = listQuery.extend({
  playbackId: exactMatch('playback id', 100),
  sourceUrl: exactMatch('source URL: the full URL from which they were imported', 5_000),
  phase: exactMatch('phase', 100),
  cid: exactMatch('IPFS content identifier', 200),
  tag: exactMatch('tag', 50),
  policy: exactMatch(
    'type of playback policy, for example `jwt`; `public` includes assets without a policy',
    100,
  ),
  search: text(200).exactOptional().meta({
    description: 'Only assets with this text in their name or a tag, ignoring case.',
  }),
  deleted: text(100).exactOptional().meta({
    description: 'Any value: only assets deleted in the last seven days, which you can restore.',
  }),
});

/** Fields of assets for `filters` and `order`. `column` is the name of the database column if it differs. */
export const assetListFields = {
  id: { type: 'uuid' },
  name: { type: 'text' },
  createdAt: { type: 'timestamp' },
  updatedAt: { type: 'timestamp', column: 'statusUpdatedAt' },
  playbackId: { type: 'text' },
  creatorId: { type: 'text', nullable: true },
  phase: { type: 'text', values: assetMachine.states },
  cid: { type: 'text', nullable: true },
  nftMetadataCid: { type: 'text', nullable: true },
  sourceUrl: { type: 'text', nullable: true },
  sourceType: { type: 'text' },
  sourceSessionId: { type: 'uuid', nullable: true },
  sourceAssetId: { type: 'uuid', nullable: true },
  sourcePlaybackId: { type: 'text', nullable: true, column: 'clipPlaybackId' },
  views: { type: 'int' },
  deliveredMinutes: { type: 'float' },
} as const;
