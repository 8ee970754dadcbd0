export const mask = '***';

/**
 * Parts of the names of query parameters that contain secrets, as in `X-Amz-Signature` and `access_token`. The last one
 * matches `auth` and `authorization`, but not `author`.
 */
const secretParts =
  /sign|secret|token|passw|passphrase|passcode|credential|session|jwt|hmac|bearer|auth(?!or(?!iz))/;
const secretSuffixes = /(?:keys?|sig|pwd)(?:\[.*\])?$/;
/**
 * Names of query parameters that contain secrets: signatures and access codes of storage services, CDNs and common
 * software.
 */
const secretNames = new Set([
  'pass', 'pw', 'pin', 'otp', 'code', 'sid', 'hash', 'md5', 'hm', 'oh', 'st', 'policy', 'ticket',
  'hdnts', 'hdnea', 'hdntl', 'key-pair-id', 'googleaccessid', 'awsaccesskeyid', 'accesskeyid',
]); // prettier-ignore
/** A JSON Web Token (RFC 7519), in a parameter of any name. */
const jsonWebToken = /^ey[\w-]+\.[\w-]+\.[\w-]*$/;
/** Maximum length of a query parameter without a value that is shown; a longer one may be a token. */
const MAX_FLAG_LENGTH = 16;

/**
 * Masks the secrets of a URL for display: user name, password, fragment, and query parameters that may contain secrets.
 * Other parameters are kept, because they distinguish files.
 */
export function maskUrl(url: string): string {
  const [, scheme = '', userinfo, hostAndPath = '', query, fragment] =
    /^([a-z][a-z\d+.-]*:\/\/)?([^/?#]*@)?([^?#]*)(\?[^#]*)?(#.+)?/is.exec(url) ?? [];
  return [
    scheme,
    userinfo === undefined ? '' : `${mask}@`,
    hostAndPath,
    query?.replace(/[^?&;]+/g, maskParameter) ?? '',
    fragment === undefined ? '' : `#${mask}`,
  ].join('');
}

function maskParameter(parameter: string): string {
  const index = parameter.indexOf('=');
  if (index < 0) return parameter.length > MAX_FLAG_LENGTH ? mask : parameter;
  const [name, value] = [parameter.slice(0, index), decodePercent(parameter.slice(index + 1))];
  if (value === '') return parameter;
  if (isSecretName(decodePercent(name).toLowerCase()) || jsonWebToken.test(value)) return `${name}=${mask}`;
  const maskedValue = /^https?:\/\//i.test(value) ? maskUrl(value) : value;
  return maskedValue === value ? parameter : `${name}=${encodeURIComponent(maskedValue)}`;
}

const isSecretName = (name: string): boolean =>
  secretNames.has(name) || secretParts.test(name) || secretSuffixes.test(name);

function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
