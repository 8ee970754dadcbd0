import { createHash, randomBytes } from 'node:crypto';

interface Credentials {
  readonly user: string;
  readonly password: string;
}

interface Request {
  readonly method: string;
  readonly uri: string;
}

const md5 = (text: string): string => createHash('md5').update(text).digest('hex');
const quote = (text: string): string => `"${text.replaceAll(/["\\]/g, (character) => `\\${character}`)}"`;

/**
 * Creates the value of `Authorization` for a challenge (RFC 7616, RFC 7617). Digest is preferred to Basic; null if
 * the source requires another scheme.
 * @param challenges the values of `WWW-Authenticate`
 */
export function createAuthorization(
  challenges: readonly string[],
  { user, password }: Credentials,
  { method, uri }: Request,
): string | null {
  const digest = challenges.find((challenge) => /^digest\s/i.test(challenge) && isMd5(challenge));
  if (digest === undefined) {
    const acceptsBasic = challenges.some((challenge) => /^basic(\s|$)/i.test(challenge));
    return acceptsBasic ? `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` : null;
  }
  const [realm, nonce, opaque] = ['realm', 'nonce', 'opaque'].map((name) => parseParameter(digest, name));
  const credentialsHash = md5(`${user}:${realm ?? ''}:${password}`);
  const requestHash = md5(`${method}:${uri}`);
  const usesQop = (parseParameter(digest, 'qop') ?? '').split(',').some((option) => option.trim() === 'auth');
  const [nonceCount, clientNonce] = ['00000001', randomBytes(8).toString('hex')];
  const nonceParts = usesQop ? `${nonce ?? ''}:${nonceCount}:${clientNonce}:auth` : (nonce ?? '');
  return [
    `Digest username=${quote(user)}`,
    `realm=${quote(realm ?? '')}`,
    `nonce=${quote(nonce ?? '')}`,
    `uri=${quote(uri)}`,
    `response="${md5(`${credentialsHash}:${nonceParts}:${requestHash}`)}"`,
    ...(opaque === undefined ? [] : [`opaque=${quote(opaque)}`]),
    ...(usesQop ? ['qop=auth', `nc=${nonceCount}`, `cnonce="${clientNonce}"`] : []),
  ].join(', ');
}

/** Whether a challenge uses MD5, which is the default and the only supported algorithm. */
const isMd5 = (challenge: string): boolean =>
  (parseParameter(challenge, 'algorithm') ?? 'MD5').toUpperCase() === 'MD5';

/** The value of a parameter, quoted or not; undefined if the challenge does not have it. */
function parseParameter(challenge: string, name: string): string | undefined {
  const [, quotedValue, tokenValue] =
    new RegExp(`[\\s,]${name}=(?:"([^"]*)"|([^\\s,]+))`, 'i').exec(challenge) ?? [];
  return quotedValue ?? tokenValue;
}
