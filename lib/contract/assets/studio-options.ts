import { z } from 'zod';
import { text } from '@/lib/contract/primitives';
import { nftMetadata } from './export';

/** Option of Studio API clients (docs/walks.md) that has no effect here (lib/core/assets/ignored-options.ts). */
export const projectId = text(200)
  .exactOptional()
  .meta({ description: 'Ignored, with a warning: objects belong to the team of the key.' });

/** Warnings in a response about ignored options. */
export const warnings = z
  .array(z.string())
  .exactOptional()
  .meta({ description: 'Fields without effect, and why. Absent if there are none.' });

const ipfsSpec = z.strictObject({
  nftMetadata: nftMetadata.exactOptional(),
  nftMetadataTemplate: z.enum(['player', 'file']).exactOptional(),
});

/** Option that exports a new asset to IPFS when it is ready. */
const storageInput = z.strictObject({
  ipfs: z
    .union([z.boolean(), z.strictObject({ spec: ipfsSpec.nullable().exactOptional() })])
    .nullable()
    .exactOptional()
    .meta({ description: '`true` or a `spec`: the asset is exported to IPFS as soon as it is ready.' }),
});

export type StorageInput = z.output<typeof storageInput>;

/** Options of Studio API clients in requests that create an asset. */
export const studioOptions = {
  projectId,
  staticMp4: z
    .boolean()
    .exactOptional()
    .meta({ description: 'No effect: every asset has an MP4 (`downloadUrl`).' }),
  storage: storageInput.exactOptional(),
  c2pa: z.boolean().exactOptional().meta({ description: 'Ignored, with a warning: files are not signed.' }),
  targetSegmentSizeSecs: z
    .number()
    .min(0)
    .exactOptional()
    .meta({ description: 'Ignored, with a warning: segments follow the keyframes of the file.' }),
};
