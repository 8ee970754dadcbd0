import { hourMs } from '@/lib/core/units';

/** The claims in an upload URL. Whether it was used is in the database. */
export interface UploadClaims {
  readonly assetId: string;
  /** Expiry, in Unix milliseconds. */
  readonly exp: number;
}

/** How long an upload URL works. */
export const uploadLifetimeMs = 12 * hourMs;

/** How long an upload without any bytes waits for them. */
export const unsentLifetimeMs = hourMs;

/** Uploads without any bytes that one API key, or the dashboard, may have at once. */
export const maxUnsentUploads = 1_000;

/** Key of the uploaded file in the storage (`uploadedObjectKey`). */
export const uploadedObjectKey = (playbackId: string): string => `directUpload/${playbackId}/source`;

const maxLength = 500;

/** The claims as URL-safe text; lib/domain/assets/uploads/upload-token.ts signs it. */
export function encodeUploadClaims({ assetId, exp }: UploadClaims): string {
  return btoa(JSON.stringify({ assetId, exp })).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** The claims in a text with a valid signature; null if it holds none. */
export function decodeUploadClaims(text: string): UploadClaims | null {
  if (text.length > maxLength) return null;
  try {
    const claims: unknown = JSON.parse(atob(text.replaceAll('-', '+').replaceAll('_', '/')));
    if (typeof claims !== 'object' || claims === null) return null;
    const { assetId, exp } = claims as Partial<Record<keyof UploadClaims, unknown>>;
    return typeof assetId === 'string' && typeof exp === 'number' ? { assetId, exp } : null;
  } catch {
    return null;
  }
}
