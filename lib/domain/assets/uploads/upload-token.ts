import { readSignedToken, createSignedToken } from '@/lib/infra/signed-token';
import { havingFiles } from '@/lib/domain/assets/internal';
import type { SystemContext } from '@/lib/domain/context';
import {
  type UploadClaims,
  decodeUploadClaims,
  encodeUploadClaims,
  UPLOAD_LIFETIME_MS,
} from '@/lib/core/access/upload-token';
import type { Asset } from '@/lib/generated/prisma/client';
import type { Secrets } from '@/lib/infra/secrets';

/** Upload URLs for the file of an asset. */
export function uploadUrls(
  { secrets, settings }: Pick<SystemContext, 'secrets' | 'settings'>,
  { id: assetId, createdAt }: Pick<Asset, 'id' | 'createdAt'>,
): { readonly url: string; readonly tusEndpoint: string } {
  const token = signUploadToken(secrets, { assetId, exp: createdAt.getTime() + UPLOAD_LIFETIME_MS });
  const baseUrl = `${settings.uploadUrl}/api/asset/upload`;
  return { url: `${baseUrl}/direct?token=${token}`, tusEndpoint: `${baseUrl}/tus?token=${token}` };
}

const purpose = 'upload';

/** Creates the `token` of an upload URL: signed claims that authorize this upload. */
export function signUploadToken(secrets: Secrets, claims: UploadClaims): string {
  return createSignedToken(secrets, purpose, encodeUploadClaims(claims));
}

/**
 * The claims of a valid, unexpired token; null for any other text. Needs no database, so it can run before the body is
 * read.
 * @param now Unix milliseconds
 */
export function readUploadToken(secrets: Secrets, token: string, now: number): UploadClaims | null {
  const text = readSignedToken(secrets, purpose, token);
  const claims = text === null ? null : decodeUploadClaims(text);
  return claims && now < claims.exp ? claims : null;
}

/** The size of a received and accepted upload, even if its processing failed; null for any other upload. */
export async function findReceivedUpload(
  ctx: SystemContext,
  assetId: string,
): Promise<{ bytes: number } | null> {
  const row = await ctx.db.asset.findFirst({
    where: {
      ...havingFiles(assetId),
      deletedAt: null,
      sourceType: 'directUpload',
      phase: { in: ['processing', 'ready', 'failed'] },
      sourceKey: { not: null },
    },
    select: { size: true },
  });
  return row && row.size !== null ? { bytes: Number(row.size) } : null;
}
