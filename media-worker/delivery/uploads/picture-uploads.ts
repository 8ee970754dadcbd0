import type { WorkerContext } from '@/lib/domain/context';
import type { UploadHandlers } from './serve-uploads';
import { putLogo } from './upload-logo';
import { putPoster } from './upload-poster';
import { putSlate } from './upload-slate';

/** All kinds of pictures that can be uploaded. */
export const createPictureUploads = (
  ctx: WorkerContext,
): Pick<UploadHandlers, 'logo' | 'slate' | 'poster'> => ({
  logo: (request) => putLogo(ctx, request),
  slate: (request) => putSlate(ctx, request),
  poster: (request) => putPoster(ctx, request),
});
