import { MINUTE_MS } from '@/lib/core/units';
import type { Secrets } from './secrets';
import { readSignedToken, createSignedToken } from './signed-token';

/** The team, and its person or API key, that may upload a picture with the URL. */
interface PictureUploader {
  readonly teamId: string;
  /** Id of the API key that requested the URL; null for a person. */
  readonly keyId: string | null;
  readonly userId: string | null;
}

export interface PictureClaims extends PictureUploader {
  /** Id of the object that the picture belongs to: a team, stream or asset. */
  readonly ownerId: string;
}

const LIFETIME_MS = 10 * MINUTE_MS;
const idPattern = '[0-9a-f-]{36}';
const tokenFormat = new RegExp(
  `^(${idPattern})\\.(${idPattern})\\.(${idPattern})?\\.(${idPattern})?\\.(\\d{1,15})$`,
);

/** The person or API key of a request. */
export const uploaderOf = (actor: {
  readonly teamId: string;
  readonly keyId?: string | undefined;
  readonly userId?: string | undefined;
}): PictureUploader => ({
  teamId: actor.teamId,
  keyId: actor.keyId ?? null,
  userId: actor.userId ?? null,
});

/**
 * Creates a token that allows uploads of a picture for ten minutes.
 * @param purpose scope of the signature
 */
export function createPictureToken(
  secrets: Secrets,
  purpose: string,
  { ownerId, teamId, keyId, userId }: PictureClaims,
  now: Date,
): string {
  const text = `${ownerId}.${teamId}.${keyId ?? ''}.${userId ?? ''}.${now.getTime() + LIFETIME_MS}`;
  return createSignedToken(secrets, purpose, text);
}

/**
 * The claims of a valid, unexpired token; null for any other text.
 * @param now Unix milliseconds
 */
export function readPictureToken(
  secrets: Secrets,
  purpose: string,
  token: string,
  now: number,
): PictureClaims | null {
  const text = readSignedToken(secrets, purpose, token);
  const [, ownerId, teamId, keyId, userId, expiresAtMs] = tokenFormat.exec(text ?? '') ?? [];
  if (ownerId === undefined || teamId === undefined) return null;
  return now < Number(expiresAtMs) ? { ownerId, teamId, keyId: keyId ?? null, userId: userId ?? null } : null;
}
