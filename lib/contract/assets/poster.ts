import { z } from 'zod';
import { defineEndpoint } from '@/lib/contract/define-endpoint';
import { idParams } from '@/lib/contract/primitives';

/** Maximum size of a poster in bytes. */
export const MAX_POSTER_BYTES = 4 * 1024 * 1024;

const commonFields = {
  auth: 'key-or-session',
  corsKeyAllowed: false,
  params: idParams,
  errors: [400],
} as const;
const uploadDescription =
  'Returns a URL that works for ten minutes. Send it a PNG, JPEG or WebP file of at most 4 MB with PUT. The picture is stored as a JPEG of at most 1280 × 1280 pixels and replaces the previous one. Pages, embedded players and link previews show it until playback starts.';
const uploadResponse = z.object({ url: z.url() });
const uploadExample = {
  params: { id: 'f3a1c7de-93b8-4d26-9a55-2f5c2d4a7b10' },
  response: { url: 'http://localhost:8080/api/asset/upload/poster?token=…' },
};

export const requestStreamPosterUpload = defineEndpoint({
  ...commonFields,
  id: 'requestStreamPosterUpload',
  tag: 'Streams',
  method: 'POST',
  path: '/api/stream/{id}/poster',
  summary: 'Request an upload of a stream poster',
  description: uploadDescription,
  response: uploadResponse,
  status: 201,
  example: uploadExample,
});

export const deleteStreamPoster = defineEndpoint({
  ...commonFields,
  id: 'deleteStreamPoster',
  tag: 'Streams',
  method: 'DELETE',
  path: '/api/stream/{id}/poster',
  summary: 'Delete a stream poster',
  description:
    'While the stream is live, its current picture is used as the poster. The file is deleted within a day.',
  status: 204,
  example: { params: uploadExample.params },
});

export const requestAssetPosterUpload = defineEndpoint({
  ...commonFields,
  id: 'requestAssetPosterUpload',
  tag: 'Assets',
  method: 'POST',
  path: '/api/asset/{id}/poster',
  summary: 'Request an upload of an asset poster',
  description: uploadDescription,
  response: uploadResponse,
  status: 201,
  example: uploadExample,
});

export const deleteAssetPoster = defineEndpoint({
  ...commonFields,
  id: 'deleteAssetPoster',
  tag: 'Assets',
  method: 'DELETE',
  path: '/api/asset/{id}/poster',
  summary: 'Delete an asset poster',
  description: 'A frame of the video is used as the poster. The file is deleted within a day.',
  status: 204,
  example: { params: uploadExample.params },
});

export const posterEndpoints = [
  requestStreamPosterUpload,
  deleteStreamPoster,
  requestAssetPosterUpload,
  deleteAssetPoster,
] as const;
