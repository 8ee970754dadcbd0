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
const quoted = (text: string): string => `"${text.replaceAll(/["\\]/g, (sign) => `\\${sign}`)}"`;

/**
 * The value of `Authorization` for a challenge (RFC 7616, RFC 7617), Digest before Basic; null if the source
 * requires another scheme. @param challenges the values of `WWW-Authenticate`
 */
export function authorizationFor(
  challenges: readonly string[],
  { user, password }: Credentials,
  { method, uri }: Request,
): string | null {
  const digest = challenges.find((each) => /^digest\s/i.test(each) && isMd5(each));
  if (digest === undefined) {
    const basic = challenges.some((each) => /^basic(\s|$)/i.test(each));
    return basic ? `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` : null;
  }
  const [realm, nonce, opaque] = ['realm', 'nonce', 'opaque'].map((name) => parameterOf(digest, name));
  const secret = md5(`${user}:${realm ?? ''}:${password}`);
  const asked = md5(`${method}:${uri}`);
  const isCounted = (parameterOf(digest, 'qop') ?? '').split(',').some((each) => each.trim() === 'auth');
  const [count, own] = ['00000001', randomBytes(8).toString('hex')];
  const middle = isCounted ? `${nonce ?? ''}:${count}:${own}:auth` : (nonce ?? '');
  return [
    `Digest username=${quoted(user)}`,
    `realm=${quoted(realm ?? '')}`,
    `nonce=${quoted(nonce ?? '')}`,
    `uri=${quoted(uri)}`,
    `response="${md5(`${secret}:${middle}:${asked}`)}"`,
    ...(opaque === undefined ? [] : [`opaque=${quoted(opaque)}`]),
    ...(isCounted ? ['qop=auth', `nc=${count}`, `cnonce="${own}"`] : []),
  ].join(', ');
}

const isMd5 = (challenge: string): boolean =>
  (parameterOf(challenge, 'algorithm') ?? 'MD5').toUpperCase() === 'MD5';

function parameterOf(challenge: string, name: string): string | undefined {
  const [, text, plain] = new RegExp(`[\\s,]${name}=(?:"([^"]*)"|([^\\s,]+))`, 'i').exec(challenge) ?? [];
  return text ?? plain;
}
