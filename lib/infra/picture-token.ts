import { minuteMs } from '@/lib/core/units';
import type { Secrets } from './secrets';
import { readSignedToken, signedToken } from './signed-token';

/** Account and team that may upload a picture with the URL. */
interface PictureUploader {
  readonly teamId: string;
  /** Id of the API key that requested the URL; null for a person. */
  readonly keyId: string | null;
  readonly userId: string | null;
}

export interface PictureClaims extends PictureUploader {
  /** Id of the picture's owner, a team or a stream. */
  readonly of: string;
}

const lifetimeMs = 10 * minuteMs;
const id = '[0-9a-f-]{36}';
const shape = new RegExp(`^(${id})\\.(${id})\\.(${id})?\\.(${id})?\\.(\\d{1,15})$`);

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

/** Signed text that allows one upload for ten minutes. @param purpose scope of the signature */
export function pictureToken(
  secrets: Secrets,
  purpose: string,
  { of, teamId, keyId, userId }: PictureClaims,
  now: Date,
): string {
  const text = `${of}.${teamId}.${keyId ?? ''}.${userId ?? ''}.${now.getTime() + lifetimeMs}`;
  return signedToken(secrets, purpose, text);
}

/** The claims of a valid, unexpired token; null for any other text. @param now Unix milliseconds */
export function readPictureToken(
  secrets: Secrets,
  purpose: string,
  token: string,
  now: number,
): PictureClaims | null {
  const text = readSignedToken(secrets, purpose, token);
  const [, of, teamId, keyId, userId, exp] = shape.exec(text ?? '') ?? [];
  if (of === undefined || teamId === undefined) return null;
  return now < Number(exp) ? { of, teamId, keyId: keyId ?? null, userId: userId ?? null } : null;
}
