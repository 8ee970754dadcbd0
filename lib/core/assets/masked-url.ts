export const mask = '***';

/** Parts of parameter names that mark a secret, as in `X-Amz-Signature` and `access_token`. */
const secretParts =
  /sign|secret|token|passw|passphrase|passcode|credential|session|jwt|hmac|bearer|auth(?!or(?!iz))/;
const secretEnds = /(?:keys?|sig|pwd)(?:\[.*\])?$/;
/**
 * Complete parameter names that mark a secret: signatures and access codes of storage services, CDNs and common
 * software.
 */
const secretNames = new Set([
  'pass', 'pw', 'pin', 'otp', 'code', 'sid', 'hash', 'md5', 'hm', 'oh', 'st', 'policy', 'ticket',
  'hdnts', 'hdnea', 'hdntl', 'key-pair-id', 'googleaccessid', 'awsaccesskeyid', 'accesskeyid',
]); // prettier-ignore
/** A JSON Web Token (RFC 7519), in a parameter of any name. */
const jsonWebToken = /^ey[\w-]+\.[\w-]+\.[\w-]*$/;
/** Longer query parts without a value may be tokens. */
const maxFlagLength = 16;

/**
 * A URL for display: user name, password, fragment and the values of query parameters that hold secrets are masked.
 * Other parameters stay, because they distinguish files.
 */
export function maskedUrl(url: string): string {
  const [, scheme = '', userinfo, path = '', query, fragment] =
    /^([a-z][a-z\d+.-]*:\/\/)?([^/?#]*@)?([^?#]*)(\?[^#]*)?(#.+)?/is.exec(url) ?? [];
  return [
    scheme,
    userinfo === undefined ? '' : `${mask}@`,
    path,
    query?.replace(/[^?&;]+/g, maskedParameter) ?? '',
    fragment === undefined ? '' : `#${mask}`,
  ].join('');
}

function maskedParameter(parameter: string): string {
  const at = parameter.indexOf('=');
  if (at < 0) return parameter.length > maxFlagLength ? mask : parameter;
  const [name, value] = [parameter.slice(0, at), decode(parameter.slice(at + 1))];
  if (value === '') return parameter;
  if (isSecret(decode(name).toLowerCase()) || jsonWebToken.test(value)) return `${name}=${mask}`;
  const inner = /^https?:\/\//i.test(value) ? maskedUrl(value) : value;
  return inner === value ? parameter : `${name}=${encodeURIComponent(inner)}`;
}

const isSecret = (name: string): boolean =>
  secretNames.has(name) || secretParts.test(name) || secretEnds.test(name);

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
