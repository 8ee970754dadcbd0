import { z } from 'zod';
import { assetId } from '@/lib/contract/assets/asset-examples';
import { defineEndpoint } from '@/lib/contract/define-endpoint';
import { idParams } from '@/lib/contract/primitives';

const preview = z
  .object({
    token: z.string().meta({ description: 'Works for 7 days, as long as you are a member of the team.' }),
  })
  .meta({ id: 'Preview' });

export type Preview = z.output<typeof preview>;

const commonFields = {
  method: 'GET',
  // Previews exist for the dashboard only.
  auth: 'session',
  corsKeyAllowed: false,
  summary: 'Retrieve a preview token',
  params: idParams,
  response: preview,
  status: 200,
  errors: [],
} as const;

const examplePreview = { token: 't8qk2o.Qm9vZ3hTc2Rk.3yUYfvQ0x1mDq7hXo2bRcA' };

export const getStreamPreview = defineEndpoint({
  ...commonFields,
  id: 'getStreamPreview',
  path: '/api/dashboard/streams/{id}/preview',
  tag: 'Streams',
  description:
    'A player that loads the master playlist with `?preview=<token>` does not count as a viewer of this stream.',
  example: { params: { id: 'f3a1c7de-93b8-4d26-9a55-2f5c2d4a7b10' }, response: examplePreview },
});

export const getAssetPreview = defineEndpoint({
  ...commonFields,
  id: 'getAssetPreview',
  path: '/api/dashboard/assets/{id}/preview',
  tag: 'Assets',
  description:
    'A player that loads the master playlist with `?preview=<token>` does not count as a view of this asset, and needs no other token.',
  example: { params: { id: assetId }, response: examplePreview },
});

export const previewEndpoints = [getStreamPreview, getAssetPreview] as const;
