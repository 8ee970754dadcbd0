import type { Secrets } from './secrets';

/** A text with its signature behind a dot. It is readable, and only this service can make one. */
export const signedToken = (secrets: Secrets, purpose: string, text: string): string =>
  `${text}.${secrets.sign(purpose, text).toString('base64url')}`;

/** The text of a token; null if it is no token of this purpose. */
export function readSignedToken(secrets: Secrets, purpose: string, token: string): string | null {
  const end = token.lastIndexOf('.');
  if (end < 0) return null;
  const text = token.slice(0, end);
  return secrets.verify(purpose, text, token.slice(end + 1)) ? text : null;
}
