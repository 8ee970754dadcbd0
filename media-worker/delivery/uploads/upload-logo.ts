import type { IncomingMessage } from 'node:http';
import { deleteFiles } from '@/lib/domain/backup';
import { readLogoToken, setLogo } from '@/lib/domain/brand';
import type { WorkerContext } from '@/lib/domain/context';
import { MAX_LOGO_BYTES } from '@/lib/contract/accounts/brand';
import { logoKey } from '@/lib/core/storage-keys';
import { newPlaybackId } from '@/lib/infra/ids';
import { planLogo } from '@/media-worker/media/ffmpeg/uploaded-picture-args';
import { jsonAnswer, type Answer } from '@/media-worker/kit/http/answer';
import { putPicture, type PictureContext } from './upload-picture';

/** Handles a PUT to the URL of a logo upload. */
export const putLogo = (ctx: WorkerContext, request: IncomingMessage): Promise<Answer> =>
  putPicture(ctx, request, {
    name: 'logo',
    maxBytes: MAX_LOGO_BYTES,
    endpoint: 'POST /api/user/brand/logo',
    readClaims: readLogoToken,
    planConversion: planLogo,
    store: storeLogo,
  });

async function storeLogo(ctx: PictureContext, png: Buffer): Promise<Answer> {
  const file = `${newPlaybackId()}.png`;
  await ctx.storage.put(logoKey(file), png, { contentType: 'image/png' });
  // If this fails, the daily search for orphaned files deletes the new file. While a backup runs, nothing is deleted
  // here, and that search deletes the previous file later.
  const previousFile = await setLogo(ctx, file);
  if (previousFile !== null) await deleteFiles(ctx, logoKey(previousFile));
  return jsonAnswer(200, { logoUrl: `${ctx.settings.cdnUrl}/brand/${file}` });
}
