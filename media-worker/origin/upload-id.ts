import { createHmac } from 'node:crypto';
import type { UploadAttempt } from '@/lib/assets';
import type { WorkerContext } from '@/lib/context';
import { AppError } from '@/lib/core/errors';

/** Id of an upload: the asset's, and a signature that only a holder of its token has seen. */
export const uploadIdGrammar = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})-([0-9a-f]{32})$/;

type Secrets = Pick<WorkerContext, 'secrets'>;

export const uploadIdOf = (ctx: Secrets, assetId: string): string =>
  `${assetId}-${signatureOf(ctx, assetId)}`;

/**
 * The attempt that an id belongs to: the same for every request of this upload, before and after a restart.
 * @throws AppError `not_found` for an id that was never given out
 */
export function attemptOfUpload(ctx: Secrets, id: string): UploadAttempt {
  const [, assetId = '', given] = uploadIdGrammar.exec(id) ?? [];
  if (given === undefined || given !== signatureOf(ctx, assetId))
    throw new AppError('not_found', 'not found');
  return { assetId, lease: uuidOf(given) };
}

function signatureOf({ secrets }: Secrets, assetId: string): string {
  return createHmac('sha256', secrets.derive('tus')).update(assetId).digest('hex').slice(0, 32);
}

function uuidOf(hex: string): string {
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
