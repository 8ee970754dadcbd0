import type { Secrets } from './secrets';

interface SigningOptions {
  /** Signs more than the text, such as the object that the token is for. */
  readonly contentOf?: (text: string) => string;
  /** Number of characters of the signature; by default all 43. */
  readonly length?: number;
}

/** Text with a signature after a dot. The text is readable, but cannot be forged. */
export function createSignedToken(
  secrets: Pick<Secrets, 'sign'>,
  purpose: string,
  text: string,
  { contentOf = String, length }: SigningOptions = {},
): string {
  return `${text}.${secrets.sign(purpose, contentOf(text)).toString('base64url').slice(0, length)}`;
}

/** Text of a token; null if the signature is not valid for this purpose. */
export function readSignedToken(
  secrets: Pick<Secrets, 'verify'>,
  purpose: string,
  token: string,
  { contentOf = String, length }: SigningOptions = {},
): string | null {
  const dotIndex = token.lastIndexOf('.');
  if (dotIndex < 0) return null;
  const text = token.slice(0, dotIndex);
  return secrets.verify(purpose, contentOf(text), token.slice(dotIndex + 1), length) ? text : null;
}
