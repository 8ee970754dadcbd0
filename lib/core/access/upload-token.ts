import { HOUR_MS } from '@/lib/core/units';

/** The claims in an upload URL. The database stores whether the URL was used. */
export interface UploadClaims {
  readonly assetId: string;
  /** Expiry, in Unix milliseconds. */
  readonly exp: number;
}

/** How long an upload URL is valid. */
export const UPLOAD_LIFETIME_MS = 12 * HOUR_MS;

/** How long an asset waits for the first byte of its upload. */
export const UNSENT_LIFETIME_MS = HOUR_MS;

/** Maximum number of uploads without any bytes, per API key or for the dashboard. */
export const MAX_UNSENT_UPLOADS = 1_000;

export const uploadedObjectKey = (playbackId: string): string => `directUpload/${playbackId}/source`;

const MAX_TEXT_LENGTH = 500;

/** The claims as URL-safe text, signed by lib/domain/assets/uploads/upload-token.ts. */
export function encodeUploadClaims({ assetId, exp }: UploadClaims): string {
  return btoa(JSON.stringify({ assetId, exp })).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** Reads the claims from their encoded text, whose signature must have been verified; null if the text has no claims. */
export function decodeUploadClaims(text: string): UploadClaims | null {
  if (text.length > MAX_TEXT_LENGTH) return null;
  try {
    const claims: unknown = JSON.parse(atob(text.replaceAll('-', '+').replaceAll('_', '/')));
    if (typeof claims !== 'object' || claims === null) return null;
    const { assetId, exp } = claims as Partial<Record<keyof UploadClaims, unknown>>;
    return typeof assetId === 'string' && typeof exp === 'number' ? { assetId, exp } : null;
  } catch {
    return null;
  }
}
