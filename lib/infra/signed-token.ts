import type { Secrets } from './secrets';

/** Text with a signature after a dot. The text is readable, but cannot be forged. */
export const signedToken = (secrets: Secrets, purpose: string, text: string): string =>
  `${text}.${secrets.sign(purpose, text).toString('base64url')}`;

/** Text of a token; null if the signature is not valid for this purpose. */
export function readSignedToken(secrets: Secrets, purpose: string, token: string): string | null {
  const end = token.lastIndexOf('.');
  if (end < 0) return null;
  const text = token.slice(0, end);
  return secrets.verify(purpose, text, token.slice(end + 1)) ? text : null;
}
