import { z } from 'zod';
import { defineEndpoint } from '@/lib/contract/define-endpoint';
import { idParams } from '@/lib/contract/primitives';

/** Maximum size of a slate picture in bytes. */
export const MAX_SLATE_PICTURE_BYTES = 4 * 1024 * 1024;

const commonFields = {
  auth: 'key-or-session',
  corsKeyAllowed: false,
  tag: 'Streams',
  params: idParams,
  errors: [400],
} as const;
const example = { params: { id: 'f3a1c7de-93b8-4d26-9a55-2f5c2d4a7b10' } };

export const requestSlatePictureUpload = defineEndpoint({
  ...commonFields,
  id: 'requestSlatePictureUpload',
  method: 'POST',
  path: '/api/stream/{id}/slate-picture',
  summary: 'Request an upload of a slate picture',
  description:
    'Returns a URL that works for ten minutes. Send it a PNG, JPEG or WebP file of at most 4 MB with PUT. The picture is stored as a PNG of at most 1920 × 1920 pixels and replaces the previous one. The slate shows it the next time it is on air.',
  response: z.object({ url: z.url() }),
  status: 201,
  example: { ...example, response: { url: 'http://localhost:8080/api/asset/upload/slate?token=…' } },
});

export const deleteSlatePicture = defineEndpoint({
  ...commonFields,
  id: 'deleteSlatePicture',
  method: 'DELETE',
  path: '/api/stream/{id}/slate-picture',
  summary: 'Delete the slate picture',
  description: 'The slate shows the name of the stream again. The file is deleted within a day.',
  status: 204,
  example,
});

export const slatePictureEndpoints = [requestSlatePictureUpload, deleteSlatePicture] as const;
