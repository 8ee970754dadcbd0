import { hourMs } from '@/lib/core/units';

/** The claims in an upload URL. The database stores whether the URL was used. */
export interface UploadClaims {
  readonly assetId: string;
  /** Expiry, in Unix milliseconds. */
  readonly exp: number;
}

/** How long an upload URL works. */
export const uploadLifetimeMs = 12 * hourMs;

/** How long an upload waits for its first byte. */
export const unsentLifetimeMs = hourMs;

/** Maximum number of uploads without any bytes, per API key or for the dashboard. */
export const maxUnsentUploads = 1_000;

export const uploadedObjectKey = (playbackId: string): string => `directUpload/${playbackId}/source`;

const maxLength = 500;

/** The claims as URL-safe text, signed by lib/domain/assets/uploads/upload-token.ts. */
export function encodeUploadClaims({ assetId, exp }: UploadClaims): string {
  return btoa(JSON.stringify({ assetId, exp })).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** Reads the claims of a text with a valid signature; null if the text has no claims. */
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
